"""A context of tables' addresses in, what a compiled search found out; numba is loaded here only.

Modules: `slots` (what stands where in the context) and `packed` (what the bits of a word mean) need
no compiler. `compiled` has the decorators, `memory` the loads and stores, `lookups` what every
search asks of its tables, `roots` and `blocks` where searches start. `single` and `axial` are the
searches in single and in axial turns; `building` fills the tables.

Idioms that look odd elsewhere:

- ``load16(address(ctx, slots.CORNER_MOVES), corners * 18 + turn)``: a search gets the address of
  one array, the context, and finds everything through it. Scalars make a recursive call as quick as
  in C; arrays as arguments cost half the speed, since numba counts references to each.
- ``address`` reads slots that no search writes to, so that the compiler may keep them in registers;
  ``load64`` reads those that change.
- A recursive function takes a `single.reaching.Node`, which costs what its numbers cost. A record
  of arrays would not do in an inner loop: its references are counted whenever a field is read,
  which made `teaching.methods.evolution` slower by three quarters. Those functions have long lists
  of arguments.
- ``np.int64(0)`` and ``rest, below = togo - 1, depth + 1``: a literal number as an argument of a
  recursive call has a type of its own, with which numba crashes when it loads the function from its
  cache. Arguments are therefore variables.
- `inlined` functions are always compiled into their callers. They may return several values, which
  costs nothing, and take no time when the program starts. What is `compiled`, Python calls; it is
  kept on disk by itself. `inner` functions are called by compiled ones only: they call themselves,
  or are better not inlined. `linking` keeps them until the function at the top is compiled.
- An `entry` is where a search begins. `machine_code` keeps it with all that it calls as an object
  file and loads that without numba, which would take half of the time of a `solve`.
- A search returns 1 to be given up, 0 to go on.
"""
