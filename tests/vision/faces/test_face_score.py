"""What speaks for a face, and what against it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from cube.random_states import random_state
from vision.faces.candidates import find_candidates
from vision.faces.face_score import SURE_SCORE, face_scores, gather_evidence
from vision.faces.lattice import _turned, vote
from vision.geometry.light import EVEN_LIGHT, WEBCAM
from vision.virtual.render import Renderer
from vision.virtual.viewpoints import hand_held_viewpoint


def evidence_of_a_face():
    """The best lattice of a rendered face, and what the picture says about it."""
    renderer = Renderer(hand_held_viewpoint("F"), EVEN_LIGHT, WEBCAM, seed=1)
    cube = random_state(np.random.default_rng(1)).to_facelets()
    image = renderer.render(cube, np.random.default_rng(1))
    candidates = find_candidates(image)
    lattices = [next(vote(candidates))]
    lab = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2Lab), dtype=np.uint8)
    return lattices, gather_evidence(lab, candidates.edges, lattices)


def test_corners_of_a_lattice_go_clockwise_from_the_top_left() -> None:
    square = np.array([[10.0, 20.0], [50.0, 22.0], [48.0, 61.0], [9.0, 60.0]])  # y grows down
    for begin in range(4):
        for way in (1, -1):
            assert np.array_equal(_turned(np.roll(square, begin, axis=0)[::way]), square)


@pytest.mark.parametrize(("evenness", "falls"), [(1.0, 0.0), (0.45, 1.5)])
def test_an_unsure_face_with_nothing_around_it_needs_more_to_be_believed(evenness, falls) -> None:
    lattices, evidence = evidence_of_a_face()
    alone = [replace(lattices[0], around=0)]
    seen = replace(evidence, even=evidence.even * evenness, clear=evidence.clear * evenness)
    scores = [
        float(face_scores(alone, replace(seen, room=np.array([room])))[0])
        for room in (16.0, 4.0, 2.0, 0.0)
    ]
    assert (scores[0] >= SURE_SCORE) == (falls == 0.0)
    assert np.subtract(scores[0], scores) == pytest.approx([0.0, 0.0, falls / 2.0, falls])


def test_nine_stickers_of_eight_colours_are_no_face() -> None:
    lattices, evidence = evidence_of_a_face()
    assert face_scores(lattices, evidence)[0] > 0.0
    assert face_scores(lattices, replace(evidence, hues=np.array([8.0])))[0] == -np.inf
