"""The planted bugs of `make mutate` can be planted, wherever their functions lie by now."""

from __future__ import annotations

import ast
from collections import defaultdict

import pytest
from mutate.planting import HARMS, Bug, bugs, edited, noting, places, product, reaching

SOURCES = product()
BUGS = bugs()
SMALL = Bug("small", "laws", "Law.scale", "return max(self.low, self.high)", "return self.low", "loss", "2 for 1")
LAW = "class Law:\n    def scale(self):\n        '''Say.'''\n        return max(self.low, self.high)\n"


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_bug_has_one_place_and_a_measured_harm(bug: Bug) -> None:
    """It changes a program that can be read before and after."""
    (place,) = places(bug, SOURCES)
    text = SOURCES[place.path]
    assert ast.dump(ast.parse(edited(bug, place, text))) != ast.dump(ast.parse(text))
    assert bug.harm in HARMS and len(bug.measured) > 10 and bug.kind


def test_there_are_many_kinds_of_bugs() -> None:
    """No two have one name; forty are of ten kinds or more."""
    names, kinds = [bug.name for bug in BUGS], {bug.kind for bug in BUGS}
    assert BUGS and len(set(names)) == len(names)
    assert len(kinds) >= 10 or len(BUGS) < 40


def test_every_bug_is_noted_before_its_lines() -> None:
    """Sources that note are sources; of a bug in a function they note in that function."""
    lines = defaultdict(list)
    for bug in BUGS:
        (place,) = places(bug, SOURCES)
        noted = reaching(place, SOURCES)
        assert noted and (not isinstance(place.scope, ast.FunctionDef) or {path for path, _ in noted} == {place.path})
        for path, line in noted:
            lines[path].append((line, bug.key))
    for path, here in lines.items():
        assert noting(SOURCES[path], here).count("reached.note(") == len(here)
        compile(noting(SOURCES[path], here), path, "exec")


def test_a_bug_is_found_where_its_function_has_moved_and_was_formatted_anew() -> None:
    """In another file, over several lines, with a comma more; not in another function, and twice where it is twice."""
    again = LAW.replace("max(self.low, self.high)", "max(\n            self.low,\n            self.high,\n        )")
    for text in (LAW, again):
        (place,) = places(SMALL, {"a.py": "", "b/c.py": text})
        assert place.path == "b/c.py" and edited(SMALL, place, text).endswith("'''Say.'''\n        return self.low\n")
        assert reaching(place, {"b/c.py": text}) == {("b/c.py", 4)}
    assert not places(SMALL, {"a.py": LAW.replace("scale", "other")})
    assert len(places(SMALL, {"a.py": LAW, "b.py": LAW})) == 2


def test_a_value_of_a_module_is_reached_where_it_is_named() -> None:
    """In the functions of any file; a text inside a function is none of a module."""
    most = Bug("most", "reading", "", "MOST = 4", "MOST = 8", "loss", "8 rows for 4")
    sources = {"a.py": "MOST = 4\n", "b.py": "import a\n\n\ndef f(x):\n    return x[: a.MOST]\n"}
    (place,) = places(most, sources)
    assert reaching(place, sources) == {("b.py", 5)} and edited(most, place, sources["a.py"]) == "MOST = 8\n"
    assert reaching(place, {"a.py": sources["a.py"]}) == {("a.py", 1)}
    assert not places(most, {"a.py": "def f():\n    MOST = 4\n"})
