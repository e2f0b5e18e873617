/* Writes and reads what a state says of a choice. The bits of the numbers are kept: the choice of a training that goes
 * on is that of one that was never disturbed. */
#include "train/saved_choice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/file/metadata.h"

static const char failed[] = "failed";

static void put_bits(gpri_object *to, const char *key, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    gpri_put_print(to, key, "%016llx", (unsigned long long)bits);
}

static bool read_real(double *out, const char *text) {
    uint64_t bits = 0;
    if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) return false;
    for (; *text; text++) bits = bits << 4 | (uint64_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
    memcpy(out, &bits, sizeof bits);
    return true;
}

/* The key of a finished candidate. */
static const char *key_of(char out[64], int number, const char *what) {
    snprintf(out, 64, "choice.%d.%s", number, what);
    return out;
}

static void put_rungs(gpri_object *meta, const gpri_choice *so_far, int number) {
    char key[64];
    gpri_put_print(meta, key_of(key, number, "rungs"), "%d", so_far->rungs[number]);
    gpri_put_print(meta, key_of(key, number, "until"), "%lld", (long long)so_far->until[number]);
    gpri_put_print(meta, key_of(key, number, "epochs"), "%lld", (long long)so_far->epochs[number]);
    if (so_far->done[number]) gpri_put_text(meta, key_of(key, number, "done"), "yes");
}

void gpri_choice_write(gpri_object *meta, const gpr_result *result) {
    const gpri_choice *so_far = result->trial ? result->trial->so_far : &result->choice;
    char key[64];
    if (!result->trial && so_far->count == 0) return; /* nothing was chosen */
    gpri_put_print(meta, "choice.count", "%d", so_far->count);
    if (result->trial) gpri_put_text(meta, "choice.now", result->trial->name);
    if (so_far->cut) gpri_put_text(meta, "choice.cut", "yes");
    if (so_far->measure) gpri_put_text(meta, "choice.measure", so_far->measure);
    for (int i = 0; i < so_far->count; i++) {
        gpri_put_text(meta, key_of(key, i, "name"), so_far->names[i]);
        if (so_far->failed[i]) gpri_put_text(meta, key_of(key, i, "score"), failed);
        else put_bits(meta, key_of(key, i, "score"), so_far->scores[i]);
        put_bits(meta, key_of(key, i, "loss"), so_far->losses[i]);
        if (so_far->plan.models) put_rungs(meta, so_far, i);
    }
}

static const char *text_of(const gpri_safetensors *file, const char *key) {
    return json_string_value(json_object_get(gpri_safetensors_metadata(file), key));
}

/* false: it is too long, or not there. */
static bool read_name(char out[GPRI_CANDIDATE_NAME], const char *text) {
    if (!text || !*text || strlen(text) >= GPRI_CANDIDATE_NAME) return false;
    strcpy(out, text);
    return true;
}

/* One without them has nothing left to train. */
static bool read_rungs(gpri_choice *out, const gpri_safetensors *file, int number) {
    char key[64];
    int64_t rungs = 1;
    const char *text = text_of(file, key_of(key, number, "rungs")),
               *until = text_of(file, key_of(key, number, "until")),
               *epochs = text_of(file, key_of(key, number, "epochs")),
               *done = text_of(file, key_of(key, number, "done"));
    out->done[number] = !text || done;
    out->rungs[number] = 1;
    if (!text) return !until && !epochs && !done;
    if (!gpri_parse_int(text, &rungs) || rungs < 1 || rungs > GPRI_RUNGS) return false;
    out->rungs[number] = (int)rungs;
    return until && gpri_parse_int(until, &out->until[number]) && out->until[number] >= 0 && epochs &&
           gpri_parse_int(epochs, &out->epochs[number]) && out->epochs[number] >= 0 &&
           (!done || strcmp(done, "yes") == 0);
}

static bool read_finished(gpri_choice *out, const gpri_safetensors *file, int number) {
    char key[64];
    const char *score = text_of(file, key_of(key, number, "score"));
    out->failed[number] = score && strcmp(score, failed) == 0;
    out->scores[number] = NAN;
    return read_name(out->names[number], text_of(file, key_of(key, number, "name"))) &&
           (out->failed[number] || read_real(&out->scores[number], score)) &&
           read_real(&out->losses[number], text_of(file, key_of(key, number, "loss"))) && read_rungs(out, file, number);
}

static bool read_choice(gpri_saved_choice *out, const gpri_safetensors *file) {
    const char *count = text_of(file, "choice.count"), *now = text_of(file, "choice.now"),
               *measure = text_of(file, "choice.measure"), *cut = text_of(file, "choice.cut");
    int64_t finished;
    out->some = count || now;
    if (!out->some) return true;
    if (!count || !gpri_parse_int(count, &finished) || finished < 0 || finished > GPRI_MOST_CANDIDATES) return false;
    if ((now && !read_name(out->now, now)) || (!now && finished == 0)) return false;
    const gpri_measure metric = measure ? gpri_measure_chosen(measure) : GPRI_MEASURES;
    if (measure && metric == GPRI_MEASURES) return false;
    out->so_far.cut = cut != NULL;
    if (cut && (now || strcmp(cut, "yes") != 0)) return false;
    if (measure) out->so_far.measure = gpri_measure_word(metric);
    out->so_far.count = (int)finished;
    for (int i = 0; i < out->so_far.count; i++)
        if (!read_finished(&out->so_far, file, i)) return false;
    return true;
}

/* The arrays that say more. */
static gpr_status read_arrays(gpri_saved_choice *out, const gpri_safetensors *file) {
    gpri_stored_array array;
    for (void *at = NULL;;) {
        gpr_status status = gpri_safetensors_next(file, &at, &array, NULL);
        if (status != GPR_OK || !at) return status;
        if (strcmp(array.name, "kept") == 0 && strcmp(array.dtype, "U8") == 0)
            out->kept = (gpr_state){.bytes = array.values,
                                    .size = (size_t)(array.shape[0] * array.shape[1]),
                                    .name = "the kept candidate of the state"};
        if (strcmp(array.name, "seconds") == 0 && strcmp(array.dtype, "F64") == 0)
            memcpy(&out->seconds,
                   (const char *)array.values + (array.shape[0] * array.shape[1] - 1) * (int64_t)sizeof out->seconds,
                   sizeof out->seconds);
    }
}

gpr_status gpri_choice_read(gpri_saved_choice *out, const gpr_state *state) {
    gpr_status status = GPR_OK;
    gpri_safetensors file;
    *out = (gpri_saved_choice){.so_far = {.taken = -1}};
    TRY(gpri_saved_header(&file, state));
    const char *version = text_of(&file, "format_version"), *splits = text_of(&file, "splits"),
               *runs = text_of(&file, "runs");
    out->old = version && strcmp(version, GPRI_SAVED_OLD_VERSION) == 0;
    out->given = splits && strcmp(splits, GPRI_SAVED_GIVEN) == 0;
    if (!runs || !gpri_parse_int(runs, &out->runs)) out->runs = 1;
    TRY(read_arrays(out, &file));
    if (!read_choice(out, &file))
        THROW(GPR_ERROR_FORMAT, "%s: what it says of the choice among candidates is damaged", file.path);
done:
    gpri_safetensors_close(&file);
    return status;
}
