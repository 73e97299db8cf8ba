/* Go compiles the C files that are beside its own. */
#include "../../../src/gammonrules/draw/match.c"
