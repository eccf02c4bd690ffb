"""What the strict reader accepts, and the one line that it says of everything else."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.strict_yaml import MAX_BYTES, MAX_DEPTH, Document, Unclear, YamlProblem, parse, read_yaml

YAML_SIGNS = st.text(alphabet="ab1:：-?*&!%@`#|>'\"[]{}<,. \n\t\\~e=+_\u3000\ufeffU0x", max_size=80)


def refused(text: str) -> str:
    with pytest.raises(YamlProblem) as caught:
        parse(text, "film.yaml", "language: en")
    said = str(caught.value)
    assert said.isprintable(), "one line"
    return said


def test_values_have_one_type_and_a_line() -> None:
    document = parse('a: 1\nb:\n  c: 2.5 # note\n  d: "no"\ne: [true, text, 1e-6]\n', "film.yaml")
    assert document.root == {"a": 1, "b": {"c": 2.5, "d": "no"}, "e": [True, "text", 1e-6]}
    items = document.root["e"]
    assert isinstance(items, list)
    assert [type(item) for item in items] == [bool, str, float]
    assert document.lines[("b", "d")] == 4
    assert str(document.problem(("b", "x"), "read 1; write 2")) == "film.yaml:2: b.x: read 1; write 2"


@pytest.mark.parametrize(
    ("text", "line", "key", "read", "advice"),
    [
        pytest.param(
            "r:\n  fps: 30\n  fps: 30\n", 3, "r.fps", "fps again, after line 2", "write it once", id="key twice"
        ),
        pytest.param(
            "a: 1\ntitle: Attention: intro\n",
            2,
            "title",
            "title: Attention: intro",
            'write the value in quotes: title: "Attention: intro"',
            id="colon in text",
        ),
        pytest.param("r:\n  a: 1\n  fps：30\n", 3, "r.fps", "fps：30", "write fps: 30", id="full-width colon"),
        pytest.param("fps：30", 1, "", '"fps：30"', "write fps: 30 (a plain colon", id="full-width colon alone"),
        pytest.param("a: 1\nfps:30\nb: 2\n", 2, "fps", "fps:30", "write fps: 30", id="no space after colon"),
        pytest.param("r:\n\tfps: 30\n", 2, "r.fps", "a tab", "write spaces", id="tab as indentation"),
        pytest.param("fps:\t30\n", 1, "fps", "a tab", "write spaces", id="tab before a value"),
        pytest.param("t: [CLS] token\nb: 1\n", 1, "t", "t: [CLS] token", '"[CLS] token"', id="[CLS] token"),
        pytest.param("t: {w} is\n", 1, "t", "t: {w} is", 'in quotes: t: "{w} is"', id="slot first"),
        pytest.param("q: *Q\n", 1, "q", "*Q as a reference", 'in quotes: "*Q"', id="*Q"),
        pytest.param("q: * Q\n", 1, "q", "q: * Q", 'in quotes: q: "* Q"', id="* Q"),
        pytest.param("q: &Q 1\n", 1, "q", "&Q as a reference", 'in quotes: "&Q"', id="anchor"),
        pytest.param("q: !!int 1\n", 1, "q", "!!int as a tag", 'in quotes: "!!int"', id="tag"),
        pytest.param("q: @x\n", 1, "q", "q: @x", 'in quotes: q: "@x"', id="reserved sign"),
        pytest.param("<<: {a: 1}\n", 1, "", '"<<" as a key', "write a plain name", id="merge key"),
        pytest.param("\ufefffps: 30\n", 1, "fps", "a byte order mark (BOM)", "as UTF-8 without BOM", id="BOM"),
        pytest.param("", 1, "", "an empty file", "write lines such as language: en", id="empty file"),
        pytest.param("# a\n\n", 1, "", "an empty file", "write lines such as language: en", id="only comments"),
        pytest.param("\n- a\n- b\n", 2, "", "a list", "write lines such as language: en", id="list at top level"),
        pytest.param("en\n", 1, "", '"en" instead of keys', "write lines such as", id="text at top level"),
        pytest.param("a: 1\n---\nb: 2\n", 2, "", "a second document", "delete ---", id="two documents"),
        pytest.param("%YAML 1.1\n---\na: 1\n", 1, "", "a directive", "delete the line", id="directive"),
        pytest.param("a: \x07\n", 1, "a", "the character U+0007", "delete it", id="control character"),
        pytest.param("a: 1\nb: x\u2028\n", 2, "b", "the character U+2028", "delete it", id="line separator"),
        pytest.param("a: \ud800\n", 1, "a", "the character U+D800", "delete it", id="surrogate"),
        pytest.param('a: "\\u0007"\n', 1, "a", "the character U+0007", "visible text", id="escaped control"),
        pytest.param('a: "\\U00110000"\n', 1, "", '"\\U..."', "write the character itself", id="escape beyond Unicode"),
        pytest.param('a: 1\nb: "x\n', 2, "b", 'b: "x', "write a quote at the end", id="open quote"),
        pytest.param('a: "\\s"\n', 1, "a", 'a: "\\s"', "write \\\\ for each \\", id="unknown escape"),
        pytest.param("a: [b,\nc: 1\n", 1, "a", "a: [b,", "in quotes", id="open list"),
        pytest.param("a: 1\n  b: 2\n", 1, "a", '"1 b" over several lines', "on one line", id="indented too far"),
        pytest.param("a:\n    b: 1\n  c: 2\n", 3, "a.c", "c: 2", "indented like the keys beside", id="uneven indent"),
        pytest.param("? [a]\n: 1\n", 1, "", "no name as a key", "write a plain name", id="list as key"),
        pytest.param(
            "a:\n  b: " + "[" * 30, 2, "a.b, item 1", f"over {MAX_DEPTH} levels", "write fewer", id="too deep"
        ),
        pytest.param("a: " + "x" * MAX_BYTES, 1, "", "more than 256 kB", "write a shorter file", id="too long"),
    ],
)
def test_each_trouble_is_one_line_that_says_what_to_write(
    text: str, line: int, key: str, read: str, advice: str
) -> None:
    said = refused(text)
    assert said.startswith(f"film.yaml:{line}: {key}: read " if key else f"film.yaml:{line}: read ")
    assert read in said
    assert "; " in said and advice in said


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("no", "takes for false"),
        ("Off", "takes for false"),
        ("yes", "takes for true"),
        ("on", "takes for true"),
        ("12:30", "takes for base 60"),
        ("16:9", "takes for base 60"),
        (".nan", "not a finite number"),
        ("-.INF", "not a finite number"),
        ("1e999", "out of range"),
        ("9" * 5000, "out of range"),
        ("0x1F", "takes for a number"),
        ("0o17", "takes for a number"),
        ("010", "read differently"),
        ("1_000", "read differently"),
        ("2024-05-01", "takes for a date"),
        ("~", "nothing at all"),
        ("null", "nothing at all"),
    ],
)
def test_values_that_yaml_changes_silently_are_unclear(written: str, why: str) -> None:
    plain, in_quotes = parse(f"a: {written}\nb: '{written}'\n", "film.yaml").root.values()
    assert isinstance(plain, Unclear) and plain.text == written and why in str(plain)
    assert in_quotes == written


def test_a_comment_in_the_place_of_a_value_is_explained() -> None:
    value = parse("color: #FFAA00\n", "film.yaml").root["color"]
    assert str(value) == 'nothing (# starts a comment; "#FFAA00" in quotes would be text)'
    assert str(parse("color:\n", "film.yaml").root["color"]) == "nothing"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a: 1\nb: \xb0C\n", "film.yaml:2: read the byte 0xB0, which is not UTF-8; save the file as UTF-8"),
        ("a: 1\n".encode("utf-16"), "film.yaml:1: read the byte 0xFF, which is not UTF-8; save the file as UTF-8"),
    ],
    ids=["latin-1", "utf-16"],
)
def test_other_encodings_are_named(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "film.yaml"
    path.write_bytes(data)
    with pytest.raises(YamlProblem) as caught:
        read_yaml(path)
    assert str(caught.value) == said


def test_files_are_read_as_utf8_with_any_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "it's 文件.yaml"
    path.write_bytes("a: 猫\r\nb: 2\rc: 3\n".encode())
    document = read_yaml(path)
    assert document.root == {"a": "猫", "b": 2, "c": 3}
    assert document.lines[("c",)] == 3


@pytest.mark.parametrize("name", ["", "missing.yaml", "a\0b", "\udc80.yaml", "x" * 300])
def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(YamlProblem, match=r"^[^\n]*: read no[^\n]*; (write|make)[^\n]*$"):
        read_yaml(tmp_path / name)


def test_python_tags_run_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    text = f"a: !!python/object/apply:os.system ['touch {mark}']\n"
    assert "!!python/object/apply:os.system as a tag" in refused(text)
    assert not mark.exists()


def test_billion_laughs_is_refused_at_its_first_anchor() -> None:
    lines = ["a: &a [x, x]"] + [f"{b}: &{b} [*{a}, *{a}]" for a, b in zip("abcdefg", "bcdefgh", strict=True)]
    assert refused("\n".join(lines)).startswith("film.yaml:1: a: read &a")


@pytest.mark.parametrize("part", ["[", "{a: ", "- ", "? ", ": ", "1_", "'", "\n", "#", "a:\n", "k: {", "&a ", '"\\'])
def test_hostile_repetition_is_answered_soon(part: str) -> None:
    text = "a: 1\n" + part * (100_000 // len(part))
    start = time.monotonic()
    try:
        parse(text, "film.yaml")
    except YamlProblem as problem:
        assert str(problem).isprintable()
    assert time.monotonic() - start < 20


@settings(deadline=None)
@given(st.one_of(st.text(), YAML_SIGNS, YAML_SIGNS.map(lambda tail: "a: " + tail)))
def test_any_text_is_a_document_or_one_problem(text: str) -> None:
    try:
        assert isinstance(parse(text, "film.yaml"), Document)
    except YamlProblem as problem:
        assert str(problem).isprintable() and str(problem).startswith("film.yaml:") and "; " in str(problem)


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_a_document_or_one_problem(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "film.yaml"
    path.write_bytes(data)
    try:
        assert isinstance(read_yaml(path), Document)
    except YamlProblem as problem:
        assert str(problem).isprintable()


@pytest.mark.parametrize("module", ["scenes.strict_yaml", "scenes.settings", "scenes.words"])
def test_reading_needs_no_manim(module: str) -> None:
    root = Path(__file__).resolve().parents[2]
    code = f"import sys, {module}; sys.exit('manim' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
