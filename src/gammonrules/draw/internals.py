"""What other parts of the library need of drawings besides their public names."""

from gammonrules.draw import built_script as built_script
from gammonrules.draw._scene import kind_of_game as kind_of_game, result_message as result_message

__all__ = ["built_script", "kind_of_game", "result_message"]
