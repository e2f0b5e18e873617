/* The stack machine of pickles, which cannot call anything: see pickle.h. */
#include "io/numpy/pickle.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "file/file.h"
#include "io/numpy/pickle_bytes.h"

#define MOST_BYTES (1 << 30) /* places in the file, objects and cells are 32-bit numbers */

typedef gpri_pickle_value value;

typedef struct machine {
    gpr_ctx *ctx;
    gpri_pickle *pickle;
    gpri_pickle_bytes in;
    value *stack, *memo;
    int64_t depth, stack_capacity, memo_size, memo_capacity;
    bool stopped;
} machine;

/* ---- Names ---------------------------------------------------------------------------------------- */

typedef enum name { RECONSTRUCT, NDARRAY, DTYPE, CSR_MATRIX, RECONSTRUCTOR, OBJECT, LIST, DEFAULTDICT } name;

/* All that may be named; Python 3 and newer numpy and scipy have other modules for some. */
static const struct {
    const char *module, *word;
    name id;
} known_names[] = {
    {"numpy.core.multiarray", "_reconstruct", RECONSTRUCT},
    {"numpy._core.multiarray", "_reconstruct", RECONSTRUCT},
    {"numpy", "ndarray", NDARRAY},
    {"numpy", "dtype", DTYPE},
    {"scipy.sparse.csr", "csr_matrix", CSR_MATRIX},
    {"scipy.sparse._csr", "csr_matrix", CSR_MATRIX},
    {"copy_reg", "_reconstructor", RECONSTRUCTOR},
    {"copyreg", "_reconstructor", RECONSTRUCTOR},
    {"__builtin__", "object", OBJECT},
    {"builtins", "object", OBJECT},
    {"__builtin__", "list", LIST},
    {"builtins", "list", LIST},
    {"collections", "defaultdict", DEFAULTDICT},
};

static const char *name_text(int32_t id) {
    for (size_t i = 0; i < sizeof known_names / sizeof *known_names; i++)
        if ((int32_t)known_names[i].id == id) return known_names[i].word;
    return "?";
}

static const char *kind_text(const value *v) {
    static const char *const names[] = {"nothing",      "a mark",        "None",        "a bool", "a whole number",
                                        "a text",       "a tuple",       "a list",      "a dict", "a name",
                                        "a numpy type", "a numpy array", "a CSR matrix"};
    return names[v->kind];
}

/* ---- Stack and values ----------------------------------------------------------------------------- */

static gpr_status push(machine *m, value v) {
    NEED(gpri_grow(m->ctx, &m->stack, &m->stack_capacity, m->depth + 1, sizeof *m->stack, "pickle stack"));
    m->stack[m->depth++] = v;
    return GPR_OK;
}

/* The value on top, which must not be a mark. */
static gpr_status pop(machine *m, value *out) {
    if (m->depth == 0 || m->stack[m->depth - 1].kind == GPRI_PICKLE_MARK)
        return gpri_fail(GPR_ERROR_FORMAT, "an instruction takes a value, but there is none: the file is damaged");
    *out = m->stack[--m->depth];
    return GPR_OK;
}

/* *first: the place above the highest mark. */
static gpr_status find_mark(const machine *m, int64_t *first) {
    for (*first = m->depth; *first > 0; --*first)
        if (m->stack[*first - 1].kind == GPRI_PICKLE_MARK) return GPR_OK;
    return gpri_fail(GPR_ERROR_FORMAT, "an instruction takes all values up to a mark, but there is no mark");
}

static gpr_status new_object(machine *m, value *out, gpri_pickle_kind kind) {
    gpri_pickle *p = m->pickle;
    NEED(
        gpri_grow(m->ctx, &p->objects, &p->object_capacity, p->object_count + 1, sizeof *p->objects, "pickle objects"));
    p->objects[p->object_count] = (gpri_pickle_object){.state = {.kind = GPRI_PICKLE_UNSET}};
    *out = (value){.kind = kind, .object = (int32_t)p->object_count++};
    return GPR_OK;
}

