"""NumPy arrays of boards, rolls and numbers, for every package that accepts or returns them. None of it is public."""
