/* A text table with one edge per line: which columns hold it, and what its ids are. */
#include "io/text/edge_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "io/text/columns.h"

#define MOST_NODES (INT32_MAX - 1)
#define NODES_PER_EDGE 8 /* more than these, and ids are names */

typedef enum id_kind {
    NUMBERS, /* node i is i */
    DIGITS,  /* whole numbers, but names: too large or too sparse */
    NAMES,   /* any text */
    KNOWN    /* in rows.known */
} id_kind;

typedef struct reader {
    gpr_ctx *ctx;
    gpri_delimited *table;
    gpri_edge_rows rows;
    gpri_edges *edges;
    int64_t capacity; /* of edges */
    id_kind kind;
    gpri_ids ids;  /* of DIGITS and NAMES */
    bool limited;  /* rows.nodes was given */
    bool weighted; /* every edge has a weight: some file has them */
    struct {
        int64_t count, first;    /* edges that have one; the line of the first */
        char id[64], where[512]; /* of the first */
        int64_t lines[3];        /* of the first ones of its file */
    } unknown;
} reader;

/* Room for `more` edges. */
static gpr_status reserve(reader *r, int64_t more) {
    const int64_t needed = r->edges->count + more;
    int64_t capacity[4] = {r->capacity, r->capacity, r->capacity, r->capacity};
    NEED(gpri_grow(r->ctx, &r->edges->src, &capacity[0], needed, sizeof *r->edges->src, "graph edges"));
    NEED(gpri_grow(r->ctx, &r->edges->dst, &capacity[1], needed, sizeof *r->edges->dst, "graph edges"));
    if (r->weighted)
        NEED(gpri_grow(r->ctx, &r->edges->weights, &capacity[2], needed, sizeof *r->edges->weights, "edge weights"));
    if (r->rows.kinds)
        NEED(gpri_grow(r->ctx, &r->edges->relation, &capacity[3], needed, sizeof *r->edges->relation, "graph edges"));
    r->capacity = capacity[0];
    return GPR_OK;
}

/* ---- Edges that do not stay in memory -------------------------------------------------------------- */

static gpri_spill *spill_of(const reader *r) { return r->rows.sink ? r->rows.sink->spill : NULL; }

static int64_t edges_so_far(const reader *r) {
    return r->edges->count + (spill_of(r) ? gpri_spill_edges(spill_of(r)) : 0);
}

/* The edges that were read go to the sink, if there is one. */
static gpr_status drain(reader *r) {
    gpri_edges *edges = r->edges;
    if (!spill_of(r)) return GPR_OK;
    gpr_status status = gpri_spill_put(spill_of(r), edges->src, edges->dst, edges->weights, edges->count);
    edges->count = 0;
    return status;
}

static gpr_status start_spill(reader *r) {
    gpri_edge_sink *sink = r->rows.sink;
    if (!sink) return GPR_OK;
    sink->options.weighted = r->weighted;
    sink->options.directed = r->edges->directed;
    return gpri_spill_new(r->ctx, &sink->spill, &sink->options);
}

int64_t gpri_edge_sink_piece(const gpri_edge_sink *sink) {
    const int64_t piece = sink ? sink->options.memory / 16 : 0;
    return piece < GPRI_SOURCE_PIECE ? piece : 0;
}

/* ---- Ids ------------------------------------------------------------------------------------------ */

static bool all_digits(gpri_field field) {
    for (int64_t i = 0; i < field.size; i++)
        if (field.text[i] < '0' || field.text[i] > '9') return false;
    return field.size > 0;
}

/* A number as a name: "7" of "007" too. */
static gpr_status add_digits(reader *r, gpri_field field, int64_t *node) {
    while (field.size > 1 && *field.text == '0') {
        field.text++;
        field.size--;
    }
    return gpri_ids_add(&r->ids, node, field.text, field.size);
}

