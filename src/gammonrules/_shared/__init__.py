"""What packages share and no user imports: files, bytes, pickles, extras, texts of identifiers, other processes."""
