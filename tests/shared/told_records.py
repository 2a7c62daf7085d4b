"""Records as events hold them, for tests to which their content does not matter."""

from cube.facelets import SOLVED_FACELETS
from cube.net import WESTERN_SCHEME
from thistlebot.records import ReadingRecord, SolutionRecord, StageRecord, StickerRecord

READING = ReadingRecord(
    state="sure",
    accepted=True,
    facelets=SOLVED_FACELETS.text,
    best=SOLVED_FACELETS.text,
    margin=None,
    reread=(),
    problems=(),
    repairs=(),
    unseen=(),
    suspected=None,
    alternatives=(),
    scheme=dict(WESTERN_SCHEME),
    mirrored=False,
    mistake=None,
    elapsed_ms=12.5,
    stickers=tuple(StickerRecord((), None, 0.0, letter) for letter in SOLVED_FACELETS.text),
    proposal=SOLVED_FACELETS.text,
)
"""A solved cube that was read for sure."""
_STAGES = (("G0>G1", ""), ("G1>G2", "U"), ("G2>G3", "R"), ("G3>G4", ""))
SOLUTION = SolutionRecord(
    facelets="BBBUUUUUUFFURRRRRRLLLFFUFFUDDFDDFDDFDBBLLLLLLRRRDBBDBB",
    moves="U R",
    htm=2,
    qtm=2,
    axial_htm=2,
    axial_qtm=2,
    time_s=0.25,
    stages=tuple(StageRecord(*stage) for stage in _STAGES),
    cpu_ms=3.1,
    steps=("U", "R"),
)
"""Two turns solve the cube."""
