"""Options that the commands share, and the settings that they make."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from scenes.lessons import LESSONS
from scenes.settings import LANGUAGES, Settings, SettingsError, load_settings
from scripts.studio.cluster import PATIENCE
from scripts.studio.console import MISUSED, errors

Command = TypeVar("Command", bound=Callable[..., Any])


def quality_option(command: Command) -> Command:
    """--quality, for films; GIFs have a size and rate of their own."""
    text = "480p15, 720p30, 1080p30, 1080p60, 2160p30 (the shorter side and the rate), or 1280x720@30."
    return click.option("--quality", metavar="NAME", help=text)(command)


def jobs_option(command: Command) -> Command:
    """--jobs, how many lessons are worked on at a time."""
    text = "Lessons worked on at a time; default: the number of processors."
    return click.option("--jobs", type=click.IntRange(min=1), metavar="N", help=text)(command)


def scheduler_option(command: Command) -> Command:
    """--scheduler, the Dask cluster that does the work, and --patience."""
    text = "Render on the Dask cluster of this scheduler, such as tcp://host:8786 (needs make cluster)."
    seconds = f"How long --scheduler may be without workers; default: {PATIENCE:g}."
    patience = click.option(
        "--patience", type=click.FloatRange(min=1), default=PATIENCE, metavar="SECONDS", help=seconds
    )
    return click.option("--scheduler", metavar="ADDRESS", help=text)(patience(command))


def manner_options(command: Command) -> Command:
    """--variable-frame-rate and --stock."""
    for option in (
        click.option("--stock", is_flag=True, help="Draw with manim's own camera: the same pixels, slower."),
        click.option("--variable-frame-rate", is_flag=True, help="Write a held picture as one long frame (drafts)."),
    ):
        command = option(command)
    return command


def voice_option(command: Command) -> Command:
    """--voice, the speech engine."""
    text = "Speech engine: silent, hibari, kokoro or command; default: narration.engine of media_config.yaml."
    return click.option("--voice", metavar="NAME", help=text)(command)


def burn_option(command: Command) -> Command:
    """--burn-captions, as captions: drawn."""
    return click.option("--burn-captions", is_flag=True, help="Draw captions into the picture.")(command)


def film_options(command: Command) -> Command:
    """--language, --format, --theme, --sentence, --out, --lessons, --config."""
    for option in reversed(
        [
            click.option("--language", metavar="en|zh", help="The film's language; default: media_config.yaml."),
            click.option("--format", metavar="landscape|phone", help="The frame: 16:9, or 4:5 for a phone."),
            click.option("--theme", metavar="dark|light", help="The colours."),
            click.option("--sentence", metavar="TEXT", help="The example sentence, 2 to 12 words, in that language."),
            click.option("--out", metavar="DIR", help="The output folder."),
            click.option("--lessons", metavar="A,B", help="The lessons of the film, in order."),
            click.option(
                "--config", metavar="FILE", type=click.Path(path_type=Path), help="Another media_config.yaml."
            ),
        ]
    ):
        command = option(command)
    return command


def settings_from(config: Path | None, **overrides: Any) -> Settings:
    """Read the configuration and lay the command line over it; a mistake is reported in a line and ends the process."""
    try:
        out = overrides.pop("out", None)
        # A folder on the command line is meant from where the user stands.
        here = None if out is None else str(Path(out).absolute())
        return load_settings(config).with_overrides(out=here, **overrides)
    except SettingsError as mistake:
        errors.print(str(mistake))
        sys.exit(MISUSED)


def lesson_help() -> str:
    return f"Lessons: {', '.join(LESSONS)}. Languages: {', '.join(LANGUAGES)}."