static gpr_status new_container(machine *m, value *out, gpri_pickle_kind kind) {
    NEED(new_object(m, out, kind));
    m->pickle->objects[out->object].items.first = m->pickle->objects[out->object].items.last = -1;
    return GPR_OK;
}

/* Appends stack[first] .. stack[depth - 1] and takes them off. */
static gpr_status move_items(machine *m, const value *container, int64_t first) {
    gpri_pickle *p = m->pickle;
    NEED(gpri_grow(m->ctx, &p->cells, &p->cell_capacity, p->cell_count + m->depth - first, sizeof *p->cells,
                   "pickle items"));
    gpri_pickle_object *object = &p->objects[container->object];
    for (int64_t k = first; k < m->depth; k++) {
        int32_t fresh = (int32_t)p->cell_count++;
        p->cells[fresh] = (gpri_pickle_cell){m->stack[k], -1};
        if (object->items.last >= 0) p->cells[object->items.last].next = fresh;
        else object->items.first = fresh;
        object->items.last = fresh;
        object->items.count++;
    }
    m->depth = first;
    return GPR_OK;
}

/* ---- Plain values --------------------------------------------------------------------------------- */

static gpr_status read_number(machine *m, unsigned char op) {
    bool truth;
    value v = {.kind = GPRI_PICKLE_INT};
    NEED(gpri_pickle_number(&m->in, op, &v.number, &truth));
    if (truth) v.kind = GPRI_PICKLE_BOOL;
    return push(m, v);
}

static gpr_status read_text(machine *m, unsigned char op) {
    int64_t at, size;
    value v;
    NEED(gpri_pickle_text(&m->in, op, &at, &size));
    NEED(new_object(m, &v, GPRI_PICKLE_TEXT));
    m->pickle->objects[v.object].text.at = (int32_t)at;
    m->pickle->objects[v.object].text.size = (int32_t)size;
    return push(m, v);
}

/* ---- Memo ----------------------------------------------------------------------------------------- */

static gpr_status memo_index(machine *m, int64_t *out, unsigned char op) {
    char *line;
    if (op == 'q' || op == 'h') return gpri_pickle_take_number(&m->in, out, 1);
    if (op == 'r' || op == 'j') return gpri_pickle_take_number(&m->in, out, 4);
    NEED(gpri_pickle_take_line(&m->in, &line));
    if (!gpri_parse_int(line, out)) return gpri_fail(GPR_ERROR_FORMAT, "'%.40s' is not a place in the memo", line);
    return GPR_OK;
}

static gpr_status put_memo(machine *m, unsigned char op) {
    int64_t index;
    NEED(memo_index(m, &index, op));
    if (index < 0 || index >= m->pickle->size) /* a file has more bytes than memo entries */
        return gpri_fail(GPR_ERROR_FORMAT, "place %lld of the memo in a file of %lld bytes: the file is damaged",
                         (long long)index, (long long)m->pickle->size);
    if (m->depth == 0 || m->stack[m->depth - 1].kind == GPRI_PICKLE_MARK)
        return gpri_fail(GPR_ERROR_FORMAT, "there is no value to put into the memo");
    NEED(gpri_grow(m->ctx, &m->memo, &m->memo_capacity, index + 1, sizeof *m->memo, "pickle memo"));
    while (m->memo_size <= index) m->memo[m->memo_size++] = (value){.kind = GPRI_PICKLE_UNSET};
    m->memo[index] = m->stack[m->depth - 1];
    return GPR_OK;
}

static gpr_status get_memo(machine *m, unsigned char op) {
    int64_t index;
    NEED(memo_index(m, &index, op));
    if (index < 0 || index >= m->memo_size || m->memo[index].kind == GPRI_PICKLE_UNSET)
        return gpri_fail(GPR_ERROR_FORMAT, "place %lld of the memo is empty: the file is damaged", (long long)index);
    return push(m, m->memo[index]);
}

/* ---- Containers ----------------------------------------------------------------------------------- */

