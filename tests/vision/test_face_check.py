"""What speaks for a face, and what against it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from cube.random_states import random_state
from vision.face_candidates import find_candidates
from vision.face_check import crowding, face_scores, gather_evidence
from vision.face_lattice import vote
from vision.light import EVEN_LIGHT, WEBCAM
from vision.render import Renderer
from vision.rig_views import hand_held_viewpoint


def evidence_of_a_face():
    """The best lattice of a rendered face, and what the picture says about it."""
    renderer = Renderer(hand_held_viewpoint("F"), EVEN_LIGHT, WEBCAM, seed=1)
    cube = random_state(np.random.default_rng(1)).to_facelets()
    image = renderer.render(cube, np.random.default_rng(1))
    candidates = find_candidates(image)
    lattices = [next(vote(candidates))]
    lab = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2Lab), dtype=np.uint8)
    return lattices, gather_evidence(lab, candidates.edges, lattices)


def test_a_face_with_nothing_around_it_needs_more_to_be_believed() -> None:
    lattices, evidence = evidence_of_a_face()
    alone = [replace(lattices[0], around=0)]
    rooms = (16.0, 4.0, 2.0, 0.0)
    scores = [
        float(face_scores(alone, replace(evidence, room=np.array([room])))[0]) for room in rooms
    ]
    assert scores[0] == scores[1] > scores[2] > scores[3]
    taken_off = crowding(replace(evidence, room=np.array([4.0, 0.0])))
    assert taken_off.tolist() == pytest.approx([0.0, scores[0] - scores[3]])


def test_nine_stickers_of_eight_colours_are_no_face() -> None:
    lattices, evidence = evidence_of_a_face()
    assert face_scores(lattices, evidence)[0] > 0.0
    assert face_scores(lattices, replace(evidence, hues=np.array([8.0])))[0] == -np.inf
