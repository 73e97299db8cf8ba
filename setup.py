"""The part of the build that depends on who builds and with what; all else stands in pyproject.toml."""

import os
import sys
import sysconfig

from setuptools import Distribution, setup


class PureDistribution(Distribution):
    """The package without its kernel, whose wheel suits every Python on every machine."""

    def has_ext_modules(self) -> bool:
        """None is built, whatever pyproject.toml declares."""
        return False


# One wheel serves every CPython from 3.11 on, by the stable ABI, which free-threaded ones do not have before 3.15.
has_stable_abi = not sysconfig.get_config_var("Py_GIL_DISABLED")
# It writes the slots of objects where CPython has them.
is_pure = os.environ.get("GAMMONRULES_PURE_PYTHON", "0") not in {"", "0"} or sys.implementation.name != "cpython"

setup(
    distclass=PureDistribution if is_pure else Distribution,
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if has_stable_abi else {},
)
