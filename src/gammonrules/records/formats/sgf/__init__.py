"""GNU Backgammon's SGF (Smart Game Format, FF[4] GM[6]): reader, analyses and writer."""
