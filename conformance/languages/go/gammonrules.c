/* Go compiles the C files that are beside its own. */
#include "../../../src/gammonrules/c/match.c"
