"""The part of the build that depends on the interpreter; everything else is in pyproject.toml."""

import os
import sys
import sysconfig

from setuptools import Distribution, setup


class PureDistribution(Distribution):
    """The package without its kernel: one wheel for every Python on every machine."""

    def has_ext_modules(self) -> bool:
        """No, whatever pyproject.toml declares."""
        return False


# With the stable ABI one wheel serves every CPython from 3.11 on; free-threaded ones have none before 3.15.
has_stable_abi = not sysconfig.get_config_var("Py_GIL_DISABLED")
# The kernel writes into objects as CPython lays them out.
is_pure = os.environ.get("GAMMONRULES_PURE_PYTHON", "0") not in {"", "0"} or sys.implementation.name != "cpython"

setup(
    distclass=PureDistribution if is_pure else Distribution,
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if has_stable_abi else {},
)
