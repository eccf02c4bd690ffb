"""Article media as tasks, a lesson each, for the workers."""

from collections.abc import Mapping
from dataclasses import dataclass

from scenes.settings import Settings
from scripts.studio import article
from scripts.studio.render import Progress
from scripts.studio.workers import Task


@dataclass(frozen=True)
class Exported:
    """What a lesson's export has made, and what it refused."""

    media: tuple[article.Media, ...]
    refused: str = ""


def export(
    lesson: str, requests: list[article.Request], settings: Settings, language: str, progress: Progress
) -> Exported:
    """Make a lesson's media; what is over its budget does not stop the rest."""
    made: list[article.Media] = []
    try:
        for media in article.export(lesson, requests, settings, language, progress):
            made.append(media)
    except article.ArticleError as problem:
        return Exported(tuple(made), str(problem))
    return Exported(tuple(made))


def export_tasks(waiting: Mapping[str, list[article.Request]], settings: Settings, language: str) -> list[Task]:
    """A task a lesson; whole lessons are more work than single beats."""
    folder = article.article_folder(settings, language)
    return [
        Task(
            lesson, float(sum(1 if request.beat else 6 for request in requests)), export,
            (lesson, requests, settings, language), folder / f"{lesson}.log",
        )
        for lesson, requests in waiting.items()
    ]  # fmt: skip
