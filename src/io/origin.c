/* Words and values of the options that the data was opened with. */
#include "io/origin.h"

#include <stdio.h>

#include "base/memory.h"
#include "base/print.h"

enum { LONGEST_NUMBER = 40 };

/* The words "edges.2" and the like, with the values that are numbers. */
typedef struct numbered {
    char word[LONGEST_NUMBER], value[LONGEST_NUMBER];
} numbered;

/* texts: room for two of each file and weight more; *count grows. room: (2 (1 + more_count)). */
static void add_edge_files(const char **texts, int64_t *count, numbered *room, const gpr_open_options *o) {
    for (int64_t k = 0; k <= o->more_count; k++) {
        if (k > 0) {
            snprintf(room->word, sizeof room->word, "edges.%lld", (long long)k + 1);
            texts[(*count)++] = room++->word;
            texts[(*count)++] = o->more_edges[k - 1];
        }
        if (!o->edge_weights || o->edge_weights[k] == 0) continue;
        snprintf(room->word, sizeof room->word, "edge-weight.%lld", (long long)k + 1);
        gpri_print(room->value, sizeof room->value, "%.17g", o->edge_weights[k]);
        texts[(*count)++] = room->word;
        texts[(*count)++] = room++->value;
    }
}

gpr_status gpri_note_origin(gpr_dataset *data, const gpr_open_options *o) {
    gpr_status status = GPR_OK;
    char values[LONGEST_NUMBER] = "";
    if (o->max_values) snprintf(values, sizeof values, "%lld", (long long)o->max_values);
    const char *const all[][2] = {{"data", o->data},
                                  {"data-dir", o->data_dir},
                                  {"format", o->format},
                                  {"edges", o->edges},
                                  {"source", o->source},
                                  {"target", o->target},
                                  {"weight", o->weight},
                                  {"duplicates", o->duplicates},
                                  {"unknown", o->unknown},
                                  {"nodes", o->nodes},
                                  {"id", o->id},
                                  {"label", o->label},
                                  {"drop", o->drop},
                                  {"categorical", o->categorical},
                                  {"numeric", o->numeric},
                                  {"date", o->date},
                                  {"max-values", *values ? values : NULL},
                                  {"fill", o->fill},
                                  {"split-column", o->split_column},
                                  {"val-from", o->val_from},
                                  {"test-from", o->test_from},
                                  {"features", o->features},
                                  {"labels", o->labels},
                                  {"delimiter", o->delimiter},
                                  {"header", o->header},
                                  {"encoding", o->encoding}};
    enum { WORDS = sizeof all / sizeof *all };
    const int64_t more = 2 * (1 + o->more_count);
    const char **given = NULL; /* (2 (WORDS + more)) */
    numbered *room = NULL;     /* (more) */
    int64_t count = 0;
    TRY(gpri_alloc(data->ctx, &given, 2 * (WORDS + more), sizeof *given, "options"));
    TRY(gpri_alloc(data->ctx, &room, more, sizeof *room, "options"));
    for (int i = 0; i < WORDS; i++) {
        if (!all[i][1]) continue;
        given[count++] = all[i][0];
        given[count++] = all[i][1];
    }
    add_edge_files(given, &count, room, o);
    TRY(gpri_names_copy(data->ctx, &data->origin, given, count));
done:
    gpri_free(data->ctx, given);
    gpri_free(data->ctx, room);
    return status;
}