static gpr_status name_number(void *user, int32_t *id) {
    reader *r = user;
    char text[24];
    const int size = snprintf(text, sizeof text, "%lld", (long long)*id + (long long)r->rows.first_id);
    int64_t node;
    NEED(gpri_ids_add(&r->ids, &node, text, size));
    *id = (int32_t)node;
    return GPR_OK;
}

/* From numbers to names: those that were read so far are the first. */
static gpr_status name_numbers(reader *r) {
    NEED(drain(r));
    if (spill_of(r)) NEED(gpri_spill_rename(spill_of(r), name_number, r));
    for (int64_t e = 0; e < r->edges->count; e++) {
        NEED(name_number(r, &r->edges->src[e]));
        NEED(name_number(r, &r->edges->dst[e]));
    }
    r->kind = DIGITS;
    return GPR_OK;
}

static gpr_status refuse_number(const reader *r, gpri_field field) {
    double value;
    if (gpri_span_real(field.text, field.size, &value) && value < 0)
        return gpri_delimited_fail(r->table, "node %.*s: ids of nodes are whole numbers from %lld", GPRI_FIELD(field),
                                   (long long)r->rows.first_id);
    return gpri_delimited_fail(r->table, "'%.*s' is not a whole number: the ids of the nodes before it are",
                               GPRI_FIELD(field));
}

/* The node of that number; -1 if it is beyond the last one. */
static int64_t node_of(const reader *r, gpri_field digits) {
    int64_t value;
    if (!gpri_span_int(digits.text, digits.size, &value)) return -1;
    value -= r->rows.first_id;
    return value < r->rows.nodes ? value : -1;
}

static gpr_status read_number(reader *r, gpri_field field, int64_t *node) {
    if (!all_digits(field)) return refuse_number(r, field);
    if (r->kind == DIGITS) return add_digits(r, field, node);
    *node = node_of(r, field);
    if (*node >= 0) return GPR_OK;
    return gpri_delimited_fail(r->table, "node %.*s: ids must be from %lld to %lld", GPRI_FIELD(field),
                               (long long)r->rows.first_id, (long long)(r->rows.nodes + r->rows.first_id - 1));
}

static gpr_status read_id(reader *r, gpri_field field, int64_t *node) {
    if (field.size == 0) return gpri_delimited_fail(r->table, "a node's id is empty");
    if (r->kind == KNOWN) {
        *node = gpri_ids_find(r->rows.known, field.text, field.size); /* -1: read_row counts it */
        if (*node < 0 && !*r->unknown.id) snprintf(r->unknown.id, sizeof r->unknown.id, "%.*s", GPRI_FIELD(field));
        return GPR_OK;
    }
    return r->kind == NAMES ? gpri_ids_add(&r->ids, node, field.text, field.size) : read_number(r, field, node);
}

/* An edge with an id that is not known. All are counted before they are an error. */
static void note_unknown(reader *r) {
    const int64_t line = gpri_delimited_line(r->table), count = r->unknown.count++;
    if (count == 0) {
        r->unknown.first = line;
        snprintf(r->unknown.where, sizeof r->unknown.where, "%s", gpri_delimited_path(r->table));
    }
    if (count < 3) r->unknown.lines[count] = line;
}

static gpr_status judge_unknown(const reader *r) {
    const int64_t count = r->unknown.count;
    const char *kind = r->rows.known_in ? " of " : "", *known_in = r->rows.known_in ? r->rows.known_in : "";
    char others[128] = "";
    if (count == 0) return GPR_OK;
    if (r->rows.skip_unknown) {
        gpri_log(r->ctx, GPRI_LOG_ASKED, "%lld edge%s left out: %s an id that is not among the nodes%s%s",
                 (long long)count, count == 1 ? " was" : "s were", count == 1 ? "it has" : "they have", kind, known_in);
        return GPR_OK;
    }
    if (count == 2) snprintf(others, sizeof others, ", and so in line %lld", (long long)r->unknown.lines[1]);
    if (count > 2)
        snprintf(others, sizeof others, ", and %lld more edges are so: lines %lld, %lld%s", (long long)count - 1,
                 (long long)r->unknown.lines[1], (long long)r->unknown.lines[2], count > 3 ? ", ..." : "");
    /* no edge is between known nodes: these may be no ids at all */
    const bool elsewhere = edges_so_far(r) == 0 && r->rows.columns > 2;
    return gpri_fail(GPR_ERROR_FORMAT,
                     "%s:%lld: node '%s' is not among the nodes%s%s%s; %scorrect %s, or give `unknown` skip to leave "
                     "such edges out",
                     r->unknown.where, (long long)r->unknown.first, r->unknown.id, kind, known_in, others,
                     elsewhere ? "name the columns with ids by `source` and `target`, or " : "",
                     count == 1 ? "it" : "them");
}