/* A new one of all values from stack[first] on. */
static gpr_status collect(machine *m, gpri_pickle_kind kind, int64_t first) {
    value container;
    if (first < 0)
        return gpri_fail(GPR_ERROR_FORMAT, "an instruction takes more values than there are: the file is damaged");
    for (int64_t k = first; k < m->depth; k++)
        if (m->stack[k].kind == GPRI_PICKLE_MARK)
            return gpri_fail(GPR_ERROR_FORMAT, "a mark lies among the values of a tuple");
    if (kind == GPRI_PICKLE_DICT && (m->depth - first) % 2)
        return gpri_fail(GPR_ERROR_FORMAT, "a dict has a key without a value");
    NEED(new_container(m, &container, kind));
    NEED(move_items(m, &container, first));
    return push(m, container);
}

/* The same with all values above the mark. */
static gpr_status collect_marked(machine *m, gpri_pickle_kind kind) {
    int64_t first;
    NEED(find_mark(m, &first));
    NEED(collect(m, kind, first));
    m->stack[first - 1] = m->stack[first]; /* where the mark was */
    m->depth = first;
    return GPR_OK;
}

/* Adds stack[first] .. to the container below them; `marked`: with a mark between. */
static gpr_status extend(machine *m, gpri_pickle_kind kind, int64_t first, bool marked) {
    int64_t below = first - (marked ? 2 : 1);
    if (below < 0) return gpri_fail(GPR_ERROR_FORMAT, "there is nothing to add values to: the file is damaged");
    if (m->stack[below].kind != kind)
        return gpri_fail(GPR_ERROR_FORMAT, "values are added to %s: expected %s", kind_text(&m->stack[below]),
                         kind == GPRI_PICKLE_LIST ? "a list" : "a dict");
    if (kind == GPRI_PICKLE_DICT && (m->depth - first) % 2)
        return gpri_fail(GPR_ERROR_FORMAT, "a dict gets a key without a value");
    for (int64_t k = first; k < m->depth; k++)
        if (m->stack[k].kind == GPRI_PICKLE_MARK)
            return gpri_fail(GPR_ERROR_FORMAT, "a mark lies among the values to add");
    NEED(move_items(m, &m->stack[below], first));
    m->depth = below + 1;
    return GPR_OK;
}

static gpr_status extend_marked(machine *m, gpri_pickle_kind kind) {
    int64_t first;
    NEED(find_mark(m, &first));
    return extend(m, kind, first, true);
}

/* ---- Names and what they make --------------------------------------------------------------------- */

static gpr_status refuse(const char *module, const char *word) {
    char shown[120];
    snprintf(shown, sizeof shown, "%.60s.%.50s", module, word);
    for (char *c = shown; *c; c++)
        if (!isprint((unsigned char)*c)) *c = '?';
    return gpri_fail(GPR_ERROR_FORMAT, "refuses to build %s: only numpy arrays, scipy CSR matrices and graphs are read",
                     shown);
}

/* c: module and name. i would also call it; no supported file uses that. */
static gpr_status read_name(machine *m, unsigned char op) {
    char *module, *word;
    NEED(gpri_pickle_take_line(&m->in, &module));
    NEED(gpri_pickle_take_line(&m->in, &word));
    for (size_t i = 0; op == 'c' && i < sizeof known_names / sizeof *known_names; i++)
        if (strcmp(module, known_names[i].module) == 0 && strcmp(word, known_names[i].word) == 0)
            return push(m, (value){.kind = GPRI_PICKLE_NAME, .object = (int32_t)known_names[i].id});
    return refuse(module, word);
}

static bool is_name(const value *v, name id) { return v->kind == GPRI_PICKLE_NAME && v->object == (int32_t)id; }

/* A numpy type from the first of its arguments, "i4". */
static gpr_status make_dtype(machine *m, value *out, const value *code) {
    gpri_pickle *p = m->pickle;
    if (code->kind != GPRI_PICKLE_TEXT)
        return gpri_fail(GPR_ERROR_FORMAT, "a numpy type is made from %s: expected a text such as i4", kind_text(code));
    const unsigned char *text = p->bytes + p->objects[code->object].text.at;
    int32_t size = p->objects[code->object].text.size;
    bool plain = size > 0 && size < 8;
    for (int32_t k = 0; plain && k < size; k++) plain = isalnum(text[k]);
    if (!plain) return gpri_fail(GPR_ERROR_FORMAT, "a numpy type of %d characters: expected one such as i4", (int)size);
    NEED(new_object(m, out, GPRI_PICKLE_DTYPE));
    memcpy(p->objects[out->object].dtype.code, text, (size_t)size);
    p->objects[out->object].dtype.code[size] = 0;
    p->objects[out->object].dtype.order = '|';
    return GPR_OK;
}

