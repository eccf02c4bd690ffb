"""Read the numbers back from finished films and GIFs, and compare them with a worked example computed now."""

import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.studio.console import FAILED, MISUSED, errors, leave, one_line_for_mistakes, out
from scripts.studio.reading.check import DIGITS, Verdict, as_json, films_in, random_frames, verify_film
from scripts.studio.reading.ledgers import UnusableError, load_record
from scripts.studio.reading.same import differences
from scripts.studio.video import VideoError

EPILOG = """\b
Examples:
  verify.py media/en/1080p30            every film below a folder
  verify.py media/en/1080p30/qkv.mp4    one film, beside its ledger and receipt
  verify.py --frames 20 media/          20 frames of each film as well, at random
  verify.py --same one/ other/          two renders: the same films, frame by frame?
"""


@click.command(epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@click.option("--same", is_flag=True, help="Compare the frames and receipts of two films or folders.")
@click.option(
    "--frames", type=click.IntRange(min=1), metavar="NUMBER", help="Read also so many frames of each film, at random."
)
@click.option("--seed", type=int, metavar="NUMBER", help="Which frames; if not given, others every time.")
@click.option("--json", "as_data", is_flag=True, help="A report for machines, on standard output.")
def main(paths: tuple[Path, ...], same: bool, frames: int | None, seed: int | None, as_data: bool) -> None:
    """Verify films: every row of the ledger resolves, and what it says is read in its frame; captions say what the
    words say; no digit stands there that the ledger does not explain. What rests is read once; with --frames,
    everything that rests in a frame is read, wherever the film may be paused.

    Exits with 1 for any mismatch, and with 2 for what cannot be verified.
    """
    with one_line_for_mistakes(OSError):
        try:
            if same:
                _same(paths)
                return
            if seed is None:
                seed = random.randrange(10_000)
            verdicts = _verify(paths, frames or 0, seed)
        except (UnusableError, VideoError) as problem:
            errors.print(str(problem))
            leave(MISUSED)
        if as_data:
            click.echo(json.dumps([as_json(verdict) for verdict in verdicts], ensure_ascii=False, indent=1))
        else:
            _tell(verdicts)
            if frames:
                _tell_frames(verdicts, seed)
            for mismatch in (mismatch for verdict in verdicts for mismatch in verdict.mismatches):
                out.print(str(mismatch))
        leave(FAILED if any(verdict.mismatches for verdict in verdicts) else 0)


def _same(paths: tuple[Path, ...]) -> None:
    if len(paths) != 2:
        raise UnusableError(f"--same needs two films or folders, got {len(paths)}")
    count, found = differences(*paths)
    for line in found:
        out.print(line)
    if found:
        leave(FAILED)
    out.print(f"{count} files compared: the same frames, ledgers, captions and receipts")


def _verify(paths: tuple[Path, ...], frames: int, seed: int) -> list[Verdict]:
    from scenes.settings import load_settings
    from scripts.studio.stage import manim_configured

    films: dict[Path, None] = {}
    for path in paths:
        found = films_in(path.absolute()) if path.exists() else []
        if not found:
            problem = f"{path} holds no film with a ledger" if path.exists() else f"no such file or folder: {path}"
            raise UnusableError(f"{problem}; name a film, a GIF or a folder of them")
        films.update(dict.fromkeys(found))
    with (
        tempfile.TemporaryDirectory() as scratch,
        manim_configured(load_settings().render.quality, Path(scratch)),
    ):
        records = [load_record(film) for film in films]
        return [verify_film(record, frames=random_frames(record, frames, seed)) for record in records]


def _tell(verdicts: list[Verdict]) -> None:
    widest = max(len(v.film) for v in verdicts)
    out.print(f"{'film':<{widest}}    rows  resolved  in pictures  read back  wrong  not read")
    for v in verdicts:
        reasons = ", ".join(f"{count} {reason}" for reason, count in v.unread.most_common())
        counts = f"{v.rows:>6}  {v.resolved:>8}  {v.boxes:>11}  {v.read.total():>9}  {v.wrong:>5}"
        out.print(f"{v.film:<{widest}}  {counts}  {v.unread.total()}{f': {reasons}' if reasons else ''}")
    for name, digits in (("digits", True), ("pictures of numbers", False)):
        read, whole = (sum(n for v in verdicts for kind, n in getattr(v, counted).items() if (kind in DIGITS) == digits)
                       for counted in ("read", "placed"))  # fmt: skip
        if whole:
            out.print(f"{name}: {read} of {whole} read back, {read / whole:.2%}")


def _tell_frames(verdicts: list[Verdict], seed: int) -> None:
    """What was read in frames at random."""
    found = [v.paused for v in verdicts if v.paused is not None]
    reasons: Counter[str] = sum((paused.unread for paused in found), Counter())
    left = f": {', '.join(f'{count} {reason}' for reason, count in reasons.most_common())}" if reasons else ""
    out.print(
        f"{sum(len(paused.frames) for paused in found)} frames at random (--seed {seed}): "
        f"{sum(paused.read.total() for paused in found)} read back, {sum(paused.wrong for paused in found)} wrong, "
        f"{sum(paused.moving for paused in found)} moving, {reasons.total()} not read{left}"
    )


if __name__ == "__main__":
    main()