/* ---- Rows ----------------------------------------------------------------------------------------- */

static gpr_status read_weight(const reader *r, gpri_field field, float *weight) {
    double value;
    if (!gpri_span_real(field.text, field.size, &value))
        return gpri_delimited_fail(r->table, "'%.*s' is not a number: a weight was expected", GPRI_FIELD(field));
    *weight = (float)(value * r->rows.factor);
    if (*weight > 0 && *weight < INFINITY) return GPR_OK;
    return gpri_delimited_fail(r->table, "weight %.*s: weights must be above 0 and finite", GPRI_FIELD(field));
}

/* Can ids still be the numbers of nodes? The first row shows what they are, and a later number may be too large. */
static gpr_status judge_ids(reader *r, const gpri_field *ends) {
    double number;
    for (int end = 0; end < 2; end++) {
        if (edges_so_far(r) == 0 && !gpri_span_real(ends[end].text, ends[end].size, &number)) r->kind = NAMES;
        else if (r->kind == NUMBERS && all_digits(ends[end]) && node_of(r, ends[end]) < 0) NEED(name_numbers(r));
    }
    return GPR_OK;
}

static gpr_status read_row(reader *r, const gpri_field *fields, int64_t count) {
    int64_t src, dst;
    float weight = (float)r->rows.factor;
    uint8_t kind = r->rows.kind;
    if (count != r->rows.columns)
        return gpri_delimited_fail(r->table, "%lld field%s: expected %lld", (long long)count, count == 1 ? "" : "s",
                                   (long long)r->rows.columns);
    const gpri_field ends[2] = {fields[r->rows.source], fields[r->rows.target]};
    if (r->kind == NUMBERS && !r->limited) NEED(judge_ids(r, ends));
    NEED(reserve(r, 1));
    NEED(read_id(r, ends[0], &src));
    NEED(read_id(r, ends[1], &dst));
    if (r->rows.weight >= 0) NEED(read_weight(r, fields[r->rows.weight], &weight));
    if (src < 0 || dst < 0) {
        note_unknown(r);
        return GPR_OK;
    }
    if (r->rows.kinds && r->rows.relation >= 0)
        NEED(gpri_edge_kinds_value(r->rows.kinds, &kind, r->table, fields[r->rows.relation]));
    if (r->rows.kinds) r->edges->relation[r->edges->count] = kind;
    if (r->weighted) r->edges->weights[r->edges->count] = weight;
    r->edges->src[r->edges->count] = (int32_t)src;
    r->edges->dst[r->edges->count++] = (int32_t)dst;
    if (src >= r->edges->nodes) r->edges->nodes = src + 1;
    if (dst >= r->edges->nodes) r->edges->nodes = dst + 1;
    return GPR_OK;
}

/* Rows until none of the present piece is left; *ended: there are no more. */
static gpr_status read_rows(reader *r, bool *ended) {
    const gpri_field *fields;
    int64_t count;
    do {
        NEED(gpri_delimited_next(r->table, &fields, &count));
        *ended = count == 0;
        if (*ended) break;
        NEED(read_row(r, fields, count));
    } while (gpri_delimited_waits(r->table) || gpri_delimited_unread(r->table) > 0);
    return GPR_OK;
}

