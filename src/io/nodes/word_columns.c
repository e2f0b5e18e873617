/* Columns of lists: the words of their cells, and which of them become features. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/nodes/feature_columns.h"
#include "io/text/dates.h"
#include "io/text/label_texts.h"

enum { LEAST_CELLS = 2 }; /* a word of one cell says nothing about others */

static int by_number(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Ascending, each once. Returns how many. */
static int64_t make_set(int32_t *words, int64_t count) {
    int64_t kept = 0;
    qsort(words, (size_t)count, sizeof *words, by_number);
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || words[i] != words[i - 1]) words[kept++] = words[i];
    return kept;
}

static gpr_status add_list(gpri_feature_columns *set, gpri_feature_column *c, int64_t row, const char *text,
                           int64_t size) {
    const gpri_column *column = &set->plan->columns[c->place];
    const int64_t first = c->words;
    int64_t number;
    set->split.ctx = set->ctx;
    set->split.count = 0;
    if (size > 0) NEED(gpri_words_split(&set->split, column->form, text, size));
    NEED(gpri_grow(set->ctx, &c->word, &c->word_capacity, c->words + set->split.count, sizeof *c->word, "words"));
    NEED(gpri_grow(set->ctx, &c->list_end, &c->list_capacity, row + 1, sizeof *c->list_end, "lists of words"));
    for (int64_t w = 0; w < set->split.count; w++) {
        const gpri_field word = set->split.word[w];
        if (c->known) number = gpri_ids_find(&c->values, word.text, word.size);
        else NEED(gpri_ids_add(&c->values, &number, word.text, word.size));
        if (number >= 0) c->word[c->words++] = (int32_t)number;
    }
    c->words = first + make_set(c->word + first, c->words - first);
    c->odd += c->known && set->split.count > 0 && c->words == first;
    c->list_end[row] = c->words;
    return GPR_OK;
}

gpr_status gpri_take_words(gpri_feature_columns *set, gpri_feature_column *c, gpri_field field) {
    const bool missing = gpri_is_missing(field.text, field.size);
    c->cells += !missing;
    return add_list(set, c, set->rows, field.text, missing ? 0 : field.size);
}

gpr_status gpri_take_lists(gpri_feature_columns *set, gpri_feature_column *c, const int64_t *counts) {
    gpr_status status = GPR_OK;
    gpri_column *column = &set->plan->columns[c->place];
    gpri_ids texts = c->values;
    const int32_t *code = c->code;
    int64_t stride = 1;
    NEED(gpri_find_list_form(set->ctx, &column->form, &texts, counts, c->asked));
    if (column->form == GPRI_LIST_NONE) return GPR_OK;
    if (!code && set->rows > 0) code = &gpri_cell_of(set, c, 0)->code, stride = set->count;
    c->values = (gpri_ids){.ctx = set->ctx};
    c->kind = GPRI_KIND_WORDS;
    c->cells = 0;
    for (int64_t i = 0; i < set->rows; i++) {
        const char *text = code[i * stride] < 0 ? "" : gpri_ids_text(&texts, code[i * stride]);
        int64_t size = (int64_t)strlen(text);
        if (gpri_is_missing(text, size)) size = 0;
        c->cells += size > 0;
        TRY(add_list(set, c, i, text, size));
    }
done:
    gpri_ids_free(&texts);
    return status;
}

static gpr_status settle_known(const gpri_feature_columns *set, gpri_feature_column *c, gpri_column *column) {
    const int64_t count = gpri_ids_count(&c->values);
    NEED(gpri_alloc(set->ctx, &c->feature, count + 1, sizeof *c->feature, "words"));
    for (int64_t i = 0; i < count; i++) c->feature[i] = (int32_t)i;
    if (2 * c->odd > c->cells)
        gpri_log(set->ctx, GPR_LOG_WARNING,
                 "%s: column '%s': in %lld of %lld cells the model knows none of the words (%s)",
                 gpri_delimited_path(set->table), column->name, (long long)c->odd, (long long)c->cells,
                 gpri_list_word(column->form));
    return gpri_column_say(set->plan, column, "the words of training; %lld cells have none of them", (long long)c->odd);
}

gpr_status gpri_settle_words(const gpri_feature_columns *set, gpri_feature_column *c) {
    static const char *const forms[GPRI_LISTS] = {"",          "in brackets",    "between |",
                                                  "between ;", "between commas", "of the text, in small letters"};
    gpr_status status = GPR_OK;
    gpri_column *column = &set->plan->columns[c->place];
    int64_t *counts = NULL;
    column->kind = c->kind;
    column->odd = c->odd;
    column->missing = set->rows - c->cells;
    if (c->known) return settle_known(set, c, column);
    column->distinct = gpri_ids_count(&c->values);
    TRY(gpri_count_values(set->ctx, &counts, &c->values, c->word, c->words, 1));
    TRY(gpri_choose_values(set, c, counts, set->most_words, LEAST_CELLS));
    for (int64_t i = 0; i < column->distinct; i++)
        if (c->feature[i] == column->values.count) c->feature[i] = -1;
    if (column->values.count == 0) { /* no two cells share a word */
        c->kind = GPRI_KIND_TEXT;
        goto done;
    }
    TRY(gpri_column_say(set->plan, column,
                        "a feature of 0 and 1 for each of %lld words %s%s; of %lld different words, those in %d cells "
                        "or more",
                        (long long)column->values.count, forms[column->form],
                        column->values.count == set->most_words ? ", the most frequent" : "",
                        (long long)column->distinct, LEAST_CELLS));
done:
    gpri_free(set->ctx, counts);
    return status;
}
