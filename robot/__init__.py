"""Move sequence in, turned faces out: rigs, planning in seconds, protocol, link, virtual rig."""
