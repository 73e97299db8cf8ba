/* The game of c/_game.c for Python. This needs C11 and the stable ABI of CPython 3.11. There is no state outside the module
 * object.
 */

#define PY_SSIZE_T_CLEAN
#if !defined(_MSC_VER) /* there the header chooses what to link, by Py_LIMITED_API; setuptools defines Py_GIL_DISABLED */
#include <pyconfig.h>
#endif
#if !defined(Py_LIMITED_API) && !defined(Py_GIL_DISABLED) /* free-threaded Pythons had no stable ABI at first */
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>

#include <stdlib.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "../c/_game.c"
#include "../c/_outcomes.c"

#include "../c/_network.c"

enum { INTERFACE = 14 }; /* see generator.py */

/* --- the module -------------------------------------------------------------------------------------------------- */

typedef struct {
    void *data;
    size_t size; /* bytes */
} Memory;

enum { OFFSETS, BOARDS, MOVE_ROWS, KINDS };

typedef struct {
    PyTypeObject *found;
    PyTypeObject *maker;
    PyTypeObject *maker_iterator;
    PyTypeObject *block;
    PyObject *number[256]; /* the int for each byte of a board */
    Memory spare[KINDS]; /* memory of an earlier batch, for the next one */
} State;

static State *state_of(PyObject *module)
{
    return (State *)PyModule_GetState(module);
}

static PyTypeObject *new_type(PyObject *module, PyType_Spec *spec)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
}

static void free_instance(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (PyType_GetFlags(type) & Py_TPFLAGS_HAVE_GC)
        PyObject_GC_Del(self);
    else
        PyObject_Free(self);
    Py_DECREF(type);
}

/* --- Found: the results of one roll in one object ------------------------------------------------------------------ */

typedef struct {
    PyObject_VAR_HEAD
    int8_t rows[];
} Found;

static Py_ssize_t found_length(PyObject *self)
{
    return Py_SIZE(self);
}

static PyObject *found_row(const Found *found, Py_ssize_t index)
{
    return PyBytes_FromStringAndSize((const char *)found->rows + SLOTS * index, SLOTS);
}

static PyObject *found_item(PyObject *self, Py_ssize_t index)
{
    if (index < 0 || index >= Py_SIZE(self)) {
        PyErr_Format(PyExc_IndexError, "there is no result %zd among %zd", index, Py_SIZE(self));
        return NULL;
    }
    return found_row((Found *)self, index);
}

static int found_contains(PyObject *self, PyObject *board)
{
    if (!PyBytes_Check(board) || PyBytes_Size(board) != SLOTS)
        return 0;
    const char *wanted = PyBytes_AsString(board);
    for (Py_ssize_t index = 0; index < Py_SIZE(self); index++) {
        if (memcmp(((Found *)self)->rows + SLOTS * index, wanted, SLOTS) == 0)
            return 1;
    }
    return 0;
}

static PyType_Slot found_slots[] = {
    {Py_tp_doc, (void *)"The boards that a roll leads to, 26 bytes each, as the opponent sees them."},
    {Py_tp_dealloc, (void *)free_instance},
    {Py_sq_length, (void *)found_length},
    {Py_sq_item, (void *)found_item},
    {Py_sq_contains, (void *)found_contains},
    {0, NULL},
};

static PyType_Spec found_spec = {
    .name = "gammonrules.board._kernel.Found",
    .basicsize = offsetof(Found, rows),
    .itemsize = SLOTS,
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = found_slots,
};

static PyObject *found_from(const State *state, const Sink *sink)
{
    Found *found = PyObject_NewVar(Found, state->found, (Py_ssize_t)sink->count);
    if (found != NULL)
        memcpy(found->rows, sink->boards, SLOTS * sink->count);
    return (PyObject *)found;
}

static int read_die(PyObject *die)
{
    const long face = PyLong_Check(die) ? PyLong_AsLong(die) : 0;
    if (face >= 1 && face <= 6)
        return (int)face;
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_OverflowError))
        PyErr_Format(PyExc_ValueError, "a die shows a whole number from 1 to 6, not %.100R", die);
    return 0;
}

static bool is_board(PyObject *value)
{
    if (PyBytes_Check(value) && PyBytes_Size(value) == SLOTS)
        return true;
    PyErr_Format(PyExc_TypeError, "a board is %d bytes, not %.100R", SLOTS, value);
    return false;
}

static bool read_arguments(PyObject *const *args, Py_ssize_t number, Board *board, int *high, int *low)
{
    if (number != 3) {
        PyErr_Format(PyExc_TypeError, "expected a board and two dice, not %zd arguments", number);
        return false;
    }
    if (!is_board(args[0]))
        return false;
    *high = read_die(args[1]);
    *low = *high ? read_die(args[2]) : 0;
    if (!*high || !*low)
        return false;
    if (*high < *low) {
        PyErr_Format(PyExc_ValueError, "the larger die comes first, not %d before %d", *high, *low);
        return false;
    }
    if (!read_board((const int8_t *)PyBytes_AsString(args[0]), board)) {
        PyErr_SetString(PyExc_ValueError, "not a board: more than 15 checkers a side, or a checker on the other side's bar");
        return false;
    }
    return true;
}

static PyObject *legal_plays(PyObject *module, PyObject *const *args, Py_ssize_t number)
{
    Board board;
    int high, low;
    int8_t rows[SLOTS * USUAL_PLAYS + SLACK];
    Sink sink = {.boards = rows, .capacity = USUAL_PLAYS};
    if (!read_arguments(args, number, &board, &high, &low))
        return NULL;
    enumerate(&board, high, low, &sink);
    if (!sink.full)
        return found_from(state_of(module), &sink);
    sink = (Sink){.boards = PyMem_Malloc(SLOTS * MAX_PLAYS + SLACK), .capacity = MAX_PLAYS};
    if (sink.boards == NULL)
        return PyErr_NoMemory();
    enumerate(&board, high, low, &sink);
    PyObject *found = NULL;
    if (sink.full)
        PyErr_SetString(PyExc_SystemError, "a roll has more results than there can be");
    else
        found = found_from(state_of(module), &sink);
    PyMem_Free(sink.boards);
    return found;
}

/* A move as a Python tuple; if it hits, that blot is gone. */
static PyObject *move_of(int from, int to, uint32_t *blots)
{
    const uint32_t target = to > 0 ? BIT(BAR - to) : 0;
    const bool hit = *blots & target;
    *blots &= ~target;
    return Py_BuildValue("(iiN)", from, to, PyBool_FromLong(hit));
}

static PyObject *list_of(Moves moves, uint32_t blots)
{
    PyObject *list = PyList_New(0);
    for (; list != NULL && (moves & 0xFF) != 0xFF; moves = moves >> 16 | (Moves)0xFFFF << 48) {
        PyObject *move = move_of((int)(moves & 0xFF), (int)(moves >> 8 & 0xFF), &blots);
        if (move == NULL || PyList_Append(list, move) < 0)
            Py_CLEAR(list);
        Py_XDECREF(move);
    }
    return list;
}

/* Find the moves from a board to a result of a roll, of arguments that two functions have. False with an error if these
 * are wrong; `found` says whether there are such moves. */
static bool retrace_arguments(PyObject *const *args, Py_ssize_t number, Board *board, Moves *moves, bool *found)
{
    int dice[4];
    if (number != 4 || !PyBytes_Check(args[3]) || PyBytes_Size(args[3]) != SLOTS) {
        PyErr_Format(PyExc_TypeError, "expected a board, two dice and the board after them (%d bytes)", SLOTS);
        return false;
    }
    if (!read_arguments(args, 3, board, &dice[0], &dice[1]))
        return false;
    dice[2] = dice[3] = dice[0];
    *moves = UNUSED;
    const uint32_t open = find_open(board, more_than(0, board->slots));
    *found = retrace(board, open, (const int8_t *)PyBytes_AsString(args[3]), dice, dice[0] == dice[1] ? 4 : 2, moves);
    return true;
}

