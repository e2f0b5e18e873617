/* svmlight (libsvm) text: a row per line,
 *
 *     label index:value index:value ...  # comment
 *
 * The label may be missing; "qid:7" is skipped; a line that is blank or a comment is no row. Indices are from 1,
 * unless there is a 0 among them, or a comment says so: scikit-learn writes "Column indices are zero-based". */
#include "io/text/svmlight.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "base/text.h"
#include "file/source.h"

typedef struct reader {
    gpr_ctx *ctx;
    const char *path;
    int64_t line;
    int64_t bytes;            /* of the file; of the text where that is not known */
    gpri_label_texts *labels; /* or NULL */
    bool labelled;
    int64_t *indptr; /* (rows + 1) */
    int32_t *indices;
    float *values;
    int64_t rows, entries, indptr_capacity, index_capacity, value_capacity;
    int64_t smallest, largest; /* indices */
    bool says_zero, says_one;  /* a comment tells what the first index is */
} reader;

static gpr_status GPRI_PRINTF(2, 3) fail_at(const reader *in, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return gpri_fail(GPR_ERROR_FORMAT, "%s:%lld: %s", in->path, (long long)in->line, text);
}

static gpr_status add_entry(reader *in, int64_t index, float value) {
    NEED(gpri_grow(in->ctx, &in->indices, &in->index_capacity, in->entries + 1, sizeof *in->indices, "features"));
    NEED(gpri_grow(in->ctx, &in->values, &in->value_capacity, in->entries + 1, sizeof *in->values, "features"));
    in->indices[in->entries] = (int32_t)index;
    in->values[in->entries++] = value;
    if (index < in->smallest) in->smallest = index;
    if (index > in->largest) in->largest = index;
    return GPR_OK;
}

/* word: (size), with a colon at `colon`. */
static gpr_status read_pair(reader *in, const char *word, int64_t size, int64_t colon) {
    int64_t index;
    double value;
    if (colon == 3 && strncmp(word, "qid", 3) == 0) return GPR_OK;
    if (!gpri_span_int(word, colon, &index) || index < 0 || index >= INT32_MAX)
        return fail_at(in, "'%.*s' has no index: expected index:value, the index from 0 or 1 to %d",
                       (int)(size < 60 ? size : 60), word, INT32_MAX - 1);
    if (!gpri_span_real(word + colon + 1, size - colon - 1, &value) || !isfinite((float)value))
        return fail_at(in, "'%.*s' has no value: expected index:value, the value a finite number",
                       (int)(size < 60 ? size : 60), word);
    return add_entry(in, index, (float)value);
}

/* size: 0 where the row has none. */
static gpr_status read_label(reader *in, const char *word, int64_t size) {
    if (memchr(word, ',', (size_t)size))
        return fail_at(in, "several labels, '%.*s': expected one class per node", (int)(size < 60 ? size : 60), word);
    in->labelled |= size > 0;
    return in->labels ? gpri_label_texts_add(in->labels, word, size, in->line) : GPR_OK;
}

static bool has_words(const char *text, const char *end, const char *words) {
    return memmem(text, (size_t)(end - text), words, strlen(words)) != NULL;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* One line, [at, end) without its '\n'. */
static gpr_status read_line(reader *in, const char *at, const char *end) {
    const char *comment = memchr(at, '#', (size_t)(end - at));
    if (comment) {
        in->says_zero |= has_words(comment, end, "zero-based");
        in->says_one |= has_words(comment, end, "one-based");
        end = comment;
    }
    bool any = false;
    for (;;) {
        while (at < end && is_blank(*at)) at++;
        if (at == end) break;
        const char *word = at;
        while (at < end && !is_blank(*at)) at++;
        const char *colon = memchr(word, ':', (size_t)(at - word));
        if (!any) NEED(read_label(in, word, colon ? 0 : at - word));
        if (colon) {
            NEED(read_pair(in, word, at - word, colon - word));
        } else if (any)
            return fail_at(in, "'%.*s' where index:value was expected", (int)(at - word < 60 ? at - word : 60), word);
        any = true;
    }
    if (!any) return GPR_OK;
    NEED(gpri_grow(in->ctx, &in->indptr, &in->indptr_capacity, in->rows + 2, sizeof *in->indptr, "features"));
    in->indptr[0] = 0;
    in->indptr[++in->rows] = in->entries;
    return GPR_OK;
}

static gpr_status read_lines(reader *in) {
    gpr_status status = GPR_OK;
    gpri_source *source = NULL;
    gpri_lines lines;
    int64_t text = 0;
    bool packed;
    TRY(gpri_source_open(in->ctx, &source, in->path, 0));
    for (;;) {
        TRY(gpri_source_next(source, &lines));
        if (lines.size == 0) break;
        text += lines.size;
        in->line = lines.first_line;
        for (const char *at = lines.text, *stop = lines.text + lines.size; at < stop; in->line++) {
            const char *end = memchr(at, '\n', (size_t)(stop - at));
            TRY(read_line(in, at, end));
            at = end + 1;
        }
    }
    in->bytes = gpri_source_file_size(source, &packed);
    if (in->bytes < 0) in->bytes = text;
    if (in->rows == 0) THROW(GPR_ERROR_FORMAT, "%s: no row: expected lines of label index:value ...", in->path);
done:
    gpri_source_close(source);
    return status;
}

gpr_status gpri_read_svmlight(gpr_ctx *ctx, gpri_raw_features *out, gpri_label_texts *labels, bool *labelled,
                              const char *path, int64_t columns) {
    gpr_status status = GPR_OK;
    reader in = {.ctx = ctx, .path = path, .labels = labels, .smallest = INT32_MAX, .largest = -1};
    *out = (gpri_raw_features){0};
    TRY(read_lines(&in));
    if (in.entries == 0) THROW(GPR_ERROR_FORMAT, "%s: not one index:value in %lld rows", path, (long long)in.rows);
    if (in.says_one && in.smallest == 0)
        THROW(GPR_ERROR_FORMAT, "%s: a comment says that indices are one-based, but there is an index 0", path);
    const int32_t first = in.smallest == 0 || (in.says_zero && !in.says_one) ? 0 : 1;
    for (int64_t k = 0; k < in.entries; k++) in.indices[k] -= first;
    const int64_t found = in.largest - first + 1;
    TRY(gpri_budget_declared(ctx, path, "columns", found, GPRI_COLUMN_BYTES, in.bytes)); /* an empty one costs too */
    *out = (gpri_raw_features){.rows = in.rows,
                               .cols = columns > found ? columns : found,
                               .indptr = in.indptr,
                               .indices = in.indices,
                               .values = in.values};
    *labelled = in.labelled;
    in = (reader){.ctx = ctx};
done:
    gpri_free_all(ctx, in.indptr, in.indices, in.values);
    return status;
}
