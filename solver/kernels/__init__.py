"""Compiled inner loops.

Every module here imports numba and is therefore imported only inside the functions that need it.
A kernel never calls a kernel of another file: numba's cache notices a change of the file that
holds a function, but not of the files whose functions were inlined into it.
"""