static PyObject *moves_to(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    Board board;
    Moves moves;
    bool found;
    if (!retrace_arguments(args, number, &board, &moves, &found))
        return NULL;
    return found ? list_of(moves, board.blots) : Py_NewRef(Py_None);
}

/* --- plays as text -------------------------------------------------------------------------------------------------------- */

enum { MAX_TEXT_LENGTH = 4 * 12 }; /* no move is longer than "bar/24*(4) " */

/* The way of one checker: where it starts, and where each move of it ends; unused stops are 0. */
typedef struct {
    int8_t stops[7]; /* of which 5 are used: eight bytes are compared faster than six */
    int8_t last;     /* the index of its end */
} Path;

static bool are_equal(const Path *one, const Path *other)
{
    return memcmp(one, other, sizeof *one) == 0;
}

/* Join moves where a checker goes on: the first one that came there does. Returns how many checkers move. */
static int find_paths(Moves moves, Path *paths)
{
    int count = 0;
    for (; (moves & 0xFF) != 0xFF; moves = moves >> 16 | (Moves)0xFFFF << 48) {
        const int8_t from = (int8_t)(moves & 0xFF);
        int at = 0;
        while (at < count && paths[at].stops[paths[at].last] != from)
            at++;
        if (at == count)
            paths[count++] = (Path){.stops = {from}};
        paths[at].stops[++paths[at].last] = (int8_t)(moves >> 8 & 0xFF);
    }
    return count;
}

static char *put_point(char *end, int point)
{
    if (point == 0 || point == BAR) {
        memcpy(end, point ? "bar" : "off", 3);
        return end + 3;
    }
    if (point > 9)
        *end++ = (char)('0' + point / 10);
    *end++ = (char)('0' + point % 10);
    return end;
}

/* A path with its start, its end, and the stops where it hits one of these blots, which then is gone. */
static char *put_path(char *end, const Path *path, uint32_t *blots)
{
    end = put_point(end, path->stops[0]);
    for (int i = 1; i <= path->last; i++) {
        const int stop = path->stops[i];
        const uint32_t hit = stop > 0 ? *blots & BIT(BAR - stop) : 0;
        *blots &= ~hit;
        if (!hit && i < path->last)
            continue;
        *end++ = '/';
        end = put_point(end, stop);
        if (hit)
            *end++ = '*';
    }
    return end;
}

/* As canonical_text() of notation.py. */
static PyObject *text_to(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    Board board;
    Moves moves;
    bool found;
    Path paths[4];
    char text[MAX_TEXT_LENGTH], *end = text;
    if (!retrace_arguments(args, number, &board, &moves, &found))
        return NULL;
    if (!found) {
        PyErr_SetString(PyExc_ValueError, "no moves of this roll lead to that board");
        return NULL;
    }
    const int count = find_paths(moves, paths);
    if (count == 0)
        return PyUnicode_FromString("no play");
    for (int i = 0; i < count; i++) {
        int first = 0, repeats = 0;
        while (!are_equal(&paths[first], &paths[i]))
            first++;
        if (first < i) /* written already, with its repeats */
            continue;
        for (int j = i; j < count; j++)
            repeats += are_equal(&paths[j], &paths[i]);
        if (i > 0)
            *end++ = ' ';
        end = put_path(end, &paths[i], &board.blots);
        if (repeats > 1) {
            *end++ = '(';
            *end++ = (char)('0' + repeats);
            *end++ = ')';
        }
    }
    return PyUnicode_FromStringAndSize(text, end - text);
}

/* --- a turn move by move ------------------------------------------------------------------------------------------------- */

/* A move as a Python tuple: from, to, die, and the number of the node after it. */
static PyObject *branch_tuple(const State *state, const Graph *graph, const Branch *branch)
{
    const int to = branch->from + branch->die < BAR ? BAR - branch->from - branch->die : 0;
    PyObject *tuple = NULL, *number = PyLong_FromLong(graph->stages[branch->after].number);
    if (number != NULL) {
        tuple = PyTuple_Pack(4, state->number[BAR - branch->from], state->number[to], state->number[branch->die], number);
        Py_DECREF(number);
    }
    return tuple;
}

static PyObject *node_tuple(const State *state, const Graph *graph, const Stage *stage)
{
    Py_ssize_t size = 0;
    for (int j = stage->first; j < stage->end; j++)
        size += graph->stages[graph->branches[j].after].kept;
    PyObject *node = PyTuple_New(size);
    for (int j = stage->end; node != NULL && j-- > stage->first;) {
        if (!graph->stages[graph->branches[j].after].kept)
            continue;
        PyObject *branch = branch_tuple(state, graph, &graph->branches[j]);
        if (branch == NULL)
            Py_CLEAR(node);
        else
            PyTuple_SetItem(node, --size, branch);
    }
    return node;
}

static PyObject *turn_nodes(PyObject *module, PyObject *const *args, Py_ssize_t number)
{
    Board board;
    int high, low;
    if (!read_arguments(args, number, &board, &high, &low))
        return NULL;
    Graph *graph = PyMem_Malloc(sizeof *graph);
    if (graph == NULL)
        return PyErr_NoMemory();
    PyObject *nodes = PyTuple_New(explore(graph, board, high, low));
    for (int i = 0; i < graph->stage_count && nodes != NULL; i++) {
        const Stage *stage = &graph->stages[i];
        PyObject *node = stage->kept ? node_tuple(state_of(module), graph, stage) : NULL;
        if (node != NULL)
            PyTuple_SetItem(nodes, stage->number, node);
        else if (stage->kept)
            Py_CLEAR(nodes);
    }
    PyMem_Free(graph);
    return nodes;
}

/* --- functions for the hottest loops --------------------------------------------------------------------------------- */

static int plain_face(PyObject *die)
{
    int overflow = 0;
    const long face = PyLong_CheckExact(die) ? PyLong_AsLongAndOverflow(die, &overflow) : 0;
    return face >= 1 && face <= 6 ? (int)face : 0;
}

/* As facts_in_python in records/archive/board_facts.py. */
static PyObject *facts_of(PyObject *Py_UNUSED(module), PyObject *value)
{
    if (!is_board(value))
        return NULL;
    const int8_t *board = (const int8_t *)PyBytes_AsString(value);
    int8_t opposing[WIDTH];
    store(opposing, turned(board));
    const Side mine = read_side(board), theirs = read_side(opposing);
    if (mine.checkers > MAX_CHECKERS || theirs.checkers > MAX_CHECKERS) {
        PyErr_Format(PyExc_ValueError, "a side has at most %d checkers", MAX_CHECKERS);
        return NULL;
    }
    uint32_t wide[ID_LENGTH + 2];
    char identifier[ID_LENGTH];
    const int length = FIELDS + theirs.checkers;
    const uint64_t bits = bits_of_side(board);
    encode(bits_of_side(opposing) | bits << length, bits >> (64 - length), wide);
    for (int i = 0; i < ID_LENGTH; i++)
        identifier[i] = (char)wide[i];
    return Py_BuildValue("s#Oiiiiiiiiii", identifier, (Py_ssize_t)ID_LENGTH, mine.rear + theirs.rear < BAR ? Py_True : Py_False,
                         mine.checkers, mine.pips, mine.bar, mine.prime, mine.anchors, theirs.checkers, theirs.pips, theirs.bar,
                         theirs.prime, theirs.anchors);
}

/* The outcomes to which a game that is not over can lead, as bits. */
static PyObject *possible_outcomes(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    if (number != 2 || !PyLong_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "expected a board and a number of checkers");
        return NULL;
    }
    if (!is_board(args[0]))
        return NULL;
    Row row;
    const long checkers = PyLong_AsLong(args[1]);
    const Rows single = {(const int8_t *)PyBytes_AsString(args[0]), 1, (int)checkers};
    const bool is_possible = 1 <= checkers && checkers <= MAX_CHECKERS && read_row(&single, 0, &row);
    if (!is_possible || !row.mine || !row.theirs) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "this is no board of a game that goes on with so many checkers");
        return NULL;
    }
    LookAhead ahead;
    return PyLong_FromLong((long)possible_outcomes_of(&ahead, single.points, single.checkers));
}

