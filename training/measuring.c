/* The networks as a shared library, for measure.py. Boards are rows of 26 counts seen by the player on roll; answers are the chances
 * of the six ends: backgammon, gammon and single game won, the same lost from the least. */

#include "common.h"

static float numbers[TOTAL];
static Chooser chooser = {numbers, 0, 0.25f};

void prepare(void)
{
    prepare_tables();
}

int count_numbers(void)
{
    return TOTAL;
}

/* Take all numbers of a file of weights; `keep` as in Chooser. */
void use_numbers(const float *all, int keep)
{
    memcpy(numbers, all, sizeof numbers);
    chooser.keep = keep;
}

/* The chances of boards, so many rolls ahead. */
void judge_boards(const int8_t *boards, long count, int rolls, EndChances *chances)
{
    for (long i = 0; i < count; i++)
        chances[i] = judge_ahead(&chooser, boards + SLOTS * i, rolls);
}

/* The chances by the networks alone, without the table of bear-offs. */
void judge_by_networks(const int8_t *boards, long count, EndChances *chances)
{
    for (long i = 0; i < count; i++) {
        float inputs[INPUT_ROWS], units[MAX_UNITS], sums[ENDS_WIDE];
        Inputs kept;
        Row row;
        read_single(boards + SLOTS * i, &row);
        const Kind kind = class_of(&row);
        const Layers layers = layers_at(numbers + start_of(kind), kind);
        write_all_inputs(&row, inputs);
        keep_inputs(inputs, &kept);
        add_inputs(&layers, &kept, layers.first_bias, units);
        add_units(&layers, units, sums);
        chances[i] = share_ends(&row, sums);
    }
}
