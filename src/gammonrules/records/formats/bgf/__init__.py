"""BGBlitz' own files (`.bgf`), read only: a line of JSON, then compressed data in the binary format SMILE."""
