/* The rules in C, asked by `gammonrules conform -- ./answers`.

       rules=../../../src/gammonrules/c
       cc -O2 -I$rules -o answers answers.c $rules/match.c
*/
#include "json.h"
#include "orders.h"

enum { FORFEIT = GAMMONRULES_ACTIONS };

static int read_id(const char *text, int checkers) {
    memcpy(gammonrules_text(), text, GAMMONRULES_ID_LENGTH);
    return gammonrules_read_id(checkers);
}

/* Do what a question says. Returns the reason why it is illegal, or 0. */
static int act(const char *state, const char *action) {
    const int todo = word(get(action, "do"), ACTIONS), by = word(get(action, "by"), SEATS);
    const int start = word(get(get(state, "rules"), "start"), STARTS), checkers = gammonrules_match()->checkers;
    int dice[2] = {0}, moves[MOVES], count;
    switch (todo) {
    case FORFEIT:
        return gammonrules_forfeit(by, number(get(action, "points")));
    case GAMMONRULES_OPENING_ROLL:
        return gammonrules_act(todo, by, number(get(action, "white")), number(get(action, "black")));
    case GAMMONRULES_PLAY:
        count = numbers(get(action, "moves"), MOVES, moves);
        if (!gammonrules_why_not(todo, by) && !make_moves(moves, count))
            return GAMMONRULES_NO_SUCH_PLAY;
        return gammonrules_act(todo, by, 0, 0);
    case GAMMONRULES_RESIGN:
        return gammonrules_act(todo, by, 1 + word(get(action, "win"), WINS), 0);
    case GAMMONRULES_NEXT_GAME:
        if (CHECKERS[start] != checkers || !read_id(IDS[start], checkers))
            return GAMMONRULES_NO_SUCH_PLAY;
        return gammonrules_act(todo, -1, word(get(action, "starter"), SEATS), checkers);
    default:
        numbers(get(action, "dice"), 2, dice);
        return gammonrules_act(todo, by, dice[0], dice[1]);
    }
}

static void put_plays(int high, int low) {
    int8_t turned[SLOTS];
    fputs("\"points\":[", stdout);
    for (int i = 0, count = gammonrules_plays(high, low); i < count; i++) {
        fputs(i ? "," : "", stdout);
        turn_board(gammonrules_boards() + SLOTS * i, turned);
        put_numbers(turned, SLOTS);
    }
    fputs("]", stdout);
}

static void put_orders(int high, int low) {
    fputs("\"orders\":[", stdout);
    for (int i = 0, count = find_orders(high, low); i < count; i++) {
        fputs(i ? ",[" : "[", stdout);
        for (int at = 0; at < MOVES && orders[i][at] >= 0; at += 2) {
            fputs(at ? "," : "", stdout);
            put_numbers(orders[i] + at, 2);
        }
        fputs("]", stdout);
    }
    fputs("]", stdout);
}

static void put_counts(const char *question) {
    const int start = word(get(question, "start"), STARTS), depth = number(get(question, "depth"));
    read_id(IDS[start], CHECKERS[start]);
    for (int rolls = 1; rolls <= depth; rolls++)
        printf("%s%.0f", rolls > 1 ? "," : "\"plays\":[", gammonrules_perft(rolls));
    fputs("]", stdout);
}

static void put_table(const char *question) {
    const char *state = get(question, "state");
    read_match(state);
    if (gammonrules_problems() || act(state, get(question, "action"))) {
        fputs("\"refused\":true", stdout);
        return;
    }
    fputs("\"state\":", stdout);
    put_match(state);
}

/* A Position ID. */
static void put_identifier(const char *question) {
    const char *state = get(question, "state"), *text = get(question, "text");
    if (state) {
        read_board(get(state, "points"), gammonrules_board());
        gammonrules_write_id();
        printf("\"text\":\"%.*s\"", GAMMONRULES_ID_LENGTH, (const char *)gammonrules_text());
    } else if (end_of(text) - text == GAMMONRULES_ID_LENGTH + 2 && read_id(text + 1, read_checkers(question))) {
        fputs("\"state\":{\"points\":", stdout);
        put_numbers(gammonrules_board(), SLOTS);
        printf(get(question, "checkers") ? ",\"checkers\":%d}" : "}", read_checkers(question));
    } else
        fputs("\"refused\":true", stdout);
}

int main(void) {
    static const char *const asks[] = {"hello", "plays", "orders", "perft", "table", "identifiers", NULL};
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        int dice[2] = {0};
        const int asked = word(get(line, "ask"), asks);
        numbers(get(line, "dice"), 2, dice);
        read_board(get(line, "points"), gammonrules_board());
        printf("{\"id\":%d,", number(get(line, "id")));
        switch (asked) {
        case 0:
            fputs("\"name\":\"gammonrules in C\",\"version\":\"1\",\"asks\":[\"plays\",\"orders\",\"perft\",\"table\","
                  "\"identifiers:position\"]", stdout);
            break;
        case 1: put_plays(dice[0], dice[1]); break;
        case 2: put_orders(dice[0], dice[1]); break;
        case 3: put_counts(line); break;
        case 4: put_table(line); break;
        default: put_identifier(line);
        }
        puts("}");
        fflush(stdout);
    }
}
