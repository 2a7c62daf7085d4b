"""A context with the tables' addresses in, a compiled search's result out; only here is numba used.

Modules: `slots` (the layout of the context) and `packed` (the layout of words) need no compiler.
`compiled` has the decorators, `arrays` the types of arrays, `memory` the loads and stores,
`lookups` the table look-ups of all searches, `roots` and `blocks` the starts of searches. `axial`
is the search along G0>G2>G4, `optimal` the one that proves; `building` fills the tables.

Idioms that look unusual:

- ``load16(address(ctx, slots.CORNER_MOVES), corners * 18 + turn)``: a search gets the address of
  one array, the context, and finds everything through it. With scalars, a recursive call is as fast
  as in C; array arguments take twice as long, because numba counts references to each.
- ``address`` reads slots that no search writes to, so the compiler may keep them in registers;
  ``load64`` reads those that change.
- A recursive function takes a `building.near.NearStep`, which costs as much as its numbers. A
  record of arrays would be too slow in an inner loop: its references are counted whenever a field
  is read, which made `teaching.methods.evolution` slower by three quarters. They have long lists of
  arguments.
- ``np.int64(0)`` and ``rest, below = togo - 1, depth + 1``: a literal number as an argument of a
  recursive call has a special type, with which numba crashes when it loads the function from its
  cache. Arguments are therefore variables.
- `inlined` functions are always compiled into their callers. They may return several values at no
  cost, and add nothing to the start of the program. `compiled` functions are called by Python and
  cached separately. `inner` functions are called only by compiled ones: they are recursive, or
  better not inlined. `linking` keeps them until the function at the top is compiled.
- An `entry` is the start of a search. `machine_code` stores it with everything that it calls as an
  object file and loads that without numba, which would take half of the time of a `solve`.
- A search returns 1 to give up, 0 to continue.
"""
