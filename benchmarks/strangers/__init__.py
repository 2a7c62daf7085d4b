"""Verbs and faults of strangers' machines in, the answers that are no answers out.

`verbs` makes the folders of a run, `faults` says what can be wrong with them and with the machine;
`python -m benchmarks.campaigns --only verbs` draws pairs of a verb and a fault, and runs them.
"""
