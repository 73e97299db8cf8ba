"""eXtreme Gammon's binary files (`.xg`, and `.xgp` for single positions), read only.

A file is a container of compressed files: the match, its rollouts and its comments. The match is a series of records of
2,560 bytes. Boards, cube and scores are stored with the plays, and are compared with the replay.
"""
