"""Archives of records: finding the files, reading them on all processors, and one table of all decisions."""