/* The number of edges that the file seems to have, by its size and its first lines. Growing an array copies it, and
   memory that is not touched costs nothing. */
static int64_t expected_edges(const reader *r, const gpri_lines *lines) {
    bool packed;
    const int64_t bytes = gpri_source_file_size(gpri_delimited_source(r->table), &packed);
    if (spill_of(r) || r->capacity > 1024 || packed || bytes < lines->size) return lines->count;
    return (int64_t)(1.05 * (double)bytes / (double)lines->size * (double)lines->count) + 16;
}

static gpr_status read_pieces(reader *r) {
    const gpri_edge_rows *rows = &r->rows;
    bool ended = false, packed;
    const double file_size = (double)gpri_source_file_size(gpri_delimited_source(r->table), &packed);
    double read = 0;
    for (;;) {
        gpri_lines lines;
        gpri_edge_piece piece = {0};
        NEED(gpri_delimited_lines(r->table, &lines));
        if (lines.size == 0) break;
        read += (double)lines.size;
        if (r->kind == NUMBERS || r->kind == KNOWN) {
            if (reserve(r, expected_edges(r, &lines)) != GPR_OK) NEED(reserve(r, lines.count)); /* less may be enough */
            NEED(gpri_edge_piece_read(r->ctx, r->edges, &piece, &lines, rows, gpri_delimited_delimiter(r->table),
                                      gpri_delimited_source(r->table)));
        }
        if (piece.plain) {
            gpri_delimited_pass(r->table);
            gpri_delimited_add_comments(r->table, piece.comments);
            r->unknown.count += piece.unknown;
        } else {
            NEED(read_rows(r, &ended));
        }
        NEED(drain(r));
        if (rows->sink)
            NEED(gpri_tick_now(&rows->sink->options.tick, read, packed || file_size < read ? 0 : file_size));
        if (ended) break;
    }
    return GPR_OK;
}

static gpr_status finish(reader *r, gpri_edge_list *out) {
    gpri_edges *edges = r->edges;
    NEED(judge_unknown(r));
    if (edges_so_far(r) == 0 && r->kind != KNOWN && !r->limited)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: no edges: expected a line for each, with the ids of its two nodes",
                         gpri_delimited_path(r->table));
    if (r->kind == NUMBERS && !r->limited && edges->nodes > NODES_PER_EDGE * edges_so_far(r)) NEED(name_numbers(r));
    if (r->kind == KNOWN) edges->nodes = gpri_ids_count(r->rows.known);
    else if (r->limited) edges->nodes = r->rows.nodes;
    else if (r->kind != NUMBERS) {
        edges->nodes = gpri_ids_count(&r->ids);
        gpri_ids_take_names(&r->ids, &out->names);
    }
    NEED(drain(r));
    out->count = edges_so_far(r);
    if (spill_of(r)) {
        gpri_free_all(r->ctx, edges->src, edges->dst);
        edges->src = edges->dst = NULL;
    }
    if (edges->weights && (spill_of(r) || gpri_all_ones(edges->weights, edges->count))) {
        gpri_free(r->ctx, edges->weights);
        edges->weights = NULL;
    }
    return GPR_OK;
}

static gpr_status begin(reader *r, gpr_ctx *ctx, gpri_edge_list *out, const gpri_edge_rows *rows, bool weighted) {
    *r = (reader){.ctx = ctx, .rows = *rows, .edges = &out->edges, .ids = {.ctx = ctx}};
    *out = (gpri_edge_list){.edges = {.directed = !rows->symmetric}};
    r->kind = rows->known ? KNOWN : NUMBERS;
    r->limited = rows->nodes > 0;
    r->weighted = weighted;
    return start_spill(r);
}

