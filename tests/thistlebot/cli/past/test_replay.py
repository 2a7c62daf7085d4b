"""The verbs `history show`, `replay`, `export` and `import`, as people use them."""

import shutil
from pathlib import Path

import cv2
import msgspec
import pytest
from journals import change, keep, row
from recorded_runs import recorded, solve_virtually

from cube.state import SOLVED
from run_thistlebot import record, records, thistlebot
from thistlebot.errors import NotVerifiedError
from thistlebot.events import Read, encode
from thistlebot.exit_codes import ExitCode
from thistlebot.journal.database_file import FILE
from thistlebot.journal.rows import Outcome, StoredRun
from thistlebot.journal.run_record import events_of
from thistlebot.journal.sharing.bundle import read_bundle, write_bundle


@pytest.fixture(scope="module")
def one_solve(cache_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("solve")
    solve_virtually(cache_folder, data, 5)
    return data


@pytest.fixture
def journal(one_solve: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal with one solve, in the folder where the program looks for it."""
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(one_solve, tmp_path / "data"))


def bundle_here() -> Path:
    return Path(record("history", "export", "last")["file"])


def otherwise(run: StoredRun) -> StoredRun:
    """The same run, as a version might have decided it that was less sure."""
    events = list(run.events)
    for number, (time_s, event) in enumerate(events_of(run)):
        if isinstance(event, Read):
            reading = msgspec.structs.replace(event.reading, margin=1.5)
            changed = encode(msgspec.structs.replace(event, reading=reading))
            events[number] = time_s, msgspec.Raw(changed)
    return msgspec.structs.replace(run, uid="fedcba9876543210", events=tuple(events))


@pytest.mark.usefixtures("journal")
def test_runs_are_replayed_from_the_journal_and_from_bundles(tmp_path: Path) -> None:
    bundle = bundle_here()
    for words in (("last",), ("1",), ("--all",), (str(bundle),)):
        assert record("history", "replay", *words)["same"] is True
    folder = tmp_path / "park"
    folder.mkdir()
    run, pictures = read_bundle(bundle)
    write_bundle(folder / "a.thistlebot.zip", run, pictures)
    write_bundle(folder / "b.thistlebot.zip", otherwise(run), pictures)
    shown = thistlebot("history", "replay", "--all", str(folder))
    assert shown.exit_code == ExitCode.NOT_VERIFIED
    assert "reading.margin: 1.5 → " in shown.stdout
    lines = thistlebot("history", "replay", str(folder), "--json").stdout.splitlines()
    same, other = map(msgspec.json.decode, lines)
    assert (same["same"], other["same"]) == (True, False)
    [difference] = other["differences"]
    assert (difference["event"], difference["kind"]) == (4, "read")
    assert (difference["place"], difference["then"]) == ("reading.margin", 1.5)
    assert difference["now"] > 5
    write_bundle(tmp_path / "bare.thistlebot.zip", run, ())
    bare = record("history", "replay", str(tmp_path / "bare.thistlebot.zip"))
    assert bare["same"] is None
    assert bare["not_replayed"]


@pytest.mark.usefixtures("journal")
def test_a_bundle_is_taken_in_on_another_desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = bundle_here()
    monkeypatch.setenv("THISTLEBOT_DATA_DIR", str(tmp_path / "elsewhere"))
    for _ in range(2):  # the second time it is in the journal already
        assert thistlebot("history", "import", str(bundle)).exit_code == 0
    assert record("history", "replay", "1")["same"] is True
    assert record("history", "show", "1")["imported"] is True
    assert thistlebot("history", "show", "2").exit_code == ExitCode.USAGE
    assert records("history") == []  # nobody here solved it


def test_a_run_is_shown_from_the_first_look_to_the_last(journal: Path, tmp_path: Path) -> None:
    [(kept, details, pictures)] = recorded(journal)
    said = thistlebot("history", "show", "last").stdout
    assert f"run       1, {kept.uid}\n" in said
    assert "`solve` on six (virtual)\n" in said
    assert f"outcome   {kept.outcome} " in said
    assert f"\nreading   {kept.facelets}\n" in said
    assert f"\nmoves     {kept.moves}\n" in said
    assert "\nG0>G1 " in said
    assert f"\nclock     {kept.seconds:.2f} s: " in said
    versions = said.splitlines()[-2]
    assert versions.startswith("versions  thistlebot ")
    assert said.endswith("\npictures  4\n")
    assert thistlebot("history", "show", kept.uid[:6]).stdout == said
    shown = record("history", "show", 1, "--pictures", tmp_path / "seen")
    assert (shown["number"], shown["uid"]) == (1, kept.uid)
    assert shown["context"]["rig"]["name"] == "six"
    assert [each["time_s"] for each in shown["events"]] == [time_s for time_s, _ in details.events]
    assert shown["events"][0]["event"] == {"event": "entered", "phase": "scan"}
    assert shown["pictures_kept"] == 4
    files = [Path(file) for file in shown["pictures"]]
    names = ["scan-1.png", "scan-2.png", "verify-1.png", "verify-2.png"]
    assert [file.name for file in files] == names
    drawn = cv2.imread(str(files[0]))  # with what was read
    (tmp_path / "plain.png").write_bytes(pictures[0].png)
    plain = cv2.imread(str(tmp_path / "plain.png"))
    assert drawn.shape == plain.shape
    assert (drawn != plain).any()


def test_what_went_wrong_is_shown_and_a_record_of_another_version_as_far_as_it_goes(
    cache_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facelets = SOLVED.to_facelets().text
    keep(tmp_path / "data", [row(1, outcome=Outcome.FAILED, facelets=facelets, told="lost")])
    done = thistlebot("history", "show", 1, "--pictures", tmp_path)
    assert done.exit_code == 0, done.stderr
    assert "run       1, " in done.stdout
    assert "moves" not in done.stdout
    assert done.stderr
    monkeypatch.setenv("THISTLEBOT_DATA_DIR", str(tmp_path / "slipped"))
    with pytest.raises(NotVerifiedError):
        solve_virtually(cache_folder, tmp_path / "slipped", 3, slip_at_move=4)
    said = thistlebot("history", "show", "last").stdout
    assert "outcome   unverified" in said
    assert "\nunsolved  " in said
    assert "motor U" in said.partition("\nended     ")[2]


def test_details_that_were_given_up_are_said(journal: Path, tmp_path: Path) -> None:
    [(kept, _, pictures)] = recorded(journal)
    change(journal / FILE, "DELETE FROM details", "DELETE FROM pictures WHERE number = 0")
    done = thistlebot("history", "show", "last", "--pictures", tmp_path / "seen")
    assert done.exit_code == 0
    assert kept.moves in done.stdout
    plain = [tmp_path / "seen" / f"picture-{number}.png" for number in (2, 3, 4)]
    assert [file.read_bytes() for file in plain] == [each.png for each in pictures[1:]]
    assert record("history", "show", "last")["events"] is None
