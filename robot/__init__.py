"""Move sequence in, motion out: rigs, planning in seconds, protocol, link, virtual rig."""
