"""What the commands need of records beside their public names: the parts of `analyze_files`."""

from gammonrules.records.analyzed_files import (
    Start as Start,
    analyzed_by as analyzed_by,
    for_each_file as for_each_file,
)
