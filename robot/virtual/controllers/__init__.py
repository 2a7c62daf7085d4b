"""Models of controllers that speak G-code, in place of `virtual_board` in a virtual rig."""
