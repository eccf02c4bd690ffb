"""docs/cases.md names, for each trouble that people meet, tests that exist; and the rules that hold for all files."""

import ast
import re
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROWS = [line for line in (ROOT / "docs" / "cases.md").read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
CASES = [row for row in ROWS if not row.startswith("| Case ")]
# What opens a file as text unless told otherwise.
_OPENERS = {"open", "read_text", "write_text", "fdopen", "TextIOWrapper", "NamedTemporaryFile"}


def functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("row", CASES, ids=[row.split(" | ")[0].strip("| ")[:50] for row in CASES])
def test_every_case_has_tests_that_exist(row: str) -> None:
    case, here, tests = row.strip("| ").split(" | ")
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", tests)
    assert case and here and named and len(named) == tests.count("`") / 2
    for file, name in named:
        assert name in functions(ROOT / file), f"{file}::{name}"


def unnamed_encodings(source: str) -> list[str]:
    """Calls that open text in the machine's own encoding."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        owner = (
            node.func.value.id if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) else ""
        )
        if isinstance(node.func, ast.Name) and called == "write_text":
            # Our own, which names it.
            continue
        # Films, pictures and archives are no text.
        if called not in _OPENERS or owner in ("av", "Image", "os", "zipfile", "wave"):
            continue
        modes = [a.value for a in (*node.args, *(k.value for k in node.keywords)) if isinstance(a, ast.Constant)]
        binary = any(isinstance(mode, str) and re.fullmatch("[rwax+]*b[rwax+]*", mode) for mode in modes)
        binary = binary and not called.endswith("_text")
        if not binary and not any(keyword.arg == "encoding" for keyword in node.keywords):
            found.append(f"{node.lineno}: {called}")
    return found


def test_every_text_file_is_opened_as_utf8() -> None:
    sources = [path for folder in ("mathcore", "scenes", "scripts") for path in (ROOT / folder).rglob("*.py")]
    assert len(sources) > 80
    assert {
        path.name: found for path in sources if (found := unnamed_encodings(path.read_text(encoding="utf-8")))
    } == {}
    careless = 'open("a")\nopen("a", "rb")\npath.write_text("b")\npath.open(encoding="utf-8")\nav.open("c")\n'
    assert unnamed_encodings(careless) == ["1: open", "3: write_text"]


def test_pillow_is_one_that_manim_can_use() -> None:
    assert int(version("pillow").partition(".")[0]) < 13
    assert '"pillow<13"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
