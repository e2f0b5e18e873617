/* Lines of edges on all threads. A piece is cut into spans at ends of lines; each is counted, and then read into its
 * own place among the edges. What is not just two ids and perhaps a weight is not judged here: the caller reads such a
 * piece row by row, and says what is wrong with it. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/thread.h"
#include "io/text/edge_list.h"

#define USUAL_PIECE ((int64_t)128 << 10)

typedef struct span {
    const char *begin, *end; /* whole lines */
    int64_t lines, first;    /* first: its place among the edges */
    int64_t edges;           /* of its lines; fewer where some are comments */
    int64_t comments;        /* among its lines */
    int64_t unknown;         /* lines with an id that is not known, which are left out */
    int64_t largest;         /* node, or -1 */
    bool plain;
} span;

typedef struct piece {
    const gpri_edge_rows *rows;
    char delimiter;
    bool comments; /* as in gpri_delimited_options */
    gpri_edges *edges;
    span *spans; /* (count) */
    int64_t count;
    gpri_source *ahead; /* or NULL */
} piece;

static const char *line_after(const char *at, const char *end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline + 1 : end;
}

/* ---- One span ------------------------------------------------------------------------------------ */

/* The reading of a span: functions return false at what they do not know. A line ends with '\n', so there is always a
   next byte to look at. */
typedef struct cursor {
    const char *at;
    const piece *piece;
} cursor;

static inline bool is_digit(char c) { return (unsigned char)(c - '0') < 10; }

static inline void skip_blanks(cursor *c) {
    while (*c->at == ' ' || (*c->at == '\t' && c->piece->delimiter != '\t')) c->at++;
}

/* The digits at *at, at most 10 of them; 0 if there are none, or more. */
static inline uint64_t digits_one_by_one(const char **at, uint64_t *value) {
    const char *from = *at;
    for (*value = 0; is_digit(**at); ++*at) *value = *value * 10 + (uint64_t)(**at - '0');
    return *at - from <= 10 ? (uint64_t)(*at - from) : 0;
}

/* The same, up to seven of them at once: eight bytes are a number whose lowest byte comes first. */
static inline uint64_t read_digits(const char **at, uint64_t *value) {
    uint64_t x, others;
    memcpy(&x, *at, sizeof x);
    x ^= 0x3030303030303030u;                                       /* digits become 0 .. 9 */
    others = ((x + 0x7676767676767676u) | x) & 0x8080808080808080u; /* the lowest: behind the last digit */
    if (!GPRI_LITTLE_ENDIAN || others == 0) return digits_one_by_one(at, value);
    const int count = GPRI_TRAILING_ZEROS(others) / 8;
    if (count == 0) return 0;
    *at += count;
    x <<= 64 - 8 * count;                                    /* leading zeros instead of what follows */
    x = (x & 0x0f0f0f0f0f0f0f0fu) * (10 * 256 + 1) >> 8;     /* pairs: 10 a + b */
    x = (x & 0x00ff00ff00ff00ffu) * (100 * 65536 + 1) >> 16; /* pairs of pairs */
    *value = (x & 0x0000ffff0000ffffu) * (10000 * (UINT64_C(1) << 32) + 1) >> 32;
    return (uint64_t)count;
}

static inline bool read_number(cursor *c, int64_t *node) {
    uint64_t value = 0;
    if (read_digits(&c->at, &value) == 0) return false;
    const uint64_t number = value - (uint64_t)c->piece->rows->first_id; /* below it: huge */
    *node = (int64_t)number;
    return number < (uint64_t)c->piece->rows->nodes;
}

/* Goes to the end of a field; returns where its text ends: without blanks. */
static inline const char *end_of_text(cursor *c) {
    const char *from = c->at;
    const char delimiter = c->piece->delimiter;
    while (*c->at != delimiter && *c->at != '\n' && *c->at != '\r' && !(delimiter == ' ' && *c->at == '\t')) c->at++;
    const char *to = c->at;
    while (to > from && (to[-1] == ' ' || to[-1] == '\t')) to--;
    return to;
}

