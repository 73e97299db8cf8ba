/* What a game is worth at a score, with a cube between dead and live. equity/janowski.py and match_equity_table.py explain it,
 * and do the same for the table of _kazaross.c; tests/equity/test_janowski_in_c.py compares them. It is included after
 * _match.c, and has no state.
 */

#include "_kazaross.c"

static const double EQUAL_CHANCES = 0.5, MILLION = 1e6;

enum { MINE, THEIRS, SIDES }; /* of the player whom an answer is for, and of their opponent */
enum { MAX_CUBES = 6 }; /* that are worth looking at: who needs 25 points turns a cube of 16, and none of 32 */

/* The five chances of a player, as equity/chances.py has them. */
enum { WIN, WIN_GAMMON, WIN_BACKGAMMON, LOSE_GAMMON, LOSE_BACKGAMMON, FIVE };

/* --- what the end of a game is worth ------------------------------------------------------------------------------------ */

/* Worth is a chance of winning the match, or in money play points for a cube of 1. */
typedef struct {
    bool is_money, gammons_need_double, is_after_crawford;
    int cube, most; /* its value, and the highest level that counts once it was turned */
    int away[SIDES], turns[SIDES]; /* at which value each side may still double */
    bool owns[SIDES];
} Stakes;

static int highest_turn(const Match *match, int player)
{
    const int highest = highest_cube(match) / 2;
    if (!match->rules.cube || match->is_crawford)
        return 0;
    return match->length ? lower_of(match->length - match->score[player] - 1, highest) : highest;
}

/* The stakes of a player in a game that is not over, whatever is pending. */
static Stakes stakes_of(const Match *match, int player)
{
    static const Cube TURNED = {2, WHITE};
    const int seats[SIDES] = {player, opponent_of(player)};
    Stakes stakes = {
        .is_money = !match->length,
        .gammons_need_double = highest_win(match, (Cube){1, NOBODY}) == 1,
        .cube = match->cube,
        .most = highest_win(match, TURNED),
    };
    for (int side = 0; side < SIDES; side++) {
        stakes.away[side] = match->length - match->score[seats[side]];
        stakes.turns[side] = highest_turn(match, seats[side]);
        stakes.owns[side] = match->owner == seats[side];
    }
    stakes.is_after_crawford = !match->rules.crawford || stakes.away[MINE] <= 1 || stakes.away[THEIRS] <= 1;
    return stakes;
}

static bool is_in_table(const Stakes *stakes)
{
    return stakes->is_money || (stakes->away[MINE] <= MAX_AWAY && stakes->away[THEIRS] <= MAX_AWAY);
}

static double chance_before_crawford(int away, int opponent_away)
{
    if (away == opponent_away)
        return EQUAL_CHANCES;
    if (away > opponent_away)
        return 1 - chance_before_crawford(opponent_away, away);
    const int rows_before = away - 1, scores_before = rows_before * (2 * MAX_AWAY - away) / 2;
    return BEFORE_CRAWFORD[scores_before + opponent_away - away - 1] / MILLION;
}

static double chance_of_match(bool is_after_crawford, int away, int opponent_away)
{
    if (away <= 0)
        return 1;
    if (opponent_away <= 0)
        return 0;
    if (is_after_crawford && opponent_away == 1)
        return AFTER_CRAWFORD[away - 1] / MILLION;
    if (is_after_crawford && away == 1)
        return 1 - AFTER_CRAWFORD[opponent_away - 1] / MILLION;
    return chance_before_crawford(away, opponent_away);
}

/* The worth of points won, or below 0 lost. */
static double worth_of_points(const Stakes *stakes, int points)
{
    if (stakes->is_money)
        return (double)points / stakes->cube;
    const int won = points > 0 ? points : 0, lost = points < 0 ? -points : 0;
    return chance_of_match(stakes->is_after_crawford, stakes->away[MINE] - won, stakes->away[THEIRS] - lost);
}

/* On the scale where winning the points of the cube is 1, and losing them -1. */
static double normalized(const Stakes *stakes, double worth)
{
    const double won = worth_of_points(stakes, stakes->cube), lost = worth_of_points(stakes, -stakes->cube);
    return stakes->is_money ? worth : (2 * worth - won - lost) / (won - lost);
}

static bool may_turn(const Stakes *stakes, int side)
{
    return stakes->cube <= stakes->turns[side] && !stakes->owns[SIDES - 1 - side];
}

/* --- wins and cubes ----------------------------------------------------------------------------------------------------- */

/* Of all games that a side wins, the parts that count once, twice and three times. */
typedef struct {
    double single, gammon, backgammon;
} Parts;