/* What is left of the table, whose columns are `rows`. */
static gpr_status read_table(reader *r, gpri_delimited *table, const gpri_edge_rows *rows) {
    bool ended = false;
    r->table = table;
    r->rows = *rows;
    if (r->rows.factor == 0) r->rows.factor = 1;
    if (!r->limited) r->rows.nodes = MOST_NODES;
    if (gpri_delimited_waits(table)) { /* the first rows, one by one: they tell what ids are */
        const gpri_field *fields;
        int64_t count = 1;
        while (gpri_delimited_waits(table) && count > 0) {
            NEED(gpri_delimited_next(table, &fields, &count));
            if (count > 0) NEED(read_row(r, fields, count));
        }
        ended = count == 0;
    }
    if (!ended) NEED(read_pieces(r));
    gpri_delimited_say(table);
    return GPR_OK;
}

gpr_status gpri_edge_rows_read(gpr_ctx *ctx, gpri_edge_list *out, gpri_delimited *table, const gpri_edge_rows *rows) {
    gpr_status status = GPR_OK;
    reader r;
    TRY(begin(&r, ctx, out, rows, rows->weight >= 0));
    TRY(read_table(&r, table, rows));
    TRY(finish(&r, out));
done:
    gpri_ids_free(&r.ids);
    if (status != GPR_OK) gpri_edge_list_free(ctx, out);
    return status;
}

/* ---- The whole file ------------------------------------------------------------------------------- */

/* The first column of one of these names, or -1. */
static int64_t column_named(const gpri_delimited *table, const char *const *names) {
    int64_t column = -1;
    for (; *names && column < 0; names++) column = gpri_delimited_column(table, *names);
    return column;
}

/* The columns that the header names as both ends; else both are -1. */
static void find_ends(const gpri_delimited *table, int64_t *source, int64_t *target) {
    static const char *const sources[] = {"src", "source", "from", NULL};
    static const char *const targets[] = {"dst", "target", "to", NULL};
    *source = column_named(table, sources);
    *target = column_named(table, targets);
    if (*source < 0 || *target < 0) *source = *target = -1;
}

bool gpri_edge_list_names_ends(const gpri_delimited *table) {
    int64_t source, target;
    find_ends(table, &source, &target);
    return source >= 0;
}

/* Of two columns with one name that is not used for both ends, the first was taken. */
static void warn_twin(gpr_ctx *ctx, const gpri_edge_rows *rows, const gpri_delimited *table, int64_t column,
                      const char *what) {
    char name[64];
    const int64_t twin = column < 0 ? -1 : gpri_column_twin(table, column);
    if (twin < 0 || twin == rows->source || twin == rows->target) return;
    gpri_log(ctx, GPR_LOG_WARNING, "%s: columns %lld and %lld are both named '%s': column %lld is taken as the %s",
             gpri_delimited_path(table), (long long)column + 1, (long long)twin + 1,
             gpri_column_name(table, column, name), (long long)column + 1, what);
}

static gpr_status choose_columns(gpri_edge_rows *rows, const gpri_delimited *table) {
    static const char *const weights[] = {"weight", "w", NULL};
    const gpri_field *first = gpri_delimited_first(table);
    double number;
    rows->columns = gpri_delimited_columns(table);
    rows->target = 1;
    rows->weight = -1;
    if (rows->columns == 1)
        return gpri_delimited_fail(table, "one column: expected the ids of two nodes, with a comma, tab, semicolon or "
                                          "blank between them");
    if (gpri_delimited_header(table)) {
        int64_t source, target;
        find_ends(table, &source, &target);
        if (rows->columns > 2 && gpri_is_index_column(table, 0)) {
            rows->source = 1;
            rows->target = 2;
        }
        if (source >= 0) rows->source = source;
        if (target >= 0) rows->target = target;
        rows->weight = column_named(table, weights);
        if (rows->weight == rows->source || rows->weight == rows->target) rows->weight = -1;
    } else if (rows->columns >= 3 && gpri_span_real(first[2].text, first[2].size, &number)) {
        rows->weight = 2;
    }
    return GPR_OK;
}