static inline bool read_known(cursor *c, int64_t *node) {
    const char *from = c->at;
    if (*from == '"') return false;
    const char *to = end_of_text(c);
    *node = gpri_ids_find(c->piece->rows->known, from, to - from);
    return to > from && (*node >= 0 || c->piece->rows->skip_unknown);
}

static inline bool read_id(cursor *c, int64_t *node) {
    return c->piece->rows->known ? read_known(c, node) : read_number(c, node);
}

/* A kind that was there before; it ends as an id does. */
static inline bool read_kind(cursor *c, uint8_t *kind) {
    const char *from = c->at, *to = end_of_text(c);
    const int known = *from == '"' ? -1 : gpri_edge_kinds_find(c->piece->rows->kinds, from, to - from);
    *kind = (uint8_t)known;
    return known >= 0;
}

static inline bool read_delimiter(cursor *c) {
    const char *from = c->at;
    skip_blanks(c);
    if (c->piece->delimiter == ' ') return c->at > from;
    if (*c->at != c->piece->delimiter) return false;
    c->at++;
    skip_blanks(c);
    return true;
}

static inline bool read_weight(cursor *c, float *weight) {
    const char *from = c->at;
    double value;
    while (is_digit(*c->at) || *c->at == '.' || *c->at == 'e' || *c->at == 'E' || *c->at == '-' || *c->at == '+')
        c->at++;
    if (!gpri_span_real(from, c->at - from, &value)) return false;
    *weight = (float)(value * c->piece->rows->factor);
    return *weight > 0 && *weight < INFINITY;
}

/* Just the columns that are needed, in the usual order: this is the fastest. */
static bool is_simple(const gpri_edge_rows *rows) {
    if (rows->kinds && rows->relation >= 0) return false;
    return rows->source == 0 && rows->target == 1 && rows->columns == (rows->weight < 0 ? 2 : 3) &&
           (rows->weight < 0 || rows->weight == 2);
}

static inline bool read_line_end(cursor *c) {
    skip_blanks(c);
    if (*c->at == '\r') c->at++;
    return *c->at++ == '\n';
}

/* A field that nobody needs. Blanks at the end of a line separate nothing. */
static inline bool skip_field(cursor *c) {
    const char delimiter = c->piece->delimiter, *from = c->at;
    if (*c->at == '"') return false;
    while (*c->at != delimiter && *c->at != '\n' && !(delimiter == ' ' && (*c->at == '\t' || *c->at == '\r'))) c->at++;
    return delimiter != ' ' || c->at > from;
}

/* A line of any columns. */
static bool read_columns(cursor *c, int64_t *s, int64_t *d, float *weight, uint8_t *kind) {
    const gpri_edge_rows *rows = c->piece->rows;
    const int64_t kinds = rows->kinds ? rows->relation : -1;
    for (int64_t j = 0; j < rows->columns; j++) {
        if (j > 0 && !read_delimiter(c)) return false;
        if (j == rows->source             ? !read_id(c, s)
            : j == rows->target           ? !read_id(c, d)
            : j == rows->weight && weight ? !read_weight(c, weight)
            : j == kinds                  ? !read_kind(c, kind)
                                          : !skip_field(c))
            return false;
    }
    return true;
}

/* Source, target, and perhaps a weight. */
static inline bool read_plain(cursor *c, int64_t *s, int64_t *d, float *weight) {
    return read_id(c, s) && read_delimiter(c) && read_id(c, d) &&
           (!weight || (read_delimiter(c) && read_weight(c, weight)));
}