/* The faces of a roll as a number of two digits, if it is a string like "31" or a pair of ints; 0 for anything else. */
static PyObject *faces_of(PyObject *module, PyObject *dice)
{
    int one = 0, other = 0;
    if (PyTuple_CheckExact(dice) && PyTuple_Size(dice) == 2) {
        one = plain_face(PyTuple_GetItem(dice, 0));
        other = plain_face(PyTuple_GetItem(dice, 1));
    } else if (PyUnicode_CheckExact(dice) && PyUnicode_GetLength(dice) == 2) {
        const uint32_t first = PyUnicode_ReadChar(dice, 0) - '0', second = PyUnicode_ReadChar(dice, 1) - '0';
        one = first <= 6 ? (int)first : 0;
        other = second <= 6 ? (int)second : 0;
    }
    return Py_NewRef(state_of(module)->number[one && other ? 10 * one + other : 0]);
}

/* --- Maker: values made without running their constructor -------------------------------------------------------------- */

typedef struct {
    PyObject_VAR_HEAD /* the size is the number of fields */
    PyTypeObject *type;
    allocfunc allocate;
    Py_ssize_t offsets[]; /* of each field, in bytes */
} Maker;

static PyObject **field_of(PyObject *value, Py_ssize_t offset)
{
    return (PyObject **)(void *)((char *)value + offset);
}

static PyObject *make(PyObject *self, PyObject *const *values)
{
    const Maker *maker = (Maker *)self;
    PyObject *made = maker->allocate(maker->type, 0);
    for (Py_ssize_t i = 0; made != NULL && i < Py_SIZE(self); i++)
        *field_of(made, maker->offsets[i]) = Py_NewRef(values[i]);
    return made;
}

static PyObject *maker_make(PyObject *self, PyObject *const *values, Py_ssize_t number)
{
    if (number != Py_SIZE(self)) {
        PyErr_Format(PyExc_TypeError, "expected %zd values, not %zd", Py_SIZE(self), number);
        return NULL;
    }
    return make(self, values);
}

static int maker_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Maker *)self)->type);
    return 0;
}

static void maker_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_CLEAR(((Maker *)self)->type);
    free_instance(self);
}

/* The size of the objects of a class, in bytes, or -1. */
static Py_ssize_t size_of_objects(PyTypeObject *type)
{
    PyObject *size = PyObject_GetAttrString((PyObject *)type, "__basicsize__");
    const Py_ssize_t bytes = size == NULL ? -1 : PyLong_AsSsize_t(size);
    Py_XDECREF(size);
    return bytes;
}

/* The offset of a slot in the objects of its class, or -1. The stable ABI does not give it, but the setter of the slot
 * changes an empty object at that place only. Setters of slots refuse objects without the slot; other descriptors may do
 * anything, so they are not tried. A Python that keeps slots elsewhere has none within the size of an object. */
static Py_ssize_t find_offset(PyTypeObject *type, Py_ssize_t size, PyObject *empty, PyObject *name)
{
    const descrsetfunc set = (descrsetfunc)PyType_GetSlot(&PyMemberDescr_Type, Py_tp_descr_set);
    PyObject *member = PyObject_GetAttr((PyObject *)type, name);
    Py_ssize_t offset = -1;
    if (member != NULL && !Py_IS_TYPE(member, &PyMemberDescr_Type)) {
        PyErr_Format(PyExc_TypeError, "%R is not a slot of %R", name, type);
    } else if (member != NULL && set(member, empty, Py_None) == 0) {
        const Py_ssize_t last = size - (Py_ssize_t)sizeof(PyObject *);
        offset = sizeof(PyObject);
        while (offset <= last && *field_of(empty, offset) != Py_None)
            offset += (Py_ssize_t)sizeof(PyObject *);
        if (set(member, empty, NULL) < 0) {
            offset = -1;
        } else if (offset > last) {
            PyErr_Format(PyExc_RuntimeError, "objects of %R do not have %R where this kernel looks", type, name);
            offset = -1;
        }
    }
    Py_XDECREF(member);
    return offset;
}

static PyObject *new_maker(PyTypeObject *maker_type, PyObject *args, PyObject *keywords)
{
    const Py_ssize_t number = PyTuple_Size(args) - 1;
    PyObject *given = number >= 0 ? PyTuple_GetItem(args, 0) : NULL;
    PyTypeObject *type = (PyTypeObject *)given;
    if (keywords != NULL || given == NULL || !PyType_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "expected a class and the names of some of its slots");
        return NULL;
    }
    if (PyType_GetSlot(type, Py_tp_new) != PyType_GetSlot(&PyBaseObject_Type, Py_tp_new)) {
        PyErr_Format(PyExc_TypeError, "%R is not made by object.__new__", type);
        return NULL;
    }
    Maker *maker = PyObject_GC_NewVar(Maker, maker_type, number);
    if (maker == NULL)
        return NULL;
    maker->type = (PyTypeObject *)Py_NewRef(given);
    maker->allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    const Py_ssize_t size = size_of_objects(type);
    PyObject *empty = size < 0 ? NULL : maker->allocate(type, 0);
    for (Py_ssize_t i = 0; empty != NULL && i < number; i++) {
        maker->offsets[i] = find_offset(type, size, empty, PyTuple_GetItem(args, i + 1));
        if (maker->offsets[i] < 0)
            Py_CLEAR(empty);
    }
    PyObject_GC_Track((PyObject *)maker); /* only now that it has its offsets, since code of the class may find it */
    if (empty == NULL)
        Py_CLEAR(maker);
    Py_XDECREF(empty);
    return (PyObject *)maker;
}

static PyMethodDef maker_methods[] = {
    {"make", (PyCFunction)(void (*)(void))maker_make, METH_FASTCALL, "A new value with these fields, unchecked."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot maker_slots[] = {
    {Py_tp_doc, (void *)"Makes values of a slotted class without running its constructor."},
    {Py_tp_new, (void *)new_maker},
    {Py_tp_dealloc, (void *)maker_dealloc},
    {Py_tp_traverse, (void *)maker_traverse},
    {Py_tp_methods, maker_methods},
    {0, NULL},
};

static PyType_Spec maker_spec = {
    .name = "gammonrules.board._kernel.Maker",
    .basicsize = offsetof(Maker, offsets),
    .itemsize = sizeof(Py_ssize_t),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = maker_slots,
};

/* --- the attribute `points` of positions, which programs read for every play ------------------------------------------- */

typedef struct {
    PyObject_HEAD
    Maker *positions; /* its first field is the board */
} Points;

static PyObject *points_get(PyObject *self, PyObject *position, PyObject *Py_UNUSED(type))
{
    PyObject *const *number = ((State *)PyType_GetModuleState(Py_TYPE(self)))->number;
    const Maker *positions = ((Points *)self)->positions;
    if (position == NULL)
        return Py_NewRef(self);
    if (!PyObject_TypeCheck(position, positions->type)) {
        PyErr_Format(PyExc_TypeError, "%.100R is not a position", position);
        return NULL;
    }
    PyObject *board = *field_of(position, positions->offsets[0]);
    if (!is_board(board == NULL ? Py_None : board)) /* made by object.__new__ */
        return NULL;
    const uint8_t *at = (const uint8_t *)PyBytes_AsString(board);
#define NUMBERS(i) number[at[i]], number[at[i + 1]], number[at[i + 2]], number[at[i + 3]], number[at[i + 4]], number[at[i + 5]]
    return PyTuple_Pack(SLOTS, number[at[0]], NUMBERS(1), NUMBERS(7), NUMBERS(13), NUMBERS(19), number[at[25]]);
#undef NUMBERS
}

static int points_set(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(position), PyObject *Py_UNUSED(value))
{
    PyErr_SetString(PyExc_AttributeError, "points cannot be set");
    return -1;
}

static int points_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Points *)self)->positions);
    return 0;
}

static void points_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_CLEAR(((Points *)self)->positions);
    free_instance(self);
}

