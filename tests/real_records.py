"""Real records, each read once: records are values, so what one test has read, another may use."""

from __future__ import annotations

from functools import cache

from gammonrules.records import load, referee

loaded = cache(load)
refereed = cache(referee)
