"""Compiled inner loops.

Every module here but `slots` imports numba and is therefore imported only inside the functions that
need it. numba caches what it compiled and notices a change of the file that holds a function, but
not of the files whose functions were inlined into it: after editing a file here, delete
``__pycache__`` beside it.
"""