/* Arguments: the Maker of positions, and the docstring. */
static PyObject *points_of(PyObject *module, PyObject *const *args, Py_ssize_t number)
{
    if (number != 2 || !Py_IS_TYPE(args[0], state_of(module)->maker) || Py_SIZE(args[0]) == 0) {
        PyErr_SetString(PyExc_TypeError, "expected a Maker of a field or more, and a text");
        return NULL;
    }
    const char *doc = PyUnicode_AsUTF8AndSize(args[1], NULL);
    if (doc == NULL)
        return NULL;
    PyType_Slot descriptor_slots[] = {
        {Py_tp_doc, (void *)doc},
        {Py_tp_dealloc, (void *)points_dealloc},
        {Py_tp_traverse, (void *)points_traverse},
        {Py_tp_descr_get, (void *)points_get},
        {Py_tp_descr_set, (void *)points_set},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = "gammonrules.board._kernel.Points",
        .basicsize = sizeof(Points),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
        .slots = descriptor_slots,
    };
    PyTypeObject *type = new_type(module, &spec);
    if (type == NULL)
        return NULL;
    Points *points = PyObject_GC_New(Points, type);
    Py_DECREF(type);
    if (points == NULL)
        return NULL;
    points->positions = (Maker *)Py_NewRef(args[0]);
    PyObject_GC_Track((PyObject *)points);
    return (PyObject *)points;
}

/* --- MakerIterator: the plays of a Found, one after the other ---------------------------------------------------------- */

enum { FOUND, MAKE_PLAY, MAKE_POSITION, BEFORE, DICE, CHECKERS, PARTS };

typedef struct {
    PyObject_HEAD
    Py_ssize_t next;
    PyObject *parts[PARTS];
} MakerIterator;

static PyObject *iterator_next(PyObject *self)
{
    MakerIterator *iterator = (MakerIterator *)self;
    PyObject *const *parts = iterator->parts;
    const Py_ssize_t index = iterator->next; /* read once, since another thread may be here too */
    if (index >= Py_SIZE(parts[FOUND]))
        return NULL;
    iterator->next = index + 1;
    PyObject *board = found_row((Found *)parts[FOUND], index);
    if (board == NULL)
        return NULL;
    PyObject *position = make(parts[MAKE_POSITION], (PyObject *[]){board, parts[CHECKERS]});
    Py_DECREF(board);
    if (position == NULL)
        return NULL;
    PyObject *play = make(parts[MAKE_PLAY], (PyObject *[]){parts[BEFORE], parts[DICE], position});
    Py_DECREF(position);
    return play;
}

static int iterator_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    for (int i = 0; i < PARTS; i++)
        Py_VISIT(((MakerIterator *)self)->parts[i]);
    return 0;
}

static void iterator_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    for (int i = 0; i < PARTS; i++)
        Py_CLEAR(((MakerIterator *)self)->parts[i]);
    free_instance(self);
}

static PyObject *plays_of(PyObject *module, PyObject *const *args, Py_ssize_t number)
{
    const State *state = state_of(module);
    if (number != PARTS || !Py_IS_TYPE(args[FOUND], state->found) || !Py_IS_TYPE(args[MAKE_PLAY], state->maker) ||
        !Py_IS_TYPE(args[MAKE_POSITION], state->maker) || Py_SIZE(args[MAKE_PLAY]) != 3 ||
        Py_SIZE(args[MAKE_POSITION]) != 2) {
        PyErr_SetString(PyExc_TypeError, "expected a Found, a Maker of 3 fields, one of 2, and 3 values");
        return NULL;
    }
    for (int i = BEFORE; i < PARTS; i++) {
        if (Py_IS_TYPE(args[i], state->maker_iterator)) { /* nested a million deep, freeing would recurse as deep */
            PyErr_SetString(PyExc_TypeError, "plays cannot contain plays");
            return NULL;
        }
    }
    MakerIterator *iterator = PyObject_GC_New(MakerIterator, state->maker_iterator);
    if (iterator == NULL)
        return NULL;
    iterator->next = 0;
    for (int i = 0; i < PARTS; i++)
        iterator->parts[i] = Py_NewRef(args[i]);
    PyObject_GC_Track((PyObject *)iterator);
    return (PyObject *)iterator;
}

static PyType_Slot iterator_slots[] = {
    {Py_tp_dealloc, (void *)iterator_dealloc},
    {Py_tp_traverse, (void *)iterator_traverse},
    {Py_tp_iter, (void *)PyObject_SelfIter},
    {Py_tp_iternext, (void *)iterator_next},
    {0, NULL},
};

static PyType_Spec iterator_spec = {
    .name = "gammonrules.board._kernel.MakerIterator",
    .basicsize = sizeof(MakerIterator),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = iterator_slots,
};

/* --- Block: memory that was filled without the interpreter, passed on without a copy --------------------------------- */

typedef struct {
    PyObject_HEAD
    Memory memory;
    Py_ssize_t size; /* bytes filled */
    int kind;
} Block;

/* Fresh pages from the system can double the time of a large batch, so the next batch gets those of the last: at most
 * 88 MB in all, enough for 2.5 million plays, or about 100,000 rolls. Larger memory goes back to the system. */
static const size_t MAX_SPARE[KINDS] = {(size_t)4 << 20, (size_t)64 << 20, (size_t)20 << 20};

static void keep_for_the_next(State *state, int kind, Memory memory)
{
#if !defined(Py_GIL_DISABLED) /* without the GIL, two threads could get the same memory */
    const size_t least = (size_t)1 << 16;
    if (memory.size >= least && memory.size <= MAX_SPARE[kind]) {
        const Memory older = state->spare[kind];
        state->spare[kind] = memory;
        memory = older;
    }
#else
    (void)state, (void)kind;
#endif
    free(memory.data);
}

/* The memory of an earlier batch, unless it is larger than this. */
static Memory take_spare(State *state, int kind, size_t most)
{
    const Memory spare = state->spare[kind];
    if (spare.size > most)
        return (Memory){NULL, 0};
    state->spare[kind] = (Memory){NULL, 0};
    return spare;
}

static int block_buffer(PyObject *self, Py_buffer *view, int flags)
{
    return PyBuffer_FillInfo(view, self, ((Block *)self)->memory.data, ((Block *)self)->size, 0, flags);
}

static void block_dealloc(PyObject *self)
{
    Block *block = (Block *)self;
    keep_for_the_next(PyType_GetModuleState(Py_TYPE(self)), block->kind, block->memory);
    free_instance(self);
}

static PyType_Slot block_slots[] = {
    {Py_tp_doc, (void *)"A writable buffer of bytes."},
    {Py_tp_dealloc, (void *)block_dealloc},
    {Py_bf_getbuffer, (void *)block_buffer},
    {0, NULL},
};

static PyType_Spec block_spec = {
    .name = "gammonrules.board._kernel.Block",
    .basicsize = sizeof(Block),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = block_slots,
};

/* A block that owns this memory. It is trimmed only if much of it is unused: otherwise a slightly larger batch would have
 * to enlarge it again. If no block can be made, the memory is freed. */
static PyObject *block_of(const State *state, int kind, Memory memory, size_t size)
{
    if (size < memory.size / 8 * 5) {
        void *trimmed = realloc(memory.data, size ? size : 1);
        if (trimmed != NULL)
            memory = (Memory){trimmed, size ? size : 1};
    }
    Block *block = PyObject_New(Block, state->block);
    if (block == NULL) {
        free(memory.data);
        return NULL;
    }
    block->memory = memory;
    block->size = (Py_ssize_t)size;
    block->kind = kind;
    return (PyObject *)block;
}

/* --- many boards at once ---------------------------------------------------------------------------------------------- */

typedef enum { DONE, NO_MEMORY, BAD_BOARD, BAD_DICE, TOO_MANY } Ending;

typedef struct {
    const int8_t *points; /* count x 26 */
    const volatile int8_t *dice; /* count x 2, in either order */
    size_t count;
    Memory memory[KINDS]; /* count + 1 offsets, and the rows of the sink */
    Sink sink;
    size_t stopped_at;
} Batch;