static void read_span(const piece *b, span *p) {
    cursor c = {p->begin, b};
    int32_t *src = b->edges->src + p->first, *dst = b->edges->dst + p->first;
    float *weights = b->edges->weights ? b->edges->weights + p->first : NULL;
    uint8_t *relation = b->edges->relation ? b->edges->relation + p->first : NULL;
    int64_t count = 0, largest = -1;
    const bool in_file = b->rows->weight >= 0, simple = is_simple(b->rows);
    const float factor = (float)b->rows->factor;
    p->plain = false;
    while (c.at < p->end) {
        int64_t s = -1, d = -1;
        uint8_t kind = b->rows->kind;
        skip_blanks(&c);
        const bool comment = (*c.at == '#' || *c.at == '%') && (b->comments || gpri_is_comment(c.at));
        if (*c.at == '\n' || *c.at == '\r' || comment) {
            const char *next = line_after(c.at, p->end);
            if (*c.at == '\r' && next != c.at + 2) return;
            c.at = next;
            p->comments += comment;
            continue;
        }
        float *weight = in_file && weights ? &weights[count] : NULL;
        if (!(simple ? read_plain(&c, &s, &d, weight) : read_columns(&c, &s, &d, weight, &kind))) return;
        if (!read_line_end(&c)) return;
        if (weights && !in_file) weights[count] = factor;
        if (s < 0 || d < 0) { /* not known */
            p->unknown++;
            continue;
        }
        if (relation) relation[count] = kind;
        src[count] = (int32_t)s;
        dst[count++] = (int32_t)d;
        if (s > largest) largest = s;
        if (d > largest) largest = d;
    }
    p->edges = count;
    p->largest = largest;
    p->plain = true;
}

/* ---- All spans ----------------------------------------------------------------------------------- */

static void count_chunk(void *arg, int64_t chunk, GPRI_UNUSED int slot) {
    span *p = &((const piece *)arg)->spans[chunk];
    p->lines = gpri_count_lines(p->begin, p->end - p->begin);
}

/* Chunk 0 reads ahead, so that the others need not wait for the file. */
static void read_chunk(void *arg, int64_t chunk, GPRI_UNUSED int slot) {
    const piece *b = arg;
    if (chunk > 0) read_span(b, &b->spans[chunk - 1]);
    else if (b->ahead) gpri_source_prefetch(b->ahead);
}

static void cut(piece *b, const gpri_lines *lines, int64_t size) {
    const char *end = lines->text + lines->size, *at = lines->text;
    while (at < end) {
        const char *next = end - at > size ? line_after(at + size, end) : end;
        b->spans[b->count++] = (span){.begin = at, .end = next};
        at = next;
    }
}

/* Closes the gaps that comments and blank lines leave. */
static void close_gaps(gpri_edges *edges, const piece *b) {
    for (int64_t k = 0; k < b->count; k++) {
        const span *p = &b->spans[k];
        if (edges->count < p->first) {
            memmove(edges->src + edges->count, edges->src + p->first, (size_t)p->edges * sizeof *edges->src);
            memmove(edges->dst + edges->count, edges->dst + p->first, (size_t)p->edges * sizeof *edges->dst);
            if (edges->weights)
                memmove(edges->weights + edges->count, edges->weights + p->first,
                        (size_t)p->edges * sizeof *edges->weights);
            if (edges->relation) memmove(edges->relation + edges->count, edges->relation + p->first, (size_t)p->edges);
        }
        edges->count += p->edges;
        if (p->largest >= edges->nodes) edges->nodes = p->largest + 1;
    }
}

gpr_status gpri_edge_piece_read(gpr_ctx *ctx, gpri_edges *edges, gpri_edge_piece *out, const gpri_lines *lines,
                                const gpri_edge_rows *rows, char delimiter, gpri_source *ahead) {
    const int64_t size = rows->piece > 0 ? rows->piece / 3 + 1 : USUAL_PIECE;
    piece b = {.rows = rows, .delimiter = delimiter, .comments = rows->comments, .edges = edges, .ahead = ahead};
    *out = (gpri_edge_piece){0};
    NEED(gpri_alloc(ctx, &b.spans, lines->size / size + 1, sizeof *b.spans, "edges of a text"));
    cut(&b, lines, size);
    gpri_parallel(ctx, ctx->threads, b.count, count_chunk, &b);
    int64_t first = edges->count;
    for (int64_t k = 0; k < b.count; k++) {
        b.spans[k].first = first;
        first += b.spans[k].lines;
    }
    gpri_parallel(ctx, ctx->threads, b.count + 1, read_chunk, &b);
    out->plain = true;
    for (int64_t k = 0; k < b.count; k++) {
        out->plain = out->plain && b.spans[k].plain;
        out->comments += b.spans[k].comments;
        out->unknown += b.spans[k].unknown;
    }
    if (out->plain) close_gaps(edges, &b);
    gpri_free(ctx, b.spans);
    return GPR_OK;
}
