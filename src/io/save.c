/* Writing a dataset: the formats, chosen by the ending of the name. */
#include <stdio.h>
#include <string.h>

#include "data/order/reorder.h"
#include "file/path.h"
#include "io/formats.h"
#include "io/mapped/mapped.h"
#include "io/numpy/npz_dataset.h"

static const gpri_writer writers[] = {
    {"npz", ".npz", gpri_write_npz},
    {"gpr", ".gpr", gpri_write_mapped},
};
enum { WRITERS = sizeof writers / sizeof *writers };

gpr_status gpri_writer_of(const gpri_writer **out, const char *path, const char *word) {
    const char *words[WRITERS];
    char list[64] = "";
    const bool by_word = word && strcmp(word, "auto") != 0;
    *out = NULL;
    for (int i = 0; i < WRITERS; i++) {
        if (by_word ? strcmp(word, writers[i].word) == 0 : gpri_ends_with(path, writers[i].ending)) {
            *out = &writers[i];
            return GPR_OK;
        }
        words[i] = writers[i].word;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? " or " : "",
                 by_word ? writers[i].word : writers[i].ending);
    }
    if (!by_word)
        return gpri_fail(GPR_ERROR_ARGUMENT, "cannot write a dataset to '%s': its name must end in %s", path, list);
    const char *near = gpr_nearest_word(word, words, WRITERS);
    return gpri_fail(GPR_ERROR_ARGUMENT, "unknown format '%s' to write: %s%s%sexpected %s", word,
                     near ? "did you mean '" : "", near ? near : "", near ? "'? " : "", list);
}

gpr_status gpr_dataset_save_as(gpr_ctx *ctx, const gpr_dataset *data, const char *path, const char *format) {
    gpr_status status = GPR_OK;
    gpr_dataset *restored = NULL;
    const gpri_writer *writer;
    if (!ctx || !data || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_dataset_save: a NULL argument");
    TRY(gpri_writer_of(&writer, path, format));
    TRY(gpri_dataset_ready(ctx, data));
    if (data->order && writer->write != gpri_write_mapped) { /* no other format keeps another order */
        TRY(gpri_dataset_restore(ctx, &restored, data));
        TRY(gpri_dataset_unchanged(ctx, data, true));
        data = restored;
    }
    TRY(writer->write(ctx, data, path));
done:
    gpr_dataset_free(restored);
    return gpri_finish(status);
}

gpr_status gpr_dataset_save(gpr_ctx *ctx, const gpr_dataset *data, const char *path) {
    return gpr_dataset_save_as(ctx, data, path, NULL);
}
