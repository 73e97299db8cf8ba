"""The part of the build that depends on the machine; everything else is in pyproject.toml."""

import os
import runpy
import sys
import sysconfig
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent


class PureDistribution(Distribution):
    """The package without its kernel: one wheel for every Python on every machine."""

    def has_ext_modules(self) -> bool:
        """No, whatever pyproject.toml declares."""
        return False


class BuildKernel(build_ext):
    """The kernel as it is compiled now. It is optional, so one of an earlier build would be taken where that fails."""

    def run(self) -> None:
        """Delete the kernels of earlier builds before."""
        for kernel in (*self.get_outputs(), *self.get_output_mapping().values()):
            Path(kernel).unlink(missing_ok=True)
        super().run()


class BuildPackage(build_py):
    """The package with the folder `examples`, packed; a clone that is installed as it is keeps the folder."""

    def run(self) -> None:
        """Build all else before."""
        super().run()
        folder = HERE / "examples"
        if folder.is_dir() and not self.editable_mode:
            code = runpy.run_path(str(HERE / "src/gammonrules/cli/example_files.py"))
            content = code["pack_examples"](code["folder_files"](folder))
            Path(self.build_lib, "gammonrules/cli", code["PACKED"].name).write_bytes(content)


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
    cmdclass={"bdist_wheel": Wheel, "build_ext": BuildKernel, "build_py": BuildPackage},
    distclass=PureDistribution if is_pure else Distribution,
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if has_stable_abi else {},
)