/* Replaces a call that Python would make by an empty value of the kind that the call returns. new: for NEWOBJ, which
   makes an object of a class; else for REDUCE, which calls a function. */
static gpr_status make(machine *m, bool new) {
    value arguments = {0}, function = {0}, made = {0};
    NEED(pop(m, &arguments));
    NEED(pop(m, &function));
    if (arguments.kind != GPRI_PICKLE_TUPLE || function.kind != GPRI_PICKLE_NAME)
        return gpri_fail(GPR_ERROR_FORMAT, "%s is called with %s: expected a name and a tuple", kind_text(&function),
                         kind_text(&arguments));
    const value first = gpri_pickle_item(m->pickle, &arguments, 0);
    if (new ? is_name(&function, CSR_MATRIX) : is_name(&function, RECONSTRUCTOR) && is_name(&first, CSR_MATRIX)) {
        NEED(new_object(m, &made, GPRI_PICKLE_MATRIX));
    } else if (!new &&is_name(&function, RECONSTRUCT) && is_name(&first, NDARRAY)) {
        NEED(new_object(m, &made, GPRI_PICKLE_ARRAY));
    } else if (!new &&is_name(&function, DTYPE)) {
        NEED(make_dtype(m, &made, &first));
    } else if (!new &&is_name(&function, DEFAULTDICT)) {
        NEED(new_container(m, &made, GPRI_PICKLE_DICT));
    } else {
        return gpri_fail(
            GPR_ERROR_FORMAT, "refuses to call %s with %s: only numpy arrays, scipy CSR matrices and graphs are read",
            name_text(function.object), first.kind == GPRI_PICKLE_NAME ? name_text(first.object) : kind_text(&first));
    }
    return push(m, made);
}

/* Sets the contents of the value on the stack. */
static gpr_status build(machine *m) {
    gpri_pickle *p = m->pickle;
    value state = {0}, thing = {0};
    NEED(pop(m, &state));
    NEED(pop(m, &thing));
    if (thing.kind == GPRI_PICKLE_DTYPE && state.kind == GPRI_PICKLE_TUPLE) {
        value order = gpri_pickle_item(p, &state, 1);
        if (order.kind != GPRI_PICKLE_TEXT || p->objects[order.object].text.size != 1)
            return gpri_fail(GPR_ERROR_FORMAT, "a numpy type is built without a byte order: expected <, > or |");
        p->objects[thing.object].dtype.order = (char)p->bytes[p->objects[order.object].text.at];
    } else if ((thing.kind == GPRI_PICKLE_ARRAY && state.kind == GPRI_PICKLE_TUPLE) ||
               (thing.kind == GPRI_PICKLE_MATRIX && state.kind == GPRI_PICKLE_DICT)) {
        p->objects[thing.object].state = state;
    } else {
        return gpri_fail(GPR_ERROR_FORMAT, "refuses to build %s from %s", kind_text(&thing), kind_text(&state));
    }
    return push(m, thing);
}

/* ---- The machine ---------------------------------------------------------------------------------- */

static gpr_status check_protocol(machine *m) {
    int64_t protocol;
    NEED(gpri_pickle_take_number(&m->in, &protocol, 1));
    if (protocol <= 2) return GPR_OK;
    return gpri_fail(GPR_ERROR_FORMAT, "a pickle of protocol %lld: expected 0, 1 or 2", (long long)protocol);
}

