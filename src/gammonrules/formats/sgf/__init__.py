"""GNU Backgammon's SGF (Smart Game Format, FF[4] GM[6]): reader, analyses and writer.

A file is a series of trees in round brackets, one for each game. A tree is a series of nodes: the first describes the
game, each of the others is an action or a position set by hand. A node is a series of properties with values.
"""
