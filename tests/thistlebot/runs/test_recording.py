"""What the journal is told of a run."""

from importlib import metadata

from thistlebot.runs.recording import versions


def test_versions_are_those_that_are_installed() -> None:
    found = versions()
    assert found == {name: metadata.version(name) for name in found}
    assert "thistlebot" in found