static gpr_status stop(machine *m) {
    if (m->depth != 1 || m->stack[0].kind == GPRI_PICKLE_MARK)
        return gpri_fail(GPR_ERROR_FORMAT, "the pickle ends with %lld values: expected one", (long long)m->depth);
    if (m->in.at != m->in.size)
        return gpri_fail(GPR_ERROR_FORMAT, "the pickle ends here, but %lld bytes follow",
                         (long long)(m->in.size - m->in.at));
    m->pickle->result = m->stack[0];
    m->stopped = true;
    return GPR_OK;
}

static gpr_status step(machine *m, unsigned char op) {
    static const struct {
        const char *instructions;
        gpr_status (*take)(machine *m, unsigned char op);
    } families[] = {
        {"IJKLM\x8a\x8b", read_number}, {"STUX", read_text}, {"pqr", put_memo}, {"ghj", get_memo}, {"ci", read_name}};
    for (size_t i = 0; op != 0 && i < sizeof families / sizeof *families; i++)
        if (strchr(families[i].instructions, op)) return families[i].take(m, op);
    switch (op) {
    case 0x80: return check_protocol(m);
    case 'N': return push(m, (value){.kind = GPRI_PICKLE_NONE});
    case 0x88:
    case 0x89: return push(m, (value){.kind = GPRI_PICKLE_BOOL, .number = op == 0x88});
    case '(': return push(m, (value){.kind = GPRI_PICKLE_MARK});
    case ')': return collect(m, GPRI_PICKLE_TUPLE, m->depth);
    case 0x85:
    case 0x86:
    case 0x87: return collect(m, GPRI_PICKLE_TUPLE, m->depth - (op - 0x84));
    case 't': return collect_marked(m, GPRI_PICKLE_TUPLE);
    case ']': return collect(m, GPRI_PICKLE_LIST, m->depth);
    case 'l': return collect_marked(m, GPRI_PICKLE_LIST);
    case 'a': return extend(m, GPRI_PICKLE_LIST, m->depth - 1, false);
    case 'e': return extend_marked(m, GPRI_PICKLE_LIST);
    case '}': return collect(m, GPRI_PICKLE_DICT, m->depth);
    case 'd': return collect_marked(m, GPRI_PICKLE_DICT);
    case 's': return extend(m, GPRI_PICKLE_DICT, m->depth - 2, false);
    case 'u': return extend_marked(m, GPRI_PICKLE_DICT);
    case 'R': return make(m, false);
    case 0x81: return make(m, true);
    case 'b': return build(m);
    case '.': return stop(m);
    default: break;
    }
    return gpri_fail(GPR_ERROR_FORMAT, "instruction 0x%02x is not read: is this a pickle of numpy arrays or a graph?",
                     op);
}

gpr_status gpri_pickle_open(gpr_ctx *ctx, gpri_pickle **out, const char *path) {
    gpr_status status = GPR_OK;
    machine m = {.ctx = ctx};
    int64_t place = 0;
    *out = NULL;
    TRY(gpri_calloc(ctx, &m.pickle, 1, sizeof *m.pickle, "pickle"));
    m.pickle->ctx = ctx;
    TRY(gpri_strdup(ctx, &m.pickle->path, path));
    TRY(gpri_read_whole(ctx, (char **)&m.pickle->bytes, &m.pickle->size, path, MOST_BYTES));
    m.in = (gpri_pickle_bytes){m.pickle->bytes, m.pickle->size, 0};
    while (!m.stopped) {
        place = m.in.at;
        status = place < m.in.size ? step(&m, m.in.bytes[m.in.at++])
                                   : gpri_fail(GPR_ERROR_FORMAT, "the pickle has no end: the file is cut off");
        if (status != GPR_OK) LEAVE(gpri_fail_prefix(status, "%s: byte %lld", path, (long long)place));
    }
    *out = m.pickle;
    m.pickle = NULL;
done:
    gpri_free_all(ctx, m.stack, m.memo);
    gpri_pickle_close(m.pickle);
    return status;
}

void gpri_pickle_close(gpri_pickle *pickle) {
    if (!pickle) return;
    gpr_ctx *ctx = pickle->ctx;
    gpri_free_all(ctx, pickle->path, pickle->bytes, pickle->objects, pickle->cells, pickle);
}
