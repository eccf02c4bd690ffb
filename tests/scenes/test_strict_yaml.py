"""What the strict reader accepts, and the one line that it says of everything else."""

import subprocess
import sys
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
    document = parse('a: 1\nb:\n  c: 2.50 # note\n  d: "no"\ne: [true, text, 1e-6]\n', "film.yaml")
    assert document.root == {"a": 1, "b": {"c": 2.5, "d": "no"}, "e": [True, "text", 1e-6]}
    items = document.root["e"]
    assert isinstance(items, list)
    assert [type(item) for item in items] == [bool, str, float]
    assert document.lines[("b", "d")] == 4
    assert document.written == {("a",): "1", ("b", "c"): "2.50", ("e", 0): "true", ("e", 1): "text", ("e", 2): "1e-6"}
    assert str(document.problem(("b", "x"), "expected 1, found 2")) == "film.yaml:2: b.x: expected 1, found 2"


@pytest.mark.parametrize(
    ("text", "line", "key", "what", "advice"),
    [
        pytest.param(
            "r:\n  fps: 30\n  fps: 30\n", 3, "r.fps", "duplicate key", "already set in line 2", id="key twice"
        ),
        pytest.param(
            "a: 1\ntitle: Attention: intro\n",
            2,
            "title",
            "cannot parse title: Attention: intro",
            'put the value in quotes: title: "Attention: intro"',
            id="colon in text",
        ),
        pytest.param(
            "r:\n  a: 1\n  fps：30\n",
            3,
            "r.fps",
            "cannot parse fps：30",
            "a plain colon and a space: fps: 30",
            id="full-width colon",
        ),
        pytest.param(
            "fps：30", 1, "", 'expected keys, found "fps：30"', "a space: fps: 30", id="full-width colon alone"
        ),
        pytest.param(
            "a: 1\nfps:30\nb: 2\n", 2, "fps", "cannot parse fps:30", "a space: fps: 30", id="no space after colon"
        ),
        pytest.param(
            "a: b #c\n", 1, "a", "# after unquoted text", 'put the text in quotes: "b #c"', id="cut by a comment"
        ),
        pytest.param("- x\n- a # b\n", 2, "item 2", "# after", 'quotes: "a # b"', id="item cut by a comment"),
        pytest.param("r:\n\tfps: 30\n", 2, "r.fps", "tabs are not allowed", "use spaces", id="tab as indentation"),
        pytest.param("fps:\t30\n", 1, "fps", "tabs are not allowed", "use spaces", id="tab before a value"),
        pytest.param("t: [CLS] token\nb: 1\n", 1, "t", "t: [CLS] token", '"[CLS] token"', id="[CLS] token"),
        pytest.param("t: {w} is\n", 1, "t", "t: {w} is", 'in quotes: t: "{w} is"', id="slot first"),
        pytest.param("q: *Q\n", 1, "q", "*Q is a reference", 'in quotes: "*Q"', id="*Q"),
        pytest.param("q: * Q\n", 1, "q", "q: * Q", 'in quotes: q: "* Q"', id="* Q"),
        pytest.param("q: &Q 1\n", 1, "q", "&Q is a reference", 'in quotes: "&Q"', id="anchor"),
        pytest.param("q: !!int 1\n", 1, "q", "!!int is a tag", 'in quotes: "!!int"', id="tag"),
        pytest.param("q: @x\n", 1, "q", "q: @x", 'in quotes: q: "@x"', id="reserved sign"),
        pytest.param("<<: {a: 1}\n", 1, "", '"<<" cannot be a key', "write a plain name", id="merge key"),
        pytest.param(
            "\ufefffps: 30\n",
            1,
            "fps",
            "the file starts with a byte order mark (BOM)",
            "as UTF-8 without BOM",
            id="BOM",
        ),
        pytest.param("", 1, "", "the file is empty", "write lines such as language: en", id="empty file"),
        pytest.param("# a\n\n", 1, "", "the file is empty", "write lines such as language: en", id="only comments"),
        pytest.param(
            "\n- a\n- b\n",
            2,
            "",
            "expected keys, found a list",
            "write lines such as language: en",
            id="list at top level",
        ),
        pytest.param("en\n", 1, "", 'expected keys, found "en"', "write lines such as", id="text at top level"),
        pytest.param("a: 1\n---\nb: 2\n", 2, "", "a second document starts here", "delete ---", id="two documents"),
        pytest.param(
            "%YAML 1.1\n---\na: 1\n",
            1,
            "",
            "directives (lines that start with %) are not supported",
            "delete the line",
            id="directive",
        ),
        pytest.param("a: \x07\n", 1, "a", "the character U+0007 cannot be seen", "delete it", id="control character"),
        pytest.param(
            "a: 1\nb: x\u2028\n", 2, "b", "the character U+2028 cannot be seen", "delete it", id="line separator"
        ),
        pytest.param("a: \ud800\n", 1, "a", "the character U+D800 cannot be seen", "delete it", id="surrogate"),
        pytest.param(
            'a: "\\u0007"\n', 1, "a", "the character U+0007 cannot be seen", "visible text", id="escaped control"
        ),
        pytest.param(
            'a: "\\U00110000"\n',
            1,
            "",
            '"\\U..." stands for no character',
            "write the character itself",
            id="escape beyond Unicode",
        ),
        pytest.param('a: 1\nb: "x\n', 2, "b", 'b: "x', "add the quote at the end", id="open quote"),
        pytest.param('a: "\\s"\n', 1, "a", 'a: "\\s"', "write \\\\ for each \\", id="unknown escape"),
        pytest.param("a: [b,\nc: 1\n", 1, "a", "a: [b,", "in quotes", id="open list"),
        pytest.param(
            "a: 1\n  b: 2\n", 1, "a", 'unquoted text over several lines: "1 b"', "on one line", id="indented too far"
        ),
        pytest.param("a:\n    b: 1\n  c: 2\n", 3, "a.c", "c: 2", "indented like the keys beside", id="uneven indent"),
        pytest.param("? [a]\n: 1\n", 1, "", "a key has no name", "write a plain name", id="list as key"),
        pytest.param(
            "a:\n  b: " + "[" * 30, 2, "a.b, item 1", f"nested over {MAX_DEPTH} levels deep", "use fewer", id="too deep"
        ),
        pytest.param("a: " + "x" * MAX_BYTES, 1, "", "the file is larger than 256 kB", "shorten it", id="too long"),
    ],
)
def test_each_trouble_is_one_line_that_says_what_to_write(
    text: str, line: int, key: str, what: str, advice: str
) -> None:
    said = refused(text)
    place = f"film.yaml:{line}: {key}: " if key else f"film.yaml:{line}: "
    assert said.startswith(place) and what in said
    assert advice in said.partition(what)[2].partition("; ")[2]


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("no", "reads it as false"),
        ("Off", "reads it as false"),
        ("yes", "reads it as true"),
        ("on", "reads it as true"),
        ("12:30", "as a number in base 60"),
        ("16:9", "as a number in base 60"),
        (".nan", "not a finite number"),
        ("-.INF", "not a finite number"),
        ("1e999", "out of range"),
        ("9" * 5000, "out of range"),
        ("0x1F", "as a number in another base"),
        ("0o17", "as a number in another base"),
        ("010", "read it differently"),
        ("1_000", "read it differently"),
        ("2024-05-01", "reads it as a date"),
        ("~", "as no value"),
        ("null", "as no value"),
    ],
)
def test_values_that_yaml_changes_silently_are_unclear(written: str, why: str) -> None:
    plain, in_quotes = parse(f"a: {written}\nb: '{written}'\n", "film.yaml").root.values()
    assert isinstance(plain, Unclear) and plain.text == written and why in str(plain)
    assert in_quotes == written


