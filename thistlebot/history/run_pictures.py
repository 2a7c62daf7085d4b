"""The pictures of a run as files, with what was read drawn over them."""

from collections.abc import Callable, Sequence
from pathlib import Path

from documents.files import write_atomically
from thistlebot.errors import UsageError
from thistlebot.history.replay import decide_again, differences
from thistlebot.journal.rows import Picture, StoredRun
from thistlebot.looking.reader import Look
from thistlebot.runs.events import Read, Verified
from thistlebot.runs.run_record import events_of
from thistlebot.session.recorder import Recorder


def write_pictures(
    folder: Path, run: StoredRun | None, pictures: Sequence[Picture], note: Callable[[str], None]
) -> list[Path]:
    """Write the looks of a run as `solve --save` does, and plain pictures that are in no look.

    A reading is made anew for that, because a record has no room for all that is drawn.

    Args:
        folder: Where to write them; made unless it is there.
        run: What was said of it; None when that was given up.
        pictures: Those that are still there.
        note: Told what a person should know.

    Returns:
        The files.

    Raises:
        UnwritableError: There is no room, or no permission.
    """
    if not pictures:
        note("no pictures: none were taken, or they were given up for want of room")
    looks: list[Look] = []
    if run is not None:
        try:
            again = decide_again(run, pictures)
            looks = again.looks
            if differences(run, again):
                note("this version decides the run otherwise: what is drawn is what it reads now")
        except UsageError as error:
            note(str(error))
    recorder = Recorder(folder, looks)
    for _, event in () if run is None else events_of(run):
        if isinstance(event, (Read, Verified)) and event.look < len(looks):
            recorder(event)
    drawn = {(frame.source, frame.time_s) for look in looks for frame in look.frames}
    files = recorder.files
    for picture in pictures:
        if picture.png and (picture.source, picture.time_s) not in drawn:
            files.append(folder / f"picture-{picture.number + 1}.png")
            write_atomically(files[-1], picture.png)
    return files