/* The columns of the ids that a person names. */
static gpr_status choose_ends(gpr_ctx *ctx, gpri_edge_rows *rows, const gpri_delimited *table,
                              const gpri_edge_options *o) {
    if (!o->source && !o->target) return GPR_OK;
    if (!o->source || !o->target)
        return gpri_fail(GPR_ERROR_ARGUMENT, "`%s` is given without `%s`: name the columns of both ids",
                         o->source ? "source" : "target", o->source ? "target" : "source");
    NEED(gpri_find_column(ctx, &rows->source, table, o->source, "source"));
    NEED(gpri_find_column(ctx, &rows->target, table, o->target, "target"));
    if (rows->source == rows->target)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s: column '%s' is both the source and the target",
                         gpri_delimited_path(table), o->source);
    if (rows->weight == rows->source || rows->weight == rows->target) rows->weight = -1;
    if (rows->weight == 2 && !gpri_delimited_header(table) && (rows->source != 0 || rows->target != 1))
        rows->weight = -1; /* the third column is a weight only after the first two */
    return GPR_OK;
}

static gpr_status choose_weight(gpr_ctx *ctx, gpri_edge_rows *rows, const gpri_delimited *table, const char *given) {
    rows->weight = -1;
    if (strcmp(given, "none") == 0) return GPR_OK;
    NEED(gpri_find_column(ctx, &rows->weight, table, given, "weight"));
    if (rows->weight != rows->source && rows->weight != rows->target) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "%s: column '%s' holds the ids, not the weights", gpri_delimited_path(table),
                     given);
}

/* The column of the kinds of edges. */
static gpr_status choose_kinds(gpr_ctx *ctx, gpri_edge_rows *rows, const gpri_delimited *table,
                               const gpri_edge_options *o) {
    NEED(gpri_find_column(ctx, &rows->relation, table, o->relation, "relation"));
    if (rows->relation == rows->weight && !o->weight) rows->weight = -1; /* nobody said that these are weights */
    if (rows->relation != rows->source && rows->relation != rows->target && rows->relation != rows->weight)
        return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "%s: column '%s' (relation) holds the %s, not the kinds of the edges",
                     gpri_delimited_path(table), o->relation, rows->relation == rows->weight ? "weights" : "ids");
}

/* A header such as "citing,cited" above "p1,p2": only the known ids tell it from a row. */
static gpr_status pass_header(gpr_ctx *ctx, const gpri_edge_rows *rows, gpri_delimited *table) {
    const gpri_field *first = gpri_delimited_first(table);
    int64_t count;
    if (gpri_delimited_header(table) || !first) return GPR_OK;
    const gpri_field source = first[rows->source], target = first[rows->target];
    if (gpri_ids_find(rows->known, source.text, source.size) >= 0) return GPR_OK;
    if (gpri_ids_find(rows->known, target.text, target.size) >= 0) return GPR_OK;
    gpri_log(ctx, GPR_LOG_INFO, "%s: its first row, '%.*s' and '%.*s', is taken as the header",
             gpri_delimited_path(table), GPRI_FIELD(source), GPRI_FIELD(target));
    return gpri_delimited_next(table, &first, &count);
}

/* What was taken as what. */
static void say_columns(gpr_ctx *ctx, const gpri_edge_rows *rows, const gpri_delimited *table) {
    char source[64], target[64], weight[64], kinds[64];
    const bool by_column = rows->kinds && rows->relation >= 0;
    const bool index = gpri_is_index_column(table, 0) && rows->source != 0 && rows->target != 0;
    gpri_log(ctx, GPR_LOG_INFO, "%s: edges from column %s to column %s, %s%s%s%s%s", gpri_delimited_path(table),
             gpri_column_name(table, rows->source, source), gpri_column_name(table, rows->target, target),
             rows->weight < 0 ? "no weights" : "weights in column ",
             rows->weight < 0 ? "" : gpri_column_name(table, rows->weight, weight),
             by_column ? ", kinds in column " : "", by_column ? gpri_column_name(table, rows->relation, kinds) : "",
             index ? "; the first column is an index" : "");
}

