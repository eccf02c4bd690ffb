"""Measure every lesson's pictures: what is too small, faint, covered, crowded, flashing or idle."""

import sys
from collections import Counter
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import click

from scenes.formats import FORMATS
from scenes.lessons import CARDS, LESSONS
from scenes.settings import LANGUAGES, NAMED_QUALITIES
from scripts.studio.console import FAILED, leave, one_line_for_mistakes, out
from scripts.studio.files import work_folder, write_json
from scripts.studio.options import jobs_option, settings_from
from scripts.studio.workers import Task, cores, run_tasks

THEMES, WORDS = ("dark", "light"), (2, 8, 12)
EPILOG = """\b
Examples:
  audit_layout.py                              every lesson and card, language, theme, length of sentence and format
  audit_layout.py --lessons qkv --language zh  some of it
  audit_layout.py --format phone               every lesson that has a layout for a phone
  audit_layout.py --limits                     what is measured, and how much of it is too much
"""


def _limits(context: click.Context, option: click.Parameter, asked: bool) -> None:
    if not asked or context.resilient_parsing:
        return
    from scripts.studio.audit import LIMITS

    for kind, limit in LIMITS.items():
        out.print(f"{kind:<17} {limit.value:>5g} {limit.unit:<26} {limit.why}")
    context.exit()


@click.command(epilog=EPILOG)
@click.option("--lessons", metavar="A,B", help="Some lessons; default: all, and the cards.")
@click.option("--language", metavar="en|zh", help="One language; default: both.")
@click.option("--theme", metavar="dark|light", help="One theme; default: both.")
@click.option("--format", "shape", metavar="landscape|phone", help="One format; default: all that a lesson has.")
@click.option("--words", type=click.Choice([str(n) for n in WORDS]), help="Sentences of one length; default: all.")
@click.option("--out", metavar="DIR", help="The output folder; the report goes into audit/ inside it.")
@click.option("--limits", is_flag=True, is_eager=True, expose_value=False, callback=_limits, help="Say the limits.")
@jobs_option
def main(
    lessons: str | None,
    language: str | None,
    theme: str | None,
    shape: str | None,
    words: str | None,
    jobs: int | None,
    **options: Any,
) -> None:
    """Play lessons, measure the pictures on which their beats end and what moves between, and write a report and a
    contact sheet a lesson. Exit code 1 when anything is beyond its limit."""
    from scripts.studio.audit import LIMITS, Audit, audit_lesson
    from scripts.studio.sheets import contact_sheet
    from scripts.studio.stage import lesson_class

    # The format is checked by itself: the configured quality need not suit it.
    settings = settings_from(
        None,
        language=language,
        theme=theme,
        format=shape,
        quality=shape and NAMED_QUALITIES[0],
        lessons=lessons,
        **options,
    )
    variants = [
        variant
        for variant in product(
            settings.lecture.lessons if lessons else (*LESSONS, *CARDS),
            (language,) if language else LANGUAGES,
            (theme,) if theme else THEMES,
            (int(words),) if words else WORDS,
            (shape,) if shape else FORMATS,
        )
        if variant[-1] in lesson_class(variant[0]).formats
    ]
    folder = settings.folder() / "audit"
    with one_line_for_mistakes(OSError), work_folder(folder) as work:
        named = {"-".join(map(str, variant)): variant for variant in variants}
        tasks = [
            Task(name, 1.0, audit_lesson, (*variant, work), folder / f"{name}.log") for name, variant in named.items()
        ]
        outcome = run_tasks(tasks, jobs or cores(), "measuring")
        audits: list[Audit] = [outcome.results[task.name] for task in tasks if task.name in outcome.results]
        for lesson in dict.fromkeys(audit.lesson for audit in audits):
            contact_sheet([a for a in audits if a.lesson == lesson], work, work / f"{lesson}.png")
            (work / f"{lesson}.png").replace(folder / f"{lesson}.png")
        write_json(
            folder / "report.json",
            {"limits": {kind: asdict(limit) for kind, limit in LIMITS.items()}, "audits": [a.told() for a in audits]},
        )
    for audit in audits:
        for finding in audit.findings:
            out.print(f"{audit.name}/{finding.beat}: {finding.kind}: {finding.said}")
    for failure in outcome.failures:
        out.print(str(failure))
    counts = Counter(finding.kind for audit in audits for finding in audit.findings)
    told = ", ".join(f"{kind} {n}" for kind, n in counts.most_common())
    pictures = sum(len(audit.beats) for audit in audits)
    out.print(f"{pictures} pictures measured; {f'beyond a limit: {told}' if told else 'all within their limits'}")
    out.print(f"report: {folder / 'report.json'}")
    if counts or outcome.failures:
        leave(FAILED)


if __name__ == "__main__":
    main()
