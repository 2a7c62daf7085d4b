"""Commands on defective machines in, their wrong answers out.

`verbs` creates the folders of a run, `faults` damages them or the machine; `python -m
benchmarks.campaigns --only verbs` draws pairs of a command and a fault, and runs them. `files`
reads mutated files in the campaign's own process.
"""