/* One of the files. */
typedef struct opened {
    gpri_delimited *table;
    gpri_edge_rows rows;
} opened;

static gpr_status open_file(gpr_ctx *ctx, opened *to, const gpri_edge_file *file, const gpri_edge_options *o) {
    gpri_delimited_options form = o->table;
    gpri_edge_rows *rows = &to->rows;
    *rows = (gpri_edge_rows){.known = o->known,
                             .known_in = o->known_in,
                             .skip_unknown = o->skip_unknown,
                             .nodes = o->nodes,
                             .factor = file->factor,
                             .piece = o->table.piece,
                             .sink = o->sink,
                             .kinds = o->kinds,
                             .relation = -1,
                             .kind = file->kind};
    if (form.piece == 0) form.piece = gpri_edge_sink_piece(o->sink);
    NEED(gpri_delimited_open(ctx, &to->table, file->path, &form));
    NEED(choose_columns(rows, to->table));
    if (rows->columns == 0) return GPR_OK; /* no row */
    NEED(choose_ends(ctx, rows, to->table, o));
    if (o->weight) NEED(choose_weight(ctx, rows, to->table, o->weight));
    if (file->by_column) NEED(choose_kinds(ctx, rows, to->table, o));
    if (!o->source) warn_twin(ctx, rows, to->table, rows->source, "source");
    if (!o->source) warn_twin(ctx, rows, to->table, rows->target, "target");
    if (!o->weight) warn_twin(ctx, rows, to->table, rows->weight, "weight");
    say_columns(ctx, rows, to->table);
    if (o->known && o->table.header == GPRI_HEADER_AUTO) NEED(pass_header(ctx, rows, to->table));
    return GPR_OK;
}

/* All files are opened before the first is read: whether any has weights must be known by then. */
gpr_status gpri_edge_files_read(gpr_ctx *ctx, gpri_edge_list *out, const gpri_edge_file *files, int64_t count,
                                const gpri_edge_options *options) {
    gpr_status status = GPR_OK;
    const gpri_edge_options usual = {0}, *o = options ? options : &usual;
    opened *open = NULL; /* (count) */
    reader r = {.ids = {.ctx = ctx}};
    bool weighted = false;
    *out = (gpri_edge_list){0};
    TRY(gpri_calloc(ctx, &open, count, sizeof *open, "files of edges"));
    for (int64_t k = 0; k < count; k++) {
        TRY(open_file(ctx, &open[k], &files[k], o));
        weighted = weighted || open[k].rows.weight >= 0 || (files[k].factor != 0 && files[k].factor != 1);
    }
    TRY(begin(&r, ctx, out, &open[0].rows, weighted));
    for (int64_t k = 0; k < count; k++) {
        TRY(read_table(&r, open[k].table, &open[k].rows));
        if (k + 1 == count) TRY(finish(&r, out));
        if (k + 1 == count && o->kinds) TRY(gpri_edge_kinds_settle(o->kinds, &out->edges, files[0].path));
        gpri_delimited_close(open[k].table); /* its memory is not needed for the next */
        open[k].table = NULL;
    }
done:
    gpri_ids_free(&r.ids);
    for (int64_t k = 0; open && k < count; k++) gpri_delimited_close(open[k].table);
    gpri_free(ctx, open);
    if (status != GPR_OK) gpri_edge_list_free(ctx, out);
    return status;
}

gpr_status gpri_edge_list_read(gpr_ctx *ctx, gpri_edge_list *out, const char *path, const gpri_edge_options *options) {
    const gpri_edge_file file = {.path = path};
    return gpri_edge_files_read(ctx, out, &file, 1, options);
}

void gpri_edge_list_free(gpr_ctx *ctx, gpri_edge_list *list) {
    gpri_edges_free(ctx, &list->edges);
    gpri_names_free(ctx, &list->names);
    list->count = 0;
}
