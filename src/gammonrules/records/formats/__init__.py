"""The formats of records: a folder or a file for each, what they share, and which is which (`registry`)."""
