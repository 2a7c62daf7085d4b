"""Teaching: methods step by step, comparisons, words, puzzles, worksheets, films."""
