"""What other parts of the library need of drawings besides their public names."""

from gammonrules.draw import (
    alone_beside_match_js as alone_beside_match_js,
    built_script as built_script,
)
from gammonrules.draw._scene import kind_of_game as kind_of_game

__all__ = ["alone_beside_match_js", "built_script", "kind_of_game"]
