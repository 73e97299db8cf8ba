"""What several rooms share and no user imports: files, pickles, extras, texts of identifiers, other processes."""
