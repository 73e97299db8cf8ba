"""The part of the build that depends on the Python that builds; all else stands in pyproject.toml."""

import sysconfig

from setuptools import setup

# One wheel serves every CPython from 3.11 on, by the stable ABI, which free-threaded ones do not have before 3.15.
has_stable_abi = not sysconfig.get_config_var("Py_GIL_DISABLED")

setup(options={"bdist_wheel": {"py_limited_api": "cp311"}} if has_stable_abi else {})
