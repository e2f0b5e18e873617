/* Cells that hold several words: "Action|Adventure", "red; blue", "w12 w7 w9", ["a", "b"], and sentences.
 *
 * A column is one of lists, by its different texts and how often each occurs, in the first of these forms that fits:
 *
 * - brackets: nine of ten cells stand in brackets, as JSON and Python write lists, tuples and sets.
 * - bars, semicolons, commas: a tenth of the cells holds the mark.
 * - blanks: there are more than 100 texts, and a text has 5 words or more on average; or 3, and there are half as many
 *   different words as texts.
 *
 * For all but brackets a word occurs at least twice as often as a text, on average: a split that leaves words as rare
 * as the texts were explains nothing. For commas and blanks not nearly all cells with several words have the same
 * number of them, if that is below 5: "Rome, Italy" and "Ann Smith" are no lists. Between commas stand 3 words on
 * average at most; else it is a sentence.
 *
 * Between blanks, words lose the marks . , ; : ! ? " ( ) at their ends, and A to Z become small. */
#ifndef GPRI_WORD_LISTS_H
#define GPRI_WORD_LISTS_H

#include "data/plan.h"
#include "io/text/delimited.h"
#include "io/text/ids.h"

/* The words of one cell. Zero-initialise with .ctx set. */
typedef struct gpri_words {
    gpr_ctx *ctx;
    gpri_field *word; /* (count) in `bytes`, none empty */
    int64_t count, capacity;
    char *bytes;
    int64_t room;
} gpri_words;

/* The text becomes UTF-8. form: not NONE. */
gpr_status gpri_words_split(gpri_words *words, gpri_list_form form, const char *text, int64_t size) GPRI_MUST_CHECK;
void gpri_words_free(gpri_words *words);

/* *out: NONE where they are no lists. counts: (texts) cells with each. asked: they are, in which form? */
gpr_status gpri_find_list_form(gpr_ctx *ctx, gpri_list_form *out, const gpri_ids *texts, const int64_t *counts,
                               bool asked) GPRI_MUST_CHECK;

#endif