def test_a_comment_in_the_place_of_a_value_is_explained() -> None:
    value = parse("color: #FFAA00\n", "film.yaml").root["color"]
    assert str(value) == 'nothing (# starts a comment; text that starts with # needs quotes: "#FFAA00")'
    assert str(parse("color:\n", "film.yaml").root["color"]) == "nothing"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a: 1\nb: \xb0C\n", "film.yaml:2: the byte 0xB0 is not UTF-8; save the file as UTF-8"),
        ("a: 1\n".encode("utf-16"), "film.yaml:1: the byte 0xFF is not UTF-8; save the file as UTF-8"),
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
    with pytest.raises(
        YamlProblem, match=r"^[^\n]*: (no such file: |cannot read the file )[^\n]*; check the path[^\n]*$"
    ):
        read_yaml(tmp_path / name)


def test_python_tags_run_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    text = f"a: !!python/object/apply:os.system ['touch {mark}']\n"
    assert "!!python/object/apply:os.system is a tag" in refused(text)
    assert not mark.exists()


def test_billion_laughs_is_refused_at_its_first_anchor() -> None:
    lines = ["a: &a [x, x]"] + [f"{b}: &{b} [*{a}, *{a}]" for a, b in zip("abcdefg", "bcdefgh", strict=True)]
    assert refused("\n".join(lines)).startswith("film.yaml:1: a: &a is a reference")


@pytest.mark.parametrize("part", ["[", "{a: ", "- ", "? ", ": ", "1_", "'", "\n", "#", "a:\n", "k: {", "&a ", '"\\'])
def test_hostile_repetition_is_answered(part: str) -> None:
    text = "a: 1\n" + part * (100_000 // len(part))
    try:
        parse(text, "film.yaml")
    except YamlProblem as problem:
        assert str(problem).isprintable()


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
