/* What all parts need: the library's own rules and inputs, and errors. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunused-function"
#include "_game.c"
#include "_outcomes.c"
#include "_network.c"

enum { MAX_PATH = 1000 };

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *message, ...)
{
    va_list arguments;
    va_start(arguments, message);
    fputs("trainer: ", stderr);
    vfprintf(stderr, message, arguments);
    fputs("\n", stderr);
    va_end(arguments);
    exit(1);
}

static FILE *open_file(const char *path, const char *mode)
{
    FILE *const file = fopen(path, mode);
    if (!file)
        fail("cannot open %s: %s", path, strerror(errno));
    return file;
}

#include "portable.h"
#include "inputs.h"
#include "networks.h"
#include "play.h"
