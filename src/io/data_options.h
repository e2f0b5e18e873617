/* The options that say how data is opened: rows DATA of the table (base/params.def), and fields of gpr_open_options. */
#ifndef GPRI_DATA_OPTIONS_H
#define GPRI_DATA_OPTIONS_H

#include "base/params.h"
#include "data/dataset.h"

typedef struct gpri_data_row {
    const char *word;
    enum { GPRI_DATA_TEXT, GPRI_DATA_FILES, GPRI_DATA_FACTOR, GPRI_DATA_COUNT, GPRI_DATA_SIZE, GPRI_DATA_FLAG } type;
    const char *value, *range;
    enum { GPRI_KEPT_NO, GPRI_KEPT_TABLES, GPRI_KEPT_EDGES, GPRI_KEPT_NODES } kept;
    const char *help;
    size_t at, end; /* of its field */
} gpri_data_row;

const gpri_data_row *gpri_data_row_at(int index);
/* The field of a row that is a text: TEXT, FILES. */
const char **gpri_data_text(gpr_open_options *options, const gpri_data_row *row);

/* Sets data->origin, so that a run can be repeated (the member `data` of config.json): words of the options and their
   values, where they are given. Of several files of edges, the second is `edges.2`; the weight of the first, where it
   has one, is `edge-weight.1`. */
gpr_status gpri_note_origin(gpr_dataset *data, const gpr_open_options *options) GPRI_MUST_CHECK;

/* Whether data is opened with an option of this name: "edges", "label", "edges.2". near: becomes the nearest such word,
   or NULL; may be NULL. */
bool gpri_is_data_word(const char *word, const char **near);
/* Fails: there is no such option. near: the word that was meant, or NULL. */
gpr_status gpri_unknown_option(const char *word, const char *near);

#endif
