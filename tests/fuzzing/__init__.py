"""The fuzzers: a module for each target, with `case` (a random input) and `check` (what must hold for it).

`python tests/fuzz.py TARGET --seconds 600` runs them, and docs/development/tests.md says what each of them holds. A
case is a plain value, so what a finding prints can be pasted into a test: `api.check(("Cube(3)",))`.
"""
