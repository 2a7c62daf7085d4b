"""Colours measured by a page's wish on the virtual machine."""

import msgspec
import pytest

from cube.moves import MoveSequence
from cube.state import SOLVED
from documents.typed_toml import load_document
from frontends.control.commands import (
    ChooseProfile,
    CopyProfile,
    DeleteProfile,
    MeasureColours,
    SaveColours,
)
from vision.colours.profile import ColourProfile


def test_colours_are_measured_shown_saved_and_used(workshop) -> None:
    setup = workshop()
    assert setup.pane.profiles == ()
    setup.do(MeasureColours())
    pane = setup.pane
    assert setup.view.attention is None
    colours = pane.colours
    assert (colours.doing, colours.trouble, colours.can_save) == ("", "", True)
    assert len(colours.pairs) == 15
    assert all(pair.passed for pair in colours.pairs)
    assert [shade.colour for shade in colours.shades][:2] == ["white", "red"]
    assert all(shade.srgb.startswith("#") for shade in colours.shades)
    setup.do(SaveColours("town hall"))
    pane = setup.pane
    assert (pane.chosen, pane.colours.can_save) == ("town hall (virtual)", False)
    assert pane.colours.saved == "town hall (virtual)"
    file = setup.folders.config / "profiles" / "town hall (virtual).toml"
    assert load_document(file, ColourProfile).name == "town hall (virtual)"
    assert [each.name for each in pane.profiles] == ["town hall (virtual)"]
    assert pane.colours.measured == "town hall (virtual)"
    msgspec.json.encode(setup.view)


def test_more_looks_are_counted_and_the_cube_is_put_back(workshop) -> None:
    setup = workshop()
    done = []
    setup.hub.watch(lambda: None)
    real = setup.hub.show

    def show(calibrate) -> None:
        colours = calibrate.colours
        done.append((colours.doing, colours.done, colours.total))
        real(calibrate=calibrate)

    setup.hub.show = show
    setup.do(MeasureColours(turns=2))
    assert {("turning", n, 2) for n in range(3)} <= set(done)
    assert setup.pane.colours.can_save


def test_a_cube_that_is_not_solved_is_told(workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    scrambled = SOLVED.apply(MoveSequence.parse("R U"))
    monkeypatch.setattr("thistlebot.session.bench.SOLVED", scrambled)
    setup = workshop()
    setup.do(MeasureColours())
    colours = setup.pane.colours
    assert colours.trouble
    assert not colours.can_save
    assert len(colours.pairs) == 15


def test_only_what_was_measured_is_saved_and_profiles_are_copied_chosen_and_put_aside(
    workshop,
) -> None:
    setup = workshop()
    assert setup.refused(SaveColours("hall"))
    assert "20" in setup.refused(MeasureColours(turns=99))
    setup.do(MeasureColours())
    assert "../rig" in setup.refused(SaveColours("../rig"))
    assert not (setup.folders.config / "rig (virtual).toml").exists()
    assert setup.pane.colours.can_save  # under another name
    setup.do(SaveColours("hall"))
    setup.do(CopyProfile("hall (virtual)", "stage"))
    pane = setup.pane
    assert [each.name for each in pane.profiles] == ["hall (virtual)", "stage"]
    assert pane.chosen == "hall (virtual)"
    setup.do(ChooseProfile("stage"))
    pane = setup.pane
    assert (pane.chosen, pane.colours.measured) == ("stage", "stage")
    assert "'nowhere'" in setup.refused(ChooseProfile("nowhere"))
    assert setup.pane.chosen == "stage"
    setup.do(DeleteProfile("stage"))  # which is in use
    pane = setup.pane
    assert (pane.chosen, [each.name for each in pane.profiles]) == ("", ["hall (virtual)"])
    setup.do(DeleteProfile("hall (virtual)"))
    assert setup.pane.profiles == ()
