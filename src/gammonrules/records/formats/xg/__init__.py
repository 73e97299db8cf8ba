"""eXtreme Gammon's binary files (`.xg`, and `.xgp` for single positions), read only."""