/* Ask for large pages where the system has them: otherwise most of the time goes into getting small ones. */
static void prefer_large_pages(Memory memory)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t page = 1 << 16, start = ((uintptr_t)memory.data + page - 1) & ~(page - 1); /* a multiple of any */
    if (memory.size >= (size_t)1 << 22)
        (void)madvise((void *)start, (memory.size - (start - (uintptr_t)memory.data)) & ~(size_t)(page - 1), MADV_HUGEPAGE);
#else
    (void)memory;
#endif
}

static bool enlarge(Memory *memory, size_t size)
{
    if (size <= memory->size)
        return true;
    void *larger = realloc(memory->data, size);
    if (larger == NULL)
        return false;
    *memory = (Memory){larger, size};
    prefer_large_pages(*memory);
    return true;
}

/* Make space for this many results in all. */
static bool make_space(Batch *batch, size_t capacity)
{
    Memory *boards = &batch->memory[BOARDS], *moves = &batch->memory[MOVE_ROWS];
    if (!enlarge(boards, capacity * SLOTS + SLACK) || !enlarge(moves, capacity * MOVES))
        return false;
    const size_t most_boards = (boards->size - SLACK) / SLOTS, most_moves = moves->size / MOVES;
    batch->sink.boards = boards->data;
    batch->sink.moves = moves->data;
    batch->sink.capacity = most_boards < most_moves ? most_boards : most_moves;
    return true;
}

/* Make sure that the results of one more roll fit. There is space for a small part of the batch at first, then for all of
 * it, assuming that the rest is like that part; if that is too much, for some more. */
static bool reserve(Batch *batch, size_t done)
{
    const Sink *sink = &batch->sink;
    const size_t most = (PY_SSIZE_T_MAX - SLACK) / SLOTS / 2, left = batch->count - done;
    if (sink->capacity - sink->count >= MAX_PLAYS)
        return true;
    if (sink->count > most || left > most)
        return false;
    const double average = (double)sink->count / (double)(done ? done : 1) * 1.05, expected = average * (double)left;
    const size_t more = expected < (double)most ? (size_t)expected : 0, least = sink->capacity / 8 + left;
    return (more > least && make_space(batch, sink->count + more + MAX_PLAYS)) ||
           make_space(batch, sink->count + least + MAX_PLAYS);
}

/* Fill offsets and sink. This runs without the interpreter, so nothing is read twice that another thread may change. */
static Ending run_batch(Batch *batch)
{
    int64_t *const offsets = batch->memory[OFFSETS].data;
    offsets[0] = 0;
    for (size_t i = 0; i < batch->count; i++) {
        Board board;
        const int one = batch->dice[2 * i], other = batch->dice[2 * i + 1];
        batch->stopped_at = i;
        if (one < 1 || one > 6 || other < 1 || other > 6)
            return BAD_DICE;
        if (!read_board(batch->points + SLOTS * i, &board))
            return BAD_BOARD;
        if (!reserve(batch, i))
            return NO_MEMORY;
        enumerate(&board, one > other ? one : other, one > other ? other : one, &batch->sink);
        if (batch->sink.full)
            return TOO_MANY;
        offsets[i + 1] = (int64_t)batch->sink.count;
    }
    return DONE;
}

static void raise_ending(Ending ending, size_t stopped_at)
{
    if (ending == NO_MEMORY)
        PyErr_NoMemory();
    else if (ending == BAD_DICE)
        PyErr_Format(PyExc_ValueError, "case %zu: a die shows a whole number from 1 to 6", stopped_at);
    else if (ending == BAD_BOARD)
        PyErr_Format(PyExc_ValueError,
                     "case %zu: not a board: more than 15 checkers a side, or a checker on the other side's bar", stopped_at);
    else
        PyErr_Format(PyExc_SystemError, "case %zu: a roll has more results than there can be", stopped_at);
}

/* The results of the batch as three blocks. */
static PyObject *batch_result(const State *state, const Batch *batch)
{
    const size_t sizes[KINDS] = {(batch->count + 1) * sizeof(int64_t), batch->sink.count * SLOTS, batch->sink.count * MOVES};
    PyObject *blocks[KINDS], *result = NULL;
    for (int kind = 0; kind < KINDS; kind++)
        blocks[kind] = block_of(state, kind, batch->memory[kind], sizes[kind]);
    if (blocks[OFFSETS] != NULL && blocks[BOARDS] != NULL && blocks[MOVE_ROWS] != NULL)
        result = PyTuple_Pack(KINDS, blocks[OFFSETS], blocks[BOARDS], blocks[MOVE_ROWS]);
    for (int kind = 0; kind < KINDS; kind++)
        Py_XDECREF(blocks[kind]);
    return result;
}

/* Take the memory of earlier batches, unless it is far more than this one will need. */
static bool take_spares(State *state, Batch *batch)
{
    const size_t usual = 64, count = batch->count;
    if (count >= PY_SSIZE_T_MAX / (usual * SLOTS))
        return false;
    batch->memory[OFFSETS] = take_spare(state, OFFSETS, usual * count);
    batch->memory[BOARDS] = take_spare(state, BOARDS, usual * count * SLOTS);
    batch->memory[MOVE_ROWS] = take_spare(state, MOVE_ROWS, usual * count * MOVES);
    return enlarge(&batch->memory[OFFSETS], (count + 1) * sizeof(int64_t)) && make_space(batch, 0);
}

static PyObject *legal_plays_of_views(State *state, const Py_buffer *points, const Py_buffer *dice)
{
    if (points->len % SLOTS || dice->len % 2 || points->len / SLOTS != dice->len / 2) {
        PyErr_Format(PyExc_ValueError, "%zd bytes of boards do not match %zd bytes of dice", points->len, dice->len);
        return NULL;
    }
    Batch batch = {.points = points->buf, .dice = dice->buf, .count = (size_t)(points->len / SLOTS)};
    Ending ending = NO_MEMORY;
    if (take_spares(state, &batch)) {
        Py_BEGIN_ALLOW_THREADS
        ending = run_batch(&batch);
        Py_END_ALLOW_THREADS
    }
    if (ending == DONE)
        return batch_result(state, &batch);
    raise_ending(ending, batch.stopped_at);
    for (int kind = 0; kind < KINDS; kind++)
        free(batch.memory[kind].data);
    return NULL;
}

static PyObject *legal_plays_of_many(PyObject *module, PyObject *const *args, Py_ssize_t number)
{
    Py_buffer points, dice;
    PyObject *result = NULL;
    if (number != 2) {
        PyErr_Format(PyExc_TypeError, "expected boards and dice, not %zd arguments", number);
        return NULL;
    }
    if (PyObject_GetBuffer(args[0], &points, PyBUF_SIMPLE) < 0)
        return NULL;
    if (PyObject_GetBuffer(args[1], &dice, PyBUF_SIMPLE) == 0) {
        result = legal_plays_of_views(state_of(module), &points, &dice);
        PyBuffer_Release(&dice);
    }
    PyBuffer_Release(&points);
    return result;
}

/* --- what can be read from many boards ---------------------------------------------------------------------------------- */

static PyObject *fill_view(const Py_buffer *points, const Py_buffer *out, int checkers, size_t width, Fill *fill)
{
    const Rows rows = {points->buf, (size_t)points->len / SLOTS, checkers};
    size_t done;
    if (points->len % SLOTS || (size_t)out->len % width || (size_t)out->len / width != rows.count) {
        PyErr_Format(PyExc_ValueError, "%zd bytes of boards do not match %zd bytes of results", points->len, out->len);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    done = fill(&rows, out->buf);
    Py_END_ALLOW_THREADS
    if (done == rows.count)
        Py_RETURN_NONE;
    PyErr_Format(PyExc_ValueError, "case %zu: not a board", done);
    return NULL;
}

/* Arguments: boards, memory for the results (`width` bytes each), and how many checkers a side has. */
static PyObject *fill_with(PyObject *const *args, Py_ssize_t number, size_t width, Fill *fill)
{
    Py_buffer points, out;
    PyObject *result = NULL;
    const long checkers = number == 3 && PyLong_Check(args[2]) ? PyLong_AsLong(args[2]) : 0;
    if (checkers < 1 || checkers > MAX_CHECKERS) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "expected boards, memory and a number of checkers from 1 to 15");
        return NULL;
    }
    if (PyObject_GetBuffer(args[0], &points, PyBUF_SIMPLE) < 0)
        return NULL;
    if (PyObject_GetBuffer(args[1], &out, PyBUF_WRITABLE) == 0) {
        result = fill_view(&points, &out, (int)checkers, width, fill);
        PyBuffer_Release(&out);
    }
    PyBuffer_Release(&points);
    return result;
}

