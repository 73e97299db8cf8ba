"""The part of the build that depends on the machine; everything else is in pyproject.toml."""

import os
import sys
import sysconfig
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class PureDistribution(Distribution):
    """The package without its kernel: one wheel for every Python on every machine."""

    def has_ext_modules(self) -> bool:
        """No, whatever pyproject.toml declares."""
        return False


class Wheel(bdist_wheel):
    """A wheel whose tag says what is in it: the kernel is optional, and without it the wheel is for every machine."""

    def run(self) -> None:
        """Build before the wheel gets its name."""
        self.run_command("build")
        kernels = self.get_finalized_command("build_ext").get_outputs()
        if not all(Path(kernel).exists() for kernel in kernels):
            self.distribution.ext_modules = []
            self.root_is_pure = True
        super().run()


# With the stable ABI one wheel serves every CPython from 3.11 on. Free-threaded ones get a wheel each: their stable ABI
# (from 3.15 on) hides what objects begin with, behind which the kernel writes, and would not serve 3.14.
has_stable_abi = not sysconfig.get_config_var("Py_GIL_DISABLED")
# The kernel writes into objects as CPython lays them out.
is_pure = os.environ.get("GAMMONRULES_PURE_PYTHON", "0") not in {"", "0"} or sys.implementation.name != "cpython"

setup(
    cmdclass={"bdist_wheel": Wheel},
    distclass=PureDistribution if is_pure else Distribution,
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if has_stable_abi else {},
)
