"""Programs of other people's machines, beside ours."""
