/* What c/_network.c does inside, for test_chances.py, which says where that folder is. */

#include "_game.c"
#include "_outcomes.c"

#include "_network.c"

static Network network;

int host_read(const uint8_t *file, int size)
{
    return (int)read_weights(file, (size_t)size, &network);
}

void host_inputs(const int8_t *points, float *inputs)
{
    Row row;
    const Rows rows = {points, 1, MAX_CHECKERS};
    read_row(&rows, 0, &row);
    write_seen(&network, &row, inputs);
}

/* The sums of the hidden units, by the four floats of every processor or by the eight of AVX2; false if there are none. */
int host_sums(const float *inputs, int is_wide, float *hidden)
{
    Active active;
    find_active(inputs, &active);
    if (is_wide && !HAS_AVX2)
        return 0;
    (is_wide ? add_up_by_avx2 : add_up)(&network, &active, hidden);
    return 1;
}