static Parts parts_of_wins(int most, double win, double gammon, double backgammon)
{
    if (most == 1)
        return (Parts){.single = 1};
    const double gammons = gammon < win ? gammon : win;
    const double backgammons = most == 2 ? 0 : backgammon < gammons ? backgammon : gammons;
    const double wins = win > 0 ? win : 1;
    return (Parts){(wins - gammons) / wins, (gammons - backgammons) / wins, backgammons / wins};
}

static double points_of_parts(const Parts *parts)
{
    return parts->single + 2 * parts->gammon + 3 * parts->backgammon;
}

/* What the end of the game is worth with a cube of this value. */
typedef struct {
    int value;
    double single_win, single_loss, sure_win, sure_loss;
} CubeWorth;

/* The worth of a sure win of so many points in a single game, or below 0 of a sure loss. */
static double sure_worth(const Stakes *stakes, const Parts *parts, int points)
{
    return parts->single * worth_of_points(stakes, points) + parts->gammon * worth_of_points(stakes, 2 * points) +
           parts->backgammon * worth_of_points(stakes, 3 * points);
}

static CubeWorth for_opponent(const CubeWorth *cube)
{
    return (CubeWorth){cube->value, -cube->single_loss, -cube->single_win, -cube->sure_loss, -cube->sure_win};
}

/* A chance of winning the game, and what it is worth. */
typedef struct {
    double win, worth;
} CurvePoint;

/* What follows when a double has been taken: whether both may turn the cube again, and what sure wins and losses are worth. */
typedef struct {
    bool may_turn;
    double sure_win, sure_loss;
} Taken;

/* The game of a player who wins with these chances: the present cube, twice its value, and so on. */
typedef struct {
    Stakes stakes;
    double efficiency, win;
    Parts parts[SIDES];
    CubeWorth cubes[MAX_CUBES];
    int cube_count;
    double cash[SIDES], cash_doubled[SIDES]; /* the chance of each from which a live cube is cashed, now and once it is doubled */
} Game;

/* If the opponent alone may turn the doubled cube, they do at once, since they would lose the match in any case. */
static Taken once_taken(const CubeWorth *doubled, const CubeWorth *further, int turns, int opponent_turns)
{
    const bool player_may = doubled->value <= turns, opponent_may = doubled->value <= opponent_turns;
    const CubeWorth *const last = opponent_may && !player_may ? further : doubled;
    return (Taken){player_may && opponent_may, last->sure_win, last->sure_loss};
}

/* How far from low to high a worth is, from 0 to 1; 1 if all are equal, since at equality a double is taken. */
static double part_of_way(double low, double high, double worth)
{
    if (high <= low)
        return 1;
    const double part = (worth - low) / (high - low);
    return part < 0 ? 0 : part > 1 ? 1 : part;
}

/* --- when a live cube is cashed ----------------------------------------------------------------------------------------- */

/* The chance from which a side cashes a cube; the other side cashes the doubled one at `their_next`. */
static double live_cash_point(const CubeWorth *cube, const CubeWorth *doubled, const Taken *taken, double their_next)
{
    const double lowest = taken->may_turn ? doubled->single_loss : taken->sure_loss;
    const double part = part_of_way(lowest, taken->sure_win, cube->single_win);
    return taken->may_turn ? 1 - their_next * (1 - part) : part;
}

/* From the last cube, which nobody turns, back to the present one. */
static void find_match_cash_points(Game *game)
{
    const int *const turns = game->stakes.turns;
    double next[SIDES] = {1, 1};
    for (int turn = game->cube_count - 2; turn >= 0; turn--) {
        const CubeWorth *const cube = game->cubes + turn, *const doubled = cube + 1;
        const CubeWorth *const further = turn + 2 < game->cube_count ? doubled + 1 : doubled;
        const CubeWorth turned[] = {for_opponent(cube), for_opponent(doubled), for_opponent(further)};
        const Taken taken = once_taken(doubled, further, turns[MINE], turns[THEIRS]);
        const Taken taken_by_me = once_taken(turned + 1, turned + 2, turns[THEIRS], turns[MINE]);
        const double mine = live_cash_point(cube, doubled, &taken, next[THEIRS]);
        const double theirs = live_cash_point(turned, turned + 1, &taken_by_me, next[MINE]);
        memcpy(game->cash_doubled, next, sizeof next);
        next[MINE] = mine;
        next[THEIRS] = theirs;
    }
    memcpy(game->cash, next, sizeof next);
}

