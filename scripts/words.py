"""Print the words that the worked example knows."""

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from mathcore.trained.vocabulary import WORDS
from scenes.settings import LANGUAGES
from scripts.studio.console import out


def told(languages: tuple[str, ...] = LANGUAGES) -> str:
    """A paragraph for each kind of word. Forms of one word have a slash between them."""
    paragraphs = []
    for kind in dict.fromkeys(word.kind for word in WORDS):
        forms = [[word.forms(each) for each in languages] for word in WORDS if word.kind == kind]
        shown = [" ".join("/".join(form) for form in of_word if form) for of_word in forms]
        if any(shown):
            paragraphs.append(f"{kind}: {', '.join(text for text in shown if text)}")
    return "\n\n".join(paragraphs)


@click.command()
@click.option("--language", type=click.Choice(LANGUAGES), help="One language alone; default: with translations.")
def main(language: str | None) -> None:
    """Print the words that the worked example knows, by kind.

    A sentence of these words alone is computed with trained parameters. Upper and lower case are the same word, and
    punctuation around a word does not count.
    """
    out.print(told((language,) if language else LANGUAGES))


if __name__ == "__main__":
    main()
