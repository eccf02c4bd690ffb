"""Article media from raw frames: GIFs with a palette of their own, posters, alternative text, and what to paste.

Frames are drawn at the GIF's own size and kept losslessly, so that nothing of a film's compression gets in.
"""

import html
import os
import shutil
import subprocess
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from PIL import Image

from scenes.settings import PROJECT, Quality, Settings
from scenes.words import load_words
from scripts.studio import inputs
from scripts.studio.encode import MasterSink
from scripts.studio.files import digest, read_json, work_folder, write_json, write_text
from scripts.studio.inputs import Piece
from scripts.studio.render import Progress

MEGABYTE = 1_000_000
# Lowered in this order, and no further than this, until the file fits its budget.
_FPS_STEPS, _SIZE_STEPS, _COLOUR_STEPS = (10, 8), (0.8, 0.64, 0.5), (64, 32)


class ArticleError(RuntimeError):
    """A GIF could not be made as asked."""


@dataclass(frozen=True)
class Request:
    """A lesson, or one beat of it, as a GIF."""

    lesson: str
    beat: str = ""

    @property
    def name(self) -> str:
        return f"{self.lesson}.{self.beat}" if self.beat else self.lesson


@dataclass(frozen=True)
class Look:
    """How a GIF is made: what a byte budget may lower."""

    width: int
    height: int
    fps: int
    colours: int


@dataclass(frozen=True)
class Gif:
    """A finished GIF."""

    path: Path
    look: Look
    size: int
    seconds: float


def article_folder(settings: Settings, language: str) -> Path:
    theme = settings.render.theme
    return settings.folder() / language / ("article" if theme == "dark" else f"article-{theme}")


def _height(width: int) -> int:
    return 2 * round(width * 9 / 32)


def export(
    lesson: str,
    requests: list[Request],
    settings: Settings,
    language: str,
    progress: Progress = lambda name, share: None,
) -> list[Gif]:
    """Render a lesson once and make a GIF of it, or of each beat asked for. Raises ArticleError over budget."""
    from scripts.studio.stage import manim_configured, play_lesson

    gif = settings.gif
    look = Look(gif.width, _height(gif.width), gif.fps, gif.colours)
    quality = Quality(f"{look.width}x{look.height}@{look.fps}", look.width, look.height, look.fps)
    folder, made_from = article_folder(settings, language), gif_inputs(lesson, settings, language)
    finished: list[Gif] = []
    with work_folder(folder) as work:
        master = MasterSink(work / "master.mkv", quality)

        def tell(played: Any) -> None:
            progress(lesson, len(played.spans) / len(played.beats))

        with manim_configured(quality, work / "manim"):
            played = play_lesson(lesson, settings, language, (master,), captions=gif.captions, watchers=(tell,))
        master.close()
        spans = {span.beat: (span.start, span.stop) for span in played.spans}
        for request in requests:
            start, stop = spans[request.beat] if request.beat else (0, played.frame)
            made = _within_budget(work, request.name, look, start, stop, settings)
            _poster(work, request.name, stop - 1)
            texts = _embed_texts(request, made.look)
            for ending, text in texts.items():
                write_text(work / f"{request.name}{ending}", text)
            endings = (".gif", ".png", *texts)
            receipt = {
                "lesson": request.lesson, "beat": request.beat, "language": language, "look": asdict(made.look),
                "bytes": made.size, "seconds": made.seconds, "inputs": made_from,
                "outputs": {f"{request.name}{e}": digest(work / f"{request.name}{e}") for e in endings},
            }  # fmt: skip
            write_json(work / f"{request.name}.receipt.json", receipt)
            for ending in (*endings, ".receipt.json"):
                os.replace(work / f"{request.name}{ending}", folder / f"{request.name}{ending}")
            finished.append(replace(made, path=folder / f"{request.name}.gif"))
    return finished


def gif_inputs(lesson: str, settings: Settings, language: str) -> dict[str, Any]:
    """What an exported GIF depends on: the lesson's own inputs, and the settings of GIFs instead of films."""
    found = inputs.inputs_of(Piece(lesson), settings, language)
    kept = {k: v for k, v in found["configuration"].items() if k not in ("render.quality", "render.captions")}
    gif = {k: v for k, v in settings.flat().items() if k.startswith("gif.")}
    own = Path(__file__).resolve()
    code = {**found["code"], own.relative_to(PROJECT).as_posix(): digest(own)}
    return {**found, "code": code, "configuration": {**kept, **gif}}


def gif_reasons(request: Request, settings: Settings, language: str) -> list[str]:
    """Why an exported GIF must be made again."""
    folder = article_folder(settings, language)
    receipt = read_json(folder / f"{request.name}.receipt.json")
    if not isinstance(receipt, dict) or not isinstance(receipt.get("outputs"), dict):
        return ["missing output (never exported)"]
    reasons = inputs.differences(receipt.get("inputs", {}), gif_inputs(request.lesson, settings, language))
    for name, recorded in receipt["outputs"].items():
        if not (folder / name).is_file():
            reasons.append(f"missing output ({name})")
        elif digest(folder / name) != recorded:
            reasons.append(f"damaged output ({name})")
    return reasons