/* In money play each turn of the cube changes nothing but the unit. */
static void find_money_cash_points(Game *game)
{
    const double won = points_of_parts(game->parts + MINE), lost = points_of_parts(game->parts + THEIRS);
    const double my_factor = (won - 0.5) / (won + 1), their_factor = (lost - 0.5) / (lost + 1);
    /* first as if the present cube were turned once at most */
    double now[SIDES] = {(lost + 0.5) / (won + lost), (won + 0.5) / (won + lost)};
    double doubled[SIDES] = {now[MINE], now[THEIRS]};
    for (int value = 2 * game->stakes.cube; value <= game->stakes.turns[MINE]; value *= 2) {
        memcpy(doubled, now, sizeof doubled);
        now[MINE] = 1 - doubled[THEIRS] * my_factor;
        now[THEIRS] = 1 - doubled[MINE] * their_factor;
    }
    memcpy(game->cash, now, sizeof now);
    memcpy(game->cash_doubled, doubled, sizeof doubled);
}

static void write_cubes(Game *game)
{
    const Stakes *const stakes = &game->stakes;
    const int highest = stakes->turns[stakes->turns[MINE] < stakes->turns[THEIRS]];
    int count = 0;
    for (int value = stakes->cube; count < 3 || (!stakes->is_money && value / 2 <= highest); value *= 2) {
        game->cubes[count++] = (CubeWorth){
            .value = value,
            .single_win = worth_of_points(stakes, value),
            .single_loss = worth_of_points(stakes, -value),
            .sure_win = sure_worth(stakes, game->parts + MINE, value),
            .sure_loss = sure_worth(stakes, game->parts + THEIRS, -value),
        };
    }
    game->cube_count = count;
}

static void begin_game(Game *game, const Stakes *stakes, const double *five, double efficiency)
{
    game->stakes = *stakes;
    game->efficiency = efficiency;
    game->win = five[WIN];
    game->parts[MINE] = parts_of_wins(stakes->most, five[WIN], five[WIN_GAMMON], five[WIN_BACKGAMMON]);
    game->parts[THEIRS] = parts_of_wins(stakes->most, 1 - five[WIN], five[LOSE_GAMMON], five[LOSE_BACKGAMMON]);
    write_cubes(game);
    if (stakes->is_money)
        find_money_cash_points(game);
    else
        find_match_cash_points(game);
}

/* --- curves: what all chances of winning the game are worth, linear between their points -------------------------------- */

/* A point of the worth with a cube that is partly live: dead, it is linear between a sure loss and a sure win. */
static CurvePoint bend(double efficiency, CurvePoint lost, CurvePoint won, double win, double live_worth)
{
    const double dead_worth = lost.worth + win * (won.worth - lost.worth);
    return (CurvePoint){win, (1 - efficiency) * dead_worth + efficiency * live_worth};
}

static double worth_at(const CurvePoint *curve, int count, double win)
{
    for (int i = 1; i < count; i++) {
        const CurvePoint left = curve[i - 1], right = curve[i];
        if (left.win < right.win && right.win >= win)
            return left.worth + (win - left.win) / (right.win - left.win) * (right.worth - left.worth);
    }
    return curve[count - 1].worth;
}

/* The worth while nobody has doubled. */
static double worth_undoubled(const Game *game)
{
    const Stakes *const stakes = &game->stakes;
    const CubeWorth *const cube = game->cubes;
    const bool is_single = stakes->gammons_need_double && !stakes->owns[MINE] && !stakes->owns[THEIRS];
    const CurvePoint lost = {0, is_single ? cube->single_loss : cube->sure_loss};
    const CurvePoint won = {1, is_single ? cube->single_win : cube->sure_win};
    const CurvePoint curve[] = {
        lost,
        may_turn(stakes, THEIRS) ? bend(game->efficiency, lost, won, 1 - game->cash[THEIRS], cube->single_loss) : lost,
        may_turn(stakes, MINE) ? bend(game->efficiency, lost, won, game->cash[MINE], cube->single_win) : won,
        won,
    };
    return worth_at(curve, 4, game->win);
}

/* The worth once the player has doubled and the opponent has taken. */
static double worth_taken(const Game *game)
{
    const int *const turns = game->stakes.turns;
    const CubeWorth *const doubled = game->cubes + 1;
    const Taken taken = once_taken(doubled, doubled + 1, turns[MINE], turns[THEIRS]);
    const CurvePoint lost = {0, taken.sure_loss}, won = {1, taken.sure_win};
    const CurvePoint curve[] = {
        lost,
        taken.may_turn ? bend(game->efficiency, lost, won, 1 - game->cash_doubled[THEIRS], doubled->single_loss) : lost,
        won,
    };
    return worth_at(curve, 3, game->win);
}

/* The worth of all that a player who may double can do, for them. */
typedef struct {
    double no_double, take, drop;
} Worths;

static Worths worths_of(const Stakes *stakes, const double *five, double efficiency)
{
    Game game;
    begin_game(&game, stakes, five, efficiency);
    return (Worths){worth_undoubled(&game), worth_taken(&game), worth_of_points(stakes, stakes->cube)};
}