static PyObject *flip(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    return fill_with(args, number, SLOTS, fill_flipped);
}

static PyObject *pip_counts(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    return fill_with(args, number, 2 * sizeof(int32_t), fill_pip_counts);
}

static PyObject *outcomes(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    return fill_with(args, number, sizeof(int8_t), fill_outcomes);
}

static PyObject *features(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    return fill_with(args, number, INPUTS * sizeof(float), fill_features);
}

static PyObject *to_ids(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    return fill_with(args, number, ID_LENGTH * sizeof(uint32_t), fill_ids);
}

static PyObject *read_views(const Py_buffer *texts, const Py_buffer *points, const Py_buffer *is_read, int checkers)
{
    const size_t count = (size_t)is_read->len, width = count ? (size_t)texts->len / count : ID_LENGTH;
    if (width < ID_LENGTH || (size_t)texts->len != count * width || points->len % SLOTS || (size_t)points->len / SLOTS != count) {
        PyErr_Format(PyExc_ValueError, "%zd bytes of texts and %zd of boards do not match %zd results", texts->len, points->len,
                     is_read->len);
        return NULL;
    }
    Ids ids = {.texts = texts->buf, .count = count, .width = width, .checkers = checkers};
    Py_BEGIN_ALLOW_THREADS
    fill_boards(&ids, points->buf, is_read->buf);
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

/* Arguments: texts, memory for boards, memory for whether each was read, and how many checkers a side has. */
static PyObject *from_ids(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    Py_buffer views[3];
    PyObject *result = NULL;
    int held = 0;
    const long checkers = number == 4 && PyLong_Check(args[3]) ? PyLong_AsLong(args[3]) : 0;
    if (checkers < 1 || checkers > MAX_CHECKERS) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "expected texts, memory for boards and results, and a number of checkers from 1 to 15");
        return NULL;
    }
    while (held < 3 && PyObject_GetBuffer(args[held], &views[held], held ? PyBUF_WRITABLE : PyBUF_SIMPLE) == 0)
        held++;
    if (held == 3)
        result = read_views(&views[0], &views[1], &views[2], (int)checkers);
    while (held > 0)
        PyBuffer_Release(&views[--held]);
    return result;
}

/* --- the best plays of many boards ---------------------------------------------------------------------------------------- */

typedef struct {
    const char *offsets; /* count + 1 int64; nothing in here need be aligned */
    const char *scores;
    char *best; /* count int64, the rows */
    size_t count, rows;
} Choice;

static inline int64_t offset_at(const Choice *choice, size_t index)
{
    int64_t offset;
    memcpy(&offset, choice->offsets + sizeof offset * index, sizeof offset);
    return offset;
}

/* The first of the highest scores of each board, -1 if it has no rows. False if a score is NaN, or offsets fall. */
#define DEFINE_CHOOSE(name, Number)                                                                                      \
    static bool name(const Choice *choice)                                                                               \
    {                                                                                                                    \
        int64_t row = 0;                                                                                                 \
        if (offset_at(choice, 0) != 0)                                                                                   \
            return false;                                                                                                \
        for (size_t i = 0; i < choice->count; i++) {                                                                     \
            const int64_t end = offset_at(choice, i + 1);                                                                \
            int64_t best = row < end ? row : -1;                                                                         \
            Number highest = 0, score;                                                                                   \
            if (end < row || (uint64_t)end > choice->rows)                                                               \
                return false;                                                                                            \
            if (row < end)                                                                                               \
                memcpy(&highest, choice->scores + sizeof score * (size_t)row, sizeof score);                             \
            bool is_number = highest == highest;                                                                         \
            for (; row < end; row++) {                                                                                   \
                memcpy(&score, choice->scores + sizeof score * (size_t)row, sizeof score);                               \
                is_number &= score == score;                                                                             \
                best = score > highest ? row : best;                                                                     \
                highest = score > highest ? score : highest;                                                             \
            }                                                                                                            \
            if (!is_number)                                                                                              \
                return false;                                                                                            \
            memcpy(choice->best + sizeof best * i, &best, sizeof best);                                                  \
        }                                                                                                                \
        return (size_t)row == choice->rows;                                                                              \
    }
DEFINE_CHOOSE(choose_by_float, float)
DEFINE_CHOOSE(choose_by_double, double)
DEFINE_CHOOSE(choose_by_int64, int64_t)
#undef DEFINE_CHOOSE

/* Which of them compares scores of this format of the struct module; NULL if none does. */
static bool (*chooser_of(const Py_buffer *scores))(const Choice *)
{
    const char *format = scores->format == NULL ? "" : scores->format;
    if (*format != 0 && strchr("@=^", *format) != NULL) /* the byte order of this machine; not aligned, perhaps */
        format++;
    if (strcmp(format, "f") == 0)
        return choose_by_float;
    if (strcmp(format, "d") == 0)
        return choose_by_double;
    if ((strcmp(format, "q") == 0 || strcmp(format, "l") == 0) && scores->itemsize == sizeof(int64_t))
        return choose_by_int64;
    return NULL;
}

static PyObject *best_of_views(const Py_buffer *offsets, const Py_buffer *scores, const Py_buffer *best)
{
    bool (*const choose)(const Choice *) = chooser_of(scores);
    const size_t wide = sizeof(int64_t), lengths = (size_t)offsets->len;
    bool done;
    if (choose == NULL) {
        PyErr_SetString(PyExc_TypeError, "scores are floats, doubles, or integers of 8 bytes");
        return NULL;
    }
    if (lengths % wide || lengths == 0 || (size_t)best->len != lengths - wide) {
        PyErr_Format(PyExc_ValueError, "%zd bytes of offsets do not match %zd bytes of results", offsets->len, best->len);
        return NULL;
    }
    const Choice choice = {offsets->buf, scores->buf, best->buf, lengths / wide - 1, (size_t)(scores->len / scores->itemsize)};
    Py_BEGIN_ALLOW_THREADS
    done = choose(&choice);
    Py_END_ALLOW_THREADS
    if (done)
        Py_RETURN_NONE;
    PyErr_SetString(PyExc_ValueError, "a score is not a number, or the offsets do not match the scores");
    return NULL;
}

/* Arguments: offsets, scores, and memory for the rows. */
static PyObject *best(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    static const int flags[3] = {PyBUF_SIMPLE, PyBUF_ND | PyBUF_FORMAT, PyBUF_WRITABLE};
    Py_buffer views[3];
    PyObject *result = NULL;
    int held = 0;
    if (number != 3) {
        PyErr_Format(PyExc_TypeError, "expected offsets, scores and memory, not %zd arguments", number);
        return NULL;
    }
    while (held < 3 && PyObject_GetBuffer(args[held], &views[held], flags[held]) == 0)
        held++;
    if (held == 3)
        result = best_of_views(&views[0], &views[1], &views[2]);
    while (held > 0)
        PyBuffer_Release(&views[--held]);
    return result;
}

/* --- chances by the network -------------------------------------------------------------------------------------------- */

/* Argument: a file of weights. The network is bytes, which the functions below take. */
static PyObject *network(PyObject *Py_UNUSED(module), PyObject *file)
{
    static const char *const PROBLEMS[] = {
        [WRONG_SIZE] = "it has another size", [WRONG_HEADER] = "it does not begin as one",
        [WRONG_SUM] = "its checksum is wrong", [NOT_FINITE] = "a number is not finite",
    };
    char *bytes;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(file, &bytes, &size) < 0)
        return NULL;
    PyObject *result = PyBytes_FromStringAndSize(NULL, sizeof(Network));
    if (result == NULL)
        return NULL;
    const WeightsProblem problem = read_weights((const uint8_t *)bytes, (size_t)size, (Network *)PyBytes_AsString(result));
    if (problem == WEIGHTS_READ)
        return result;
    Py_DECREF(result);
    PyErr_SetString(PyExc_ValueError, PROBLEMS[problem]);
    return NULL;
}

