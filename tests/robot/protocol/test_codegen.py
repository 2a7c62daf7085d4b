"""The generated files follow the table, and the header means what the table says."""

from pathlib import Path

from robot.protocol import codegen

ROOT = Path(__file__).resolve().parents[3]


def test_generated_files_are_fresh() -> None:
    assert codegen.stale_files(ROOT) == {}, "run `python -m robot.protocol.codegen`"


def test_stale_and_missing_files_are_found(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    manual = tmp_path / codegen.MANUAL
    manual.write_text(
        (ROOT / codegen.MANUAL).read_text().replace("| 0x82 | ACK |", "| 0x82 | OK |")
    )
    assert set(codegen.stale_files(tmp_path)) == {manual, tmp_path / codegen.HEADER}
