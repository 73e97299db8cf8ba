"""The protocol of programs in any language: a line of JSON asks, a line of JSON answers. None of it is public."""
