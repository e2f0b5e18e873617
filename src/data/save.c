/* Writing a dataset: the formats that are written, told by the ending of the name. */
#include <stdio.h>
#include <string.h>

#include "data/dataset.h"

static const struct {
    const char *word, *ending;
    gpr_status (*write)(gpr_ctx *ctx, const gpr_dataset *data, const char *path);
} writers[] = {
    {"npz", ".npz", gpri_write_npz},
    {"gpr", ".gpr", gpri_write_mapped},
};
enum { WRITERS = sizeof writers / sizeof *writers };

static bool ends_with(const char *text, const char *end) {
    const size_t size = strlen(text), tail = strlen(end);
    return size > tail && strcmp(text + size - tail, end) == 0;
}

/* Which of them; -1 after a complaint. */
static int writer_of(const char *path, const char *word) {
    const char *words[WRITERS];
    char list[64] = "";
    const bool by_word = word && strcmp(word, "auto") != 0;
    for (int i = 0; i < WRITERS; i++) {
        if (by_word ? strcmp(word, writers[i].word) == 0 : ends_with(path, writers[i].ending)) return i;
        words[i] = writers[i].word;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? " or " : "",
                 by_word ? writers[i].word : writers[i].ending);
    }
    const char *near = by_word ? gpr_nearest_word(word, words, WRITERS) : NULL;
    if (by_word)
        gpri_fail(GPR_ERROR_ARGUMENT, "unknown format '%s' to write: %s%s%sexpected %s", word,
                  near ? "did you mean '" : "", near ? near : "", near ? "'? " : "", list);
    else gpri_fail(GPR_ERROR_ARGUMENT, "cannot write a dataset to '%s': its name must end in %s", path, list);
    return -1;
}

gpr_status gpr_dataset_save_as(gpr_ctx *ctx, const gpr_dataset *data, const char *path, const char *format) {
    if (!ctx || !data || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_save: a NULL argument");
    const int writer = writer_of(path, format);
    if (writer < 0) return GPR_ERROR_ARGUMENT;
    gpr_status status = gpri_dataset_ready(ctx, data);
    return status == GPR_OK ? writers[writer].write(ctx, data, path) : status;
}

gpr_status gpr_dataset_save(gpr_ctx *ctx, const gpr_dataset *data, const char *path) {
    return gpr_dataset_save_as(ctx, data, path, NULL);
}