/* The table of bear-offs, which is bytes that `chances` takes. */
static PyObject *bearoffs(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused))
{
    PyObject *table = PyBytes_FromStringAndSize(NULL, sizeof(BearoffTable));
    if (table == NULL)
        return NULL;
    BearoffTable *const content = (BearoffTable *)PyBytes_AsString(table);
    Py_BEGIN_ALLOW_THREADS
    solve_bearoffs(content);
    Py_END_ALLOW_THREADS
    return table;
}

/* Argument: a board. */
static PyObject *bearoff_efficiency_on(PyObject *Py_UNUSED(module), PyObject *board)
{
    Row row;
    if (!is_board(board))
        return NULL;
    const Rows rows = {(const int8_t *)PyBytes_AsString(board), 1, MAX_CHECKERS};
    if (!read_row(&rows, 0, &row)) {
        PyErr_SetString(PyExc_ValueError, "row 0 is no board");
        return NULL;
    }
    return is_bearoff(&row) ? PyFloat_FromDouble(bearoff_efficiency(&row)) : Py_NewRef(Py_None);
}

/* What is written of a board; `boards` has room for all plays of a roll. */
typedef void Judge(const Evaluator *evaluator, const Row *row, int8_t *boards, float *out);

static void judge_now(const Evaluator *evaluator, const Row *row, int8_t *Py_UNUSED(boards), float *out)
{
    chances_of(evaluator, row, out);
}

static void judge_rolls(const Evaluator *evaluator, const Row *row, int8_t *boards, float *out)
{
    look_at_rolls(evaluator, row, boards, (AfterRoll *)(void *)out);
}

enum { AFTER_ROLLS = ROLLS * sizeof(AfterRoll) / sizeof(float) };

static const struct {
    Judge *judge;
    size_t numbers; /* floats a board */
    bool ended;     /* whether boards may be those of games that are over */
} LOOKS[] = {{judge_now, CHANCES, true}, {chances_ahead, CHANCES, true}, {judge_rolls, AFTER_ROLLS, false}};

static bool has_near_bearoff(const Rows *rows)
{
    Row row;
    for (size_t i = 0; i < rows->count; i++) {
        if (read_row(rows, i, &row) && is_near_bearoff(&row))
            return true;
    }
    return false;
}

/* The index of the first row that is no board, the number of rows if all are. */
static size_t judge_rows(const Evaluator *evaluator, const Rows *rows, int look, int8_t *boards, float *out)
{
    Row row;
    for (size_t i = 0; i < rows->count; i++) {
        if (!read_row(rows, i, &row) || (LOOKS[look].ended ? !row.mine && !row.theirs : !row.mine || !row.theirs))
            return i;
        LOOKS[look].judge(evaluator, &row, boards, out + LOOKS[look].numbers * i);
    }
    return rows->count;
}

static PyObject *judge_views(Evaluator *evaluator, const Py_buffer *points, const Py_buffer *out, int look)
{
    const Rows rows = {points->buf, (size_t)points->len / SLOTS, MAX_CHECKERS};
    int8_t *boards;
    size_t judged = 0;
    bool lacks_table;
    if (points->len % SLOTS || (size_t)out->len != rows.count * LOOKS[look].numbers * sizeof(float)) {
        PyErr_Format(PyExc_ValueError, "%zd bytes of boards do not match %zd of results", points->len, out->len);
        return NULL;
    }
    boards = malloc(MAX_PLAYS * SLOTS + SLACK);
    evaluator->known = evaluator->bearoffs == NULL ? NULL : calloc(1, sizeof *evaluator->known);
    if (boards == NULL || (evaluator->bearoffs != NULL && evaluator->known == NULL)) {
        free(boards);
        free(evaluator->known);
        return PyErr_NoMemory();
    }
    Py_BEGIN_ALLOW_THREADS
    lacks_table = evaluator->bearoffs == NULL && has_near_bearoff(&rows);
    if (!lacks_table)
        judged = judge_rows(evaluator, &rows, look, boards, out->buf);
    Py_END_ALLOW_THREADS
    free(boards);
    free(evaluator->known);
    if (lacks_table)
        Py_RETURN_FALSE;
    if (judged == rows.count)
        Py_RETURN_TRUE;
    PyErr_Format(PyExc_ValueError, "row %zu is no board", judged);
    return NULL;
}

/* The evaluator from the bytes of a network and of a table, or of no table. False with an error if the bytes are others. */
static bool read_evaluator(const Py_buffer *network, const Py_buffer *bearoffs, Evaluator *evaluator)
{
    const bool has_table = bearoffs->len == sizeof(BearoffTable);
    *evaluator = (Evaluator){network->buf, has_table ? bearoffs->buf : NULL, NULL};
    if (network->len == sizeof(Network) && (has_table || !bearoffs->len))
        return true;
    PyErr_Format(PyExc_ValueError, "%zd bytes are no network, or %zd no table", network->len, bearoffs->len);
    return false;
}

/* Arguments: a network, a table of bear-offs or no bytes, boards, memory for the results, and what is looked at: 0, 1 or 2, as
 * in LOOKS. Without a table it returns False and does nothing if a board may need the table. */
static PyObject *chances(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    static const int flags[4] = {PyBUF_SIMPLE, PyBUF_SIMPLE, PyBUF_SIMPLE, PyBUF_WRITABLE};
    Py_buffer views[4];
    Evaluator evaluator;
    PyObject *result = NULL;
    int held = 0;
    const long look = number == 5 && PyLong_Check(args[4]) ? PyLong_AsLong(args[4]) : -1;
    if (look < 0 || look > 2) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "expected a network, a table, boards, memory, and 0, 1 or 2");
        return NULL;
    }
    while (held < 4 && PyObject_GetBuffer(args[held], &views[held], flags[held]) == 0)
        held++;
    if (held == 4 && read_evaluator(&views[0], &views[1], &evaluator))
        result = judge_views(&evaluator, &views[2], &views[3], (int)look);
    while (held > 0)
        PyBuffer_Release(&views[--held]);
    return result;
}

/* --- random numbers --------------------------------------------------------------------------------------------------- */

/* Philox4x32-10 (J. Salmon and others, Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011): four words from four. */
static inline void scramble(uint32_t *words, uint64_t key)
{
    uint32_t low_key = (uint32_t)key, high_key = (uint32_t)(key >> 32);
    for (int round = 0; round < 10; round++) {
        const uint64_t ahead = (uint64_t)0xD2511F53 * words[0], behind = (uint64_t)0xCD9E8D57 * words[2];
        words[0] = (uint32_t)(behind >> 32) ^ words[1] ^ low_key;
        words[1] = (uint32_t)behind;
        words[2] = (uint32_t)(ahead >> 32) ^ words[3] ^ high_key;
        words[3] = (uint32_t)ahead;
        low_key += 0x9E3779B9;
        high_key += 0xBB67AE85;
    }
}

static void scramble_rows(char *rows, size_t count, uint64_t key)
{
    uint32_t words[4];
    for (size_t i = 0; i < count; i++, rows += sizeof words) {
        memcpy(words, rows, sizeof words); /* the rows need not be aligned */
        scramble(words, key);
        memcpy(rows, words, sizeof words);
    }
}

