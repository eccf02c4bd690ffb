"""Every beat of every lesson, without pixels: legible, inside the frame, and every number traceable."""

from pathlib import Path

import pytest

from mathcore.example import WorkedExample
from mathcore.named import resolve
from scenes.kit.audit import findings
from scenes.kit.lesson import Lesson
from scenes.settings import LESSONS, Quality, Settings, load_settings
from scripts.studio.stage import manim_configured, play_lesson

SMALL = Quality("draft", 854, 480, 15)
SENTENCES = {
    "en": {
        2: "Hello internationalization",
        8: "The tired cat sat on the warm mat",
        12: "Extraordinarily conscientious investigators nevertheless underestimated "
        "the thoroughness of well documented misunderstandings",
    },
    "zh": {
        2: "狗 叫",
        8: "疲惫 的 猫 坐 在 温暖 的 垫子",
        12: "小心翼翼 的 侦探 把 整本 厚厚 的 卷宗 从头到尾 仔细 读完 了",
    },
}


def run(name: str, settings: Settings, language: str, scratch: Path) -> tuple[Lesson, list[str]]:
    faults: list[str] = []
    with manim_configured(SMALL, scratch):
        lesson = play_lesson(name, settings, language, watchers=(lambda played: faults.extend(findings(played)),))
    return lesson, faults


def changed(settings: Settings, **example: object) -> Settings:
    return settings.model_copy(update={"example": settings.example.model_copy(update=example)})


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("size", [2, 8, 12])
@pytest.mark.parametrize("name", list(LESSONS))
def test_every_beat_is_legible_and_every_number_is_real(name: str, size: int, language: str, tmp_path: Path) -> None:
    settings = load_settings().with_overrides(language=language, sentence=SENTENCES[language][size])
    assert len(settings.words(language)) == size
    lesson, faults = run(name, settings, language, tmp_path)
    assert faults == []
    assert [span.beat for span in lesson.spans] == list(lesson.beats)
    fresh = WorkedExample(
        settings.words(language),
        d_model=settings.example.d_model,
        n_heads=settings.example.n_heads,
        seed=settings.example.seed,
    )
    assert len(lesson.ledger) > 10
    for row in lesson.ledger:
        entry = resolve(fresh, row.path).entry(*row.index)
        assert entry.value == row.value, row
        places = len(row.text.partition(".")[2])
        assert row.text in (
            "",
            entry.text(places),
            entry.text(places, signed=True),
            entry.text(places, grouped=True),
        ), row


@pytest.mark.parametrize("shape", [(8, 1), (8, 2), (6, 3), (4, 4), (4, 2)])
@pytest.mark.parametrize("name", list(LESSONS))
def test_other_sizes_of_the_example_fit(name: str, shape: tuple[int, int], tmp_path: Path) -> None:
    settings = changed(load_settings(), d_model=shape[0], n_heads=shape[1])
    _, faults = run(name, settings, "en", tmp_path)
    assert faults == []
