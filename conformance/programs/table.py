"""`python table.py [PROGRAM...]` asks the programs of this folder the core of the suite, and prints a table.

It needs what requirements.txt lists, GNU Backgammon, and `npm install @nodots-llc/backgammon-core tsgammon-core` in
the folder from which it is started. What cannot be started says why.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
PROGRAMS = {path.stem: ("node" if path.suffix == ".js" else sys.executable, str(path)) for path in HERE.glob("with_*")}


def judged(command: tuple[str, ...]) -> dict:
    """What `gammonrules conform --json` prints, or what it says instead."""
    conform = (sys.executable, "-m", "gammonrules", "conform", "--json", "--timeout", "120", "--", *command)
    done = subprocess.run(conform, capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.stdout else {"stopped": done.stderr.strip()}


print("| program | questions | wrong answers | seconds | rules |\n|---|---|---|---|---|")
for name in sys.argv[1:] or sorted(PROGRAMS):
    started = time.perf_counter()
    report = judged(PROGRAMS[name])
    if report["stopped"]:
        print(f"| {name} | {report['stopped']} | | | |")
        continue
    program, seconds = report["program"], time.perf_counter() - started
    rules = "; ".join(f"{rule['rule']} ({rule['failures']} of {rule['cases']})" for rule in report["rules"])
    counts = f"{report['cases']:,} | {report['failures']:,} | {seconds:.0f}"
    print(f"| {program['name']} {program['version']} | {counts} | {rules} |")
