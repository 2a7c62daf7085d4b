"""The verbs `replay`, `bundle` and `import`, as people use them."""

import shutil
import zipfile
from pathlib import Path

import msgspec
import pytest
from recorded_runs import solve_virtually

from run_thistlebot import thistlebot
from thistlebot.history.bundle import read_bundle, write_bundle
from thistlebot.journal.rows import StoredRun
from thistlebot.runs.events import Read, encode
from thistlebot.runs.run_record import events_of


@pytest.fixture(scope="module")
def one_run(cache_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a program that solved one cube."""
    data = tmp_path_factory.mktemp("journal")
    solve_virtually(cache_folder, data, 5)
    return data


@pytest.fixture
def journal(one_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal with that run, in the folder where the program looks for it."""
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(one_run, tmp_path / "data"))


def bundle_here() -> Path:
    result = thistlebot("bundle", "last", "--json")
    assert result.exit_code == 0, result.stderr
    return Path(msgspec.json.decode(result.stdout)["file"])


def otherwise(run: StoredRun) -> StoredRun:
    """The same run, as a version might have decided it that was less sure."""
    events = list(run.events)
    for number, (time_s, event) in enumerate(events_of(run)):
        if isinstance(event, Read):
            reading = event.reading | {"margin": 1.5}
            changed = encode(msgspec.structs.replace(event, reading=reading))
            events[number] = time_s, msgspec.Raw(changed)
    return msgspec.structs.replace(run, uid="fedcba9876543210", events=tuple(events))


@pytest.mark.usefixtures("journal")
def test_a_run_is_replayed_from_the_journal_and_from_a_bundle() -> None:
    for words in (("last",), ("1",), ("--all",), (str(bundle_here()),)):
        result = thistlebot("replay", *words)
        assert result.exit_code == 0, result.stderr
        assert "1 same" in result.stdout


@pytest.mark.usefixtures("journal")
def test_what_is_decided_otherwise_is_shown_and_ends_with_code_7(tmp_path: Path) -> None:
    folder = tmp_path / "park"
    folder.mkdir()
    run, pictures = read_bundle(bundle_here())
    write_bundle(folder / "a.thistlebot.zip", run, pictures)
    write_bundle(folder / "b.thistlebot.zip", otherwise(run), pictures)
    result = thistlebot("replay", "--all", str(folder))
    assert result.exit_code == 7
    assert "event 4, read reading.margin: 1.5 → " in result.stdout
    assert "1 same, 1 otherwise" in result.stdout
    lines = thistlebot("replay", str(folder), "--json").stdout.splitlines()
    same, other = map(msgspec.json.decode, lines)
    assert same["same"] is True
    assert other["same"] is False
    [difference] = other["differences"]
    assert (difference["place"], difference["then"]) == ("reading.margin", 1.5)
    assert difference["now"] > 5


@pytest.mark.usefixtures("journal")
def test_a_bundle_is_taken_in_on_another_desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = bundle_here()
    monkeypatch.setenv("THISTLEBOT_DATA_DIR", str(tmp_path / "elsewhere"))
    first, second = (thistlebot("import", str(bundle)) for _ in range(2))
    assert "run 1" in first.stdout
    assert "in the journal already" in second.stdout
    assert "1 same" in thistlebot("replay", "1").stdout
    assert thistlebot("show", "1").exit_code == 0
    history = thistlebot("history")
    assert "no such runs" in history.stderr  # nobody here solved it


@pytest.mark.usefixtures("journal")
def test_bundles_are_labelled_pictures_for_the_benchmark(tmp_path: Path) -> None:
    bundle_here()
    result = thistlebot("bench", "vision", str(tmp_path), "--json")
    assert result.exit_code == 0, result.stderr
    [line] = [msgspec.json.decode(each) for each in result.stdout.splitlines()]
    assert (line["condition"], line["n"], line["right"]) == ("recorded runs", 1, 1.0)


@pytest.mark.usefixtures("journal")
def test_pictures_that_were_given_up_are_told(tmp_path: Path) -> None:
    run, _ = read_bundle(bundle_here())
    write_bundle(tmp_path / "bare.thistlebot.zip", run, ())
    result = thistlebot("replay", str(tmp_path / "bare.thistlebot.zip"))
    assert result.exit_code == 0
    assert "it has no pictures" in result.stdout
    assert "1 not replayed" in result.stdout


@pytest.mark.usefixtures("journal")
def test_mistakes_are_told_with_what_to_do(tmp_path: Path) -> None:
    assert "say which" in thistlebot("replay").stderr
    unknown = thistlebot("replay", "77")
    assert unknown.exit_code == 2
    assert "there is no run '77'" in " ".join(unknown.stderr.split())
    with zipfile.ZipFile(tmp_path / "cat.zip", "w") as archive:
        archive.writestr("cat.png", b"")
    wrong = thistlebot("import", str(tmp_path / "cat.zip"))
    assert wrong.exit_code == 2
    assert "is no bundle of a run" in " ".join(wrong.stderr.split())
    assert thistlebot("import", "nowhere.zip").exit_code == 5
    unwritable = thistlebot("bundle", "last", "--output", "/proc/bundle.zip")
    assert unwritable.exit_code == 5
