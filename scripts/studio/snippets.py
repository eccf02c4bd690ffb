"""What to paste into an article: alternative text and snippets in both languages, that respect reduced motion."""

import html
from collections.abc import Mapping

from scenes.words import Words

# Best first: a browser takes the first that it knows. GIF is what every one knows.
_IMAGES = {"avif": "image/avif", "webp": "image/webp", "gif": "image/gif"}
Sizes = Mapping[str, tuple[int, int]]
"""Width and height by kind of file."""


def alternative_text(words: Words, language: str, line: str = "") -> str:
    """Title and description of a lesson's picture; of one beat's, the title and the `line` that is said in it."""
    end = "" if words.title.endswith((".", "?", "!", "。", "？", "！")) else "." if language == "en" else "。"
    return f"{words.title}{end}{' ' if language == 'en' else ''}{line or words.alt}"


def embed_texts(name: str, alts: Mapping[str, str], made: Sizes, loops: int) -> dict[str, str]:
    """Text files by the ending of their names.

    `name` is that of the media and of the poster, without ending; `alts` has the alternative text of each language.
    """
    texts = {}
    for language, alt in alts.items():
        texts[f".alt.{language}.txt"] = f"{alt}\n"
        texts[f".{language}.md"] = _markdown(name, alt, made)
        if any(kind in made for kind in _IMAGES):
            texts[f".{language}.html"] = _picture(name, alt, language, made)
        if "mp4" in made:
            texts[f".video.{language}.html"] = _video(name, alt, language, made["mp4"], loops)
    return texts


def _markdown(name: str, alt: str, made: Sizes) -> str:
    plain = alt.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    image = next((kind for kind in reversed(_IMAGES) if kind in made), None)
    return f"![{plain}]({name}.{image})\n" if image else f"[![{plain}]({name}.png)]({name}.mp4)\n"


def _picture(name: str, alt: str, language: str, made: Sizes) -> str:
    kinds = [kind for kind in _IMAGES if kind in made]
    width, height = made[kinds[-1]]
    # The first source that fits is taken, so the still comes first.
    sources = [f'  <source srcset="{name}.png" media="(prefers-reduced-motion: reduce)">\n']
    sources += [f'  <source srcset="{name}.{kind}" type="{_IMAGES[kind]}">\n' for kind in kinds[:-1]]
    return (
        f"<picture>\n{''.join(sources)}"
        f'  <img src="{name}.{kinds[-1]}" width="{width}" height="{height}" loading="lazy"\n'
        f'       lang="{language}" alt="{html.escape(alt)}">\n'
        "</picture>\n"
    )


def _video(name: str, alt: str, language: str, size: tuple[int, int], loops: int) -> str:
    label = html.escape(alt)
    # Without autoplay nothing moves unless the reader starts it, in every browser.
    return (
        f'<video width="{size[0]}" height="{size[1]}" controls muted playsinline{"" if loops else " loop"}\n'
        f'       preload="none" poster="{name}.png" lang="{language}" aria-label="{label}">\n'
        f'  <source src="{name}.mp4" type="video/mp4">\n'
        f'  <img src="{name}.png" alt="{label}">\n'
        "</video>\n"
    )