def exported(settings: Settings, language: str) -> list[Request]:
    """The GIFs that have been exported in a language."""
    found = []
    for path in sorted(article_folder(settings, language).glob("*.receipt.json")):
        receipt = read_json(path)
        if isinstance(receipt, dict) and isinstance(receipt.get("lesson"), str):
            found.append(Request(receipt["lesson"], str(receipt.get("beat", ""))))
    return found


def _run(*command: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False)
    except FileNotFoundError:
        raise ArticleError(f"{command[0]} is not installed; `make setup` installs it") from None
    if done.returncode:
        raise ArticleError(f"{command[0]} failed: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")


def _looks(first: Look) -> list[Look]:
    looks = [first]
    looks += [replace(looks[-1], fps=fps) for fps in _FPS_STEPS if fps < first.fps]
    for share in _SIZE_STEPS:
        width = 2 * round(first.width * share / 2)
        looks.append(replace(looks[-1], width=width, height=_height(width)))
    looks += [replace(looks[-1], colours=colours) for colours in _COLOUR_STEPS if colours < first.colours]
    return looks


def _within_budget(work: Path, name: str, first: Look, start: int, stop: int, settings: Settings) -> Gif:
    """The first look whose file fits the budget."""
    budget, seconds, size = settings.gif.max_mb * MEGABYTE, (stop - start) / first.fps, 0
    target = work / f"{name}.gif"
    for look in _looks(first):
        _encode(work, target, first, look, start, stop, settings.gif.loops)
        size = target.stat().st_size
        if size <= budget:
            return Gif(target, look, size, _checked_seconds(target, seconds))
    raise ArticleError(
        f"{name}: {size / MEGABYTE:.2f} MB at {look.width}x{look.height}, {look.fps} fps, {look.colours} colours is "
        f"still over {settings.gif.max_mb:g} MB; raise gif.max_mb, or export single beats ({name}:BEAT)"
    )


def _encode(work: Path, target: Path, first: Look, look: Look, start: int, stop: int, loops: int) -> None:
    steps = [f"trim=start_frame={start}:end_frame={stop}", "setpts=PTS-STARTPTS"]
    if look.fps != first.fps:
        steps.append(f"fps={look.fps}")
    if look.width != first.width:
        steps.append(f"scale={look.width}:{look.height}:flags=area")
    palette = f"palettegen=max_colors={look.colours}:reserve_transparent=0:stats_mode=full"
    graph = f"{','.join(steps)},split[a][b];[a]{palette}[p];[b][p]paletteuse=dither=none:diff_mode=rectangle"
    # ffmpeg counts repetitions after the first showing, and -1 plays once.
    loop = 0 if loops == 0 else loops - 1 or -1
    raw = work / "raw.gif"
    _run("ffmpeg", "-v", "error", "-nostdin", "-y", "-i", str(work / "master.mkv"), "-filter_complex", graph,
         "-loop", str(loop), str(raw))  # fmt: skip
    _run("gifsicle", "--no-warnings", "-O3", "--lossy=20", str(raw), "-o", str(target))


def delays_of(path: Path) -> list[int]:
    """A GIF's frame delays, in hundredths of a second."""
    with Image.open(path) as image:
        delays = []
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            delays.append(round(image.info.get("duration", 0) / 10))
    return delays


def _checked_seconds(path: Path, planned: float) -> float:
    delays = delays_of(path)
    total = sum(delays)
    if min(delays) < 2 or abs(total - planned * 100) > 1:
        raise ArticleError(
            f"{path.name}: delays from {min(delays)} cs, {total} cs in all, planned {planned * 100:.0f} cs"
        )
    return total / 100


def _poster(work: Path, name: str, frame: int) -> None:
    """The last frame, which is the beat's or lesson's finished picture."""
    _run("ffmpeg", "-v", "error", "-nostdin", "-y", "-i", str(work / "master.mkv"), "-vf", f"select=eq(n\\,{frame})",
         "-frames:v", "1", "-update", "1", str(work / f"{name}.png"))  # fmt: skip


def _embed_texts(request: Request, look: Look) -> dict[str, str]:
    """Alternative text in both languages, and snippets to paste. The file's own language leads."""
    alts = {}
    for language in ("en", "zh"):
        words = load_words(language, request.lesson)
        alts[language] = f"{words.title}. {words.alt}" if language == "en" else f"{words.title}。{words.alt}"
    texts = {f".alt.{language}.txt": f"{alt}\n" for language, alt in alts.items()}
    for language, alt in alts.items():
        plain = alt.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
        texts[f".{language}.md"] = f"![{plain}]({request.name}.gif)\n"
        texts[f".{language}.html"] = (
            "<picture>\n"
            f'  <source srcset="{request.name}.png" media="(prefers-reduced-motion: reduce)">\n'
            f'  <img src="{request.name}.gif" width="{look.width}" height="{look.height}" loading="lazy"\n'
            f'       lang="{language}" alt="{html.escape(alt)}">\n'
            "</picture>\n"
        )
    return texts


def tools_missing() -> list[str]:
    """The programs that article media need and this machine has not."""
    return [tool for tool in ("ffmpeg", "gifsicle") if shutil.which(tool) is None]
