"""The verb `solve`: one cube, a cube in the hand, or what was interrupted."""