/* Arguments: the key, and memory with the counters, four words a row, which random numbers replace. */
static PyObject *philox(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t number)
{
    Py_buffer view;
    if (number != 2 || !PyLong_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "expected a key and counters");
        return NULL;
    }
    const unsigned long long key = PyLong_AsUnsignedLongLong(args[0]);
    if (PyErr_Occurred() || PyObject_GetBuffer(args[1], &view, PyBUF_WRITABLE) < 0)
        return NULL;
    const size_t size = (size_t)view.len, row = 4 * sizeof(uint32_t);
    if (size % row == 0) {
        Py_BEGIN_ALLOW_THREADS
        scramble_rows(view.buf, size / row, key);
        Py_END_ALLOW_THREADS
    } else {
        PyErr_Format(PyExc_ValueError, "%zd bytes are not rows of four words", view.len);
    }
    PyBuffer_Release(&view);
    return size % row == 0 ? Py_NewRef(Py_None) : NULL;
}

/* --- the module object ---------------------------------------------------------------------------------------------- */

static PyMethodDef functions[] = {
    {"legal_plays", (PyCFunction)(void (*)(void))legal_plays, METH_FASTCALL,
     "legal_plays(board, high, low, /)\n--\n\nEvery distinct board that a roll leads to, as the opponent sees it."},
    {"moves_to", (PyCFunction)(void (*)(void))moves_to, METH_FASTCALL,
     "moves_to(board, high, low, after, /)\n--\n\nThe moves that lead to a result, or None: from, to, and whether they hit."},
    {"text_to", (PyCFunction)(void (*)(void))text_to, METH_FASTCALL,
     "text_to(board, high, low, after, /)\n--\n\nThe text of the play that leads to a result."},
    {"turn_nodes", (PyCFunction)(void (*)(void))turn_nodes, METH_FASTCALL,
     "turn_nodes(board, high, low, /)\n--\n\nEvery order of moves: nodes of (from, to, die, number of the next node)."},
    {"points_of", (PyCFunction)(void (*)(void))points_of, METH_FASTCALL,
     "points_of(make_position, doc, /)\n--\n\nThe attribute `points` of the class that this Maker makes."},
    {"faces_of", faces_of, METH_O,
     "faces_of(dice, /)\n--\n\n31 for the text \"31\" and the pair (3, 1); 0 for anything else."},
    {"facts_of", facts_of, METH_O, "facts_of(board, /)\n--\n\nWhat a table has of a board: its ID, and counts of both sides."},
    {"possible_outcomes", (PyCFunction)(void (*)(void))possible_outcomes, METH_FASTCALL,
     "possible_outcomes(board, checkers, /)\n--\n\nThe outcomes to which a game that goes on can lead, as bits."},
    {"plays_of", (PyCFunction)(void (*)(void))plays_of, METH_FASTCALL,
     "plays_of(found, make_play, make_position, before, dice, checkers, /)\n--\n\nThe plays of a Found."},
    {"legal_plays_of_many", (PyCFunction)(void (*)(void))legal_plays_of_many, METH_FASTCALL,
     "legal_plays_of_many(points, dice, /)\n--\n\n"
     "The results of N boards (26 bytes each) and rolls (2 bytes each): offsets (N + 1 int64), boards (M x 26 bytes) and\n"
     "moves (M x 4 x 2 bytes, from and to, -1 where unused)."},
    {"flip", (PyCFunction)(void (*)(void))flip, METH_FASTCALL,
     "flip(points, out, checkers, /)\n--\n\nWrite N boards (26 bytes each), seen by the other side, into out."},
    {"pip_counts", (PyCFunction)(void (*)(void))pip_counts, METH_FASTCALL,
     "pip_counts(points, out, checkers, /)\n--\n\nWrite the pips of both sides (N x 2 int32) into out."},
    {"outcomes", (PyCFunction)(void (*)(void))outcomes, METH_FASTCALL,
     "outcomes(points, out, checkers, /)\n--\n\nWrite who has won, and how much (N bytes), into out."},
    {"features", (PyCFunction)(void (*)(void))features, METH_FASTCALL,
     "features(points, out, checkers, /)\n--\n\nWrite the inputs of a network (N x 198 float32) into out."},
    {"to_ids", (PyCFunction)(void (*)(void))to_ids, METH_FASTCALL,
     "to_ids(points, out, checkers, /)\n--\n\nWrite N Position IDs (14 characters of four bytes each) into out."},
    {"from_ids", (PyCFunction)(void (*)(void))from_ids, METH_FASTCALL,
     "from_ids(texts, points, is_read, checkers, /)\n--\n\n"
     "Write N boards (26 bytes each) and whether they were read (N bytes) from N texts (14 bytes each, or more)."},
    {"best", (PyCFunction)(void (*)(void))best, METH_FASTCALL,
     "best(offsets, scores, out, /)\n--\n\nWrite the row with the highest score of each board (N int64) into out."},
    {"network", network, METH_O, "network(file, /)\n--\n\nThe network whose weights a file has."},
    {"bearoffs", bearoffs, METH_NOARGS,
     "bearoffs()\n--\n\nThe table of bear-offs in which no gammon is possible, as bytes, solved now."},
    {"chances", (PyCFunction)(void (*)(void))chances, METH_FASTCALL,
     "chances(network, bearoffs, points, out, look, /)\n--\n\n"
     "Write the chances (five float32) of N boards into out: as they are (0), after the next roll (1), or those after each of\n"
     "the 21 rolls (2), as in ROLLS, each with the efficiency of the cube then. Returns False and does nothing if bearoffs is\n"
     "empty and a board may need it."},
    {"bearoff_efficiency", bearoff_efficiency_on, METH_O,
     "bearoff_efficiency(board, /)\n--\n\nThe efficiency of the cube before a roll, if the table judges the board; else None."},
    {"philox", (PyCFunction)(void (*)(void))philox, METH_FASTCALL,
     "philox(key, counters, /)\n--\n\nTurn N x 4 uint32, in place, into the numbers that Philox4x32-10 makes of them."},
    {NULL, NULL, 0, NULL},
};

static int fill_module(PyObject *module)
{
    State *state = state_of(module);
    if ((state->found = new_type(module, &found_spec)) == NULL || (state->maker = new_type(module, &maker_spec)) == NULL ||
        (state->maker_iterator = new_type(module, &iterator_spec)) == NULL ||
        (state->block = new_type(module, &block_spec)) == NULL)
        return -1;
    for (int byte = 0; byte < 256; byte++) {
        if ((state->number[byte] = PyLong_FromLong((int8_t)byte)) == NULL)
            return -1;
    }
    if (PyModule_AddIntConstant(module, "INTERFACE", INTERFACE) < 0 || PyModule_AddType(module, state->found) < 0)
        return -1;
    return PyModule_AddType(module, state->maker);
}

static int traverse_module(PyObject *module, visitproc visit, void *arg)
{
    const State *state = state_of(module);
    Py_VISIT(state->found);
    Py_VISIT(state->maker);
    Py_VISIT(state->maker_iterator);
    Py_VISIT(state->block);
    return 0;
}

static int clear_module(PyObject *module)
{
    State *state = state_of(module);
    Py_CLEAR(state->found);
    Py_CLEAR(state->maker);
    Py_CLEAR(state->maker_iterator);
    Py_CLEAR(state->block);
    for (int byte = 0; byte < 256; byte++)
        Py_CLEAR(state->number[byte]);
    for (int kind = 0; kind < KINDS; kind++)
        free(take_spare(state, kind, SIZE_MAX).data);
    return 0;
}

static void free_module(void *module)
{
    clear_module((PyObject *)module);
}

/* Since 3.12 a module must declare that it can be loaded into interpreters with their own GIL. The headers for 3.11 do
 * not have this slot, but its number is part of the stable ABI. */
static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)fill_module},
    {3 /* Py_mod_multiple_interpreters */, (void *)2 /* Py_MOD_PER_INTERPRETER_GIL_SUPPORTED */},
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef kernel = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_kernel",
    .m_doc = "The compiled form of gammonrules.board.pure.",
    .m_size = sizeof(State),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = traverse_module,
    .m_clear = clear_module,
    .m_free = free_module,
};

PyMODINIT_FUNC PyInit__kernel(void)
{
    if (Py_Version < 0x030C0000) /* all interpreters share one GIL, so they do not get here at the same time */
        slots[1] = (PyModuleDef_Slot){0, NULL};
    return PyModuleDef_Init(&kernel);
}
