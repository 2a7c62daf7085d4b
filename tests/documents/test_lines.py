"""The line of each key, against TOML written by another library and by hand."""

import string
import tomllib
from functools import partial

import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from documents.lines import TomlLines
from documents.typed_toml import format_document

KEYS = st.text(min_size=1, max_size=6) | st.text(string.ascii_lowercase, min_size=1, max_size=4)
SCALARS = (
    st.integers(-(2**60), 2**60)
    | st.booleans()
    | st.floats(allow_nan=False)
    | st.text(max_size=12)
    | st.sampled_from(['"""', "'''", "a # b", "= [ { ,", "\\", 'x"', "\n\n", "]"])
    | st.datetimes()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(KEYS, VALUES, max_size=5)
MULTILINE = partial(tomli_w.dumps, multiline_strings=True)


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield path, value


@settings(max_examples=50)
@given(DOCUMENTS, st.sampled_from([tomli_w.dumps, MULTILINE, format_document]))
def test_every_scalar_stands_on_the_line_that_is_told(document, write):
    text = write(document).replace("\r\n", "\n")
    assert write is not format_document or tomllib.loads(text) == document
    lines = TomlLines(text)
    for path, value in leaves(tomllib.loads(text)):
        line = lines.line_of(path)
        assert line is not None
        shown = text.split("\n")[line - 1]
        keys = [step for step in path if isinstance(step, str)]
        if isinstance(path[-1], str):
            assert tomli_w.dumps({keys[-1]: 0}).removesuffix(" = 0\n").strip('"') in shown
        elif isinstance(value, bool | int):
            assert tomli_w.dumps({"x": value})[4:-1] in shown


HAND_WRITTEN = """\
# a comment = 1
title = "x # no comment" # one
dotted.key."quoted.part" = 1

[table]
text = \"\"\"
[not.a.header]
key = 1
ends with two quotes\"\"\"\"\"
after = 'literal \\'
numbers = [ 1, # first
  2,
  [3,
   4], [
    5 ] ]

[[row]]
name = "a"
[row.inner]
deep = true

[[row]]
inline = { a = 1, b = [ { c = 2 } ] }
[row.inner]
deep = false
[[row.part]]
n = 1
[[row.part]]
  n = 2
"""


def test_every_kind_of_place():
    tomllib.loads(HAND_WRITTEN)
    lines = TomlLines(HAND_WRITTEN)
    for path, line in {
        ("title",): 2,
        ("dotted",): 3,
        ("dotted", "key", "quoted.part"): 3,
        ("table",): 5,
        ("table", "text"): 6,
        ("table", "after"): 10,
        ("table", "numbers", 0): 11,
        ("table", "numbers", 1): 12,
        ("table", "numbers", 2, 0): 13,
        ("table", "numbers", 2, 1): 14,
        ("table", "numbers", 3): 14,
        ("table", "numbers", 3, 0): 15,
        ("row", 0): 17,
        ("row", 0, "name"): 18,
        ("row", 0, "inner", "deep"): 20,
        ("row", 1): 22,
        ("row", 1, "inline", "b", 0, "c"): 23,
        ("row", 1, "inner", "deep"): 25,
        ("row", 1, "part", 0, "n"): 27,
        ("row", 1, "part", 1, "n"): 29,
        ("row", 1, "part", 1, "missing"): 28,
    }.items():
        assert lines.line_of(path) == line, path
    for text, path in (("a = 1\n", ("b",)), ("", ("b",)), ("a = 1", ())):  # nowhere
        assert TomlLines(text).line_of(path) is None
