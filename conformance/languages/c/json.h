/* The JSON of questions and answers, for answers.c: no more than they have. C has no library for it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gammonrules.h"

static const char *const SEATS[] = {"white", "black", NULL}, *const WINS[] = {"single", "gammon", "backgammon", NULL};
static const char *const ENDS[] = {"played", "dropped", "resigned", "forfeited", NULL};

/* What follows a value or a key. */
static const char *end_of(const char *at) {
    int depth = 0;
    do {
        if (*at == '"')
            at = strchr(at + 1, '"'); /* no text of a question has another quote in it */
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    } while (depth || !strchr(",:]}", *at));
    return at;
}

/* The value of a key, or NULL if it is not there, or this is no object. */
static const char *get(const char *object, const char *key) {
    const size_t length = strlen(key);
    const char *at = object && *object == '{' ? object : "}";
    while (*at != '}') {
        const char *name = at + 1 + strspn(at + 1, " ");
        const char *value = end_of(name) + 1;
        value += strspn(value, " ");
        if (!strncmp(name + 1, key, length) && name[length + 1] == '"')
            return value;
        at = end_of(value);
    }
    return NULL;
}

/* A number, or 1 for true; 0 for all else. */
static int number(const char *value) { return !value ? 0 : *value == 't' ? 1 : atoi(value); }

/* All numbers of an array, however deep, up to so many. Returns how many there are. */
static int numbers(const char *array, int most, int *into) {
    int count = 0;
    const char *end = array ? end_of(array) : NULL;
    for (const char *at = array; at < end && count < most; at += 1 + strspn(at, "-0123456789"))
        if (strchr("-0123456789", *at))
            into[count++] = atoi(at);
    return count;
}

/* Which of these words a value is, or -1. */
static int word(const char *value, const char *const words[]) {
    for (int i = 0; value && *value == '"' && words[i]; i++) {
        const size_t length = strlen(words[i]);
        if (!strncmp(value + 1, words[i], length) && value[length + 1] == '"')
            return i;
    }
    return -1;
}

#include "names.h"

static void read_board(const char *points, int8_t *board) {
    int counts[GAMMONRULES_SLOTS] = {0};
    numbers(points, GAMMONRULES_SLOTS, counts);
    for (int i = 0; i < GAMMONRULES_SLOTS; i++)
        board[i] = (int8_t)counts[i];
}

static int read_checkers(const char *object) {
    return get(object, "checkers") ? number(get(object, "checkers")) : GAMMONRULES_MAX_CHECKERS;
}

static void read_match(const char *state) {
    const char *offer = get(state, "offer"), *result = get(state, "result");
    const char *resignation = get(offer, "win") ? offer : NULL, *twice = resignation ? get(offer, "double") : offer;
    int dice[2] = {0}, score[2] = {0};
    numbers(get(state, "dice"), 2, dice);
    numbers(get(state, "score"), 2, score);
    *gammonrules_match() = (GammonrulesMatch){
        .on_roll = word(get(state, "on_roll"), SEATS), .high = dice[0], .low = dice[1],
        .cube = number(get(state, "cube")), .owner = word(get(state, "owner"), SEATS),
        .doubled_by = word(get(twice, "by"), SEATS), .offered = number(get(twice, "value")),
        .beavers = number(get(twice, "beavers")), .resigned_by = word(get(resignation, "by"), SEATS),
        .resigned = 1 + word(get(resignation, "win"), WINS), .score = {score[0], score[1]},
        .length = number(get(state, "length")), .is_crawford = number(get(state, "crawford")),
        .winner = word(get(result, "winner"), SEATS), .win = 1 + word(get(result, "win"), WINS),
        .points = number(get(result, "points")), .end = get(result, "end") ? word(get(result, "end"), ENDS) : 0,
        .rules = read_options(get(state, "rules")), .checkers = read_checkers(state),
    };
    read_board(get(state, "points"), gammonrules_match()->board);
}

static void put_numbers(const int8_t *from, int count) {
    for (int i = 0; i < count; i++)
        printf("%s%d", i ? "," : "[", from[i]);
    fputs(count ? "]" : "[]", stdout);
}

/* A key and its word; null for -1. */
static void put_word(const char *key, const char *const words[], int which) {
    const char *quote = which < 0 ? "" : "\"";
    printf(",\"%s\":%s%s%s", key, quote, which < 0 ? "null" : words[which], quote);
}

static void put_offer(const GammonrulesMatch *match) {
    const int is_resigned = match->resigned_by >= 0;
    if (is_resigned) {
        fputs("{\"type\":\"Resignation\"", stdout);
        put_word("by", SEATS, match->resigned_by);
        put_word("win", WINS, match->resigned - 1);
        fputs(",\"double\":", stdout);
    }
    const char *type = is_resigned ? "" : "\"type\":\"Double\",", *by = SEATS[match->doubled_by == GAMMONRULES_BLACK];
    if (match->doubled_by >= 0)
        printf("{%s\"by\":\"%s\",\"value\":%d,\"beavers\":%d}", type, by, match->offered, match->beavers);
    else
        fputs("null", stdout);
    fputs(is_resigned ? "}" : "", stdout);
}

/* The match as the next state; what no action changes is that of the state before. */
static void put_match(const char *before) {
    const GammonrulesMatch *match = gammonrules_match();
    const char *length = get(before, "length"), *rules = get(before, "rules");
    printf("{\"length\":%.*s,\"rules\":%.*s", (int)(end_of(length) - length), length, (int)(end_of(rules) - rules), rules);
    printf(",\"score\":[%d,%d],\"crawford\":%s", match->score[0], match->score[1], match->is_crawford ? "true" : "false");
    put_word("on_roll", SEATS, match->on_roll);
    printf(match->high ? ",\"dice\":[%d,%d]" : ",\"dice\":null", match->high, match->low);
    printf(",\"cube\":%d", match->cube);
    put_word("owner", SEATS, match->owner);
    fputs(",\"offer\":", stdout);
    put_offer(match);
    printf(match->winner < 0 ? ",\"result\":null" : ",\"result\":{\"points\":%d", match->points);
    if (match->winner >= 0) {
        put_word("winner", SEATS, match->winner);
        put_word("win", WINS, match->win - 1);
        put_word("end", ENDS, match->end);
        fputs("}", stdout);
    }
    if (match->checkers != GAMMONRULES_MAX_CHECKERS)
        printf(",\"checkers\":%d", match->checkers);
    fputs(",\"points\":", stdout);
    put_numbers(match->board, GAMMONRULES_SLOTS);
    fputs("}", stdout);
}
