/* gpr_verify of a single file: opens it as what it is, and reads all of it. */
#include "verify/verify.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "base/print.h"
#include "data/describe.h"
#include "file/file.h"
#include "file/table.h"
#include "io/formats.h"
#include "io/numpy/npz.h"
#include "model/model.h"
#include "train/saved_choice.h"

#define NO_CHECKSUM "it was read to its end; it has no checksum of its own"

gpr_status gpri_verify_say(gpri_verifier *v, gpr_verdict verdict, const char *path, const char *kind,
                           const char *format, ...) {
    char detail[2048];
    va_list args;
    va_start(args, format);
    gpri_vprint(detail, sizeof detail, format, args);
    va_end(args);
    v->checked++;
    v->bad += verdict == GPR_VERDICT_DAMAGED || verdict == GPR_VERDICT_MISSING;
    const gpr_verify_info info = {
        .struct_size = sizeof info, .verdict = verdict, .path = path, .kind = kind, .detail = detail};
    if (!v->report || v->report(v->user, &info) == 0) return GPR_OK;
    return gpri_fail(GPR_ERROR_STOPPED, "stopped by the caller");
}

/* The present message without the path that it begins with. */
static const char *reason(const char *path) {
    const char *message = gpr_last_error();
    const size_t size = strlen(path);
    return strncmp(message, path, size) == 0 && strncmp(message + size, ": ", 2) == 0 ? message + size + 2 : message;
}

/* Takes the status of a reader: what it refuses is damaged. A lack of memory says nothing about the file. */
static gpr_status judge(gpri_finding *out, gpr_status status, const char *path) {
    if (status == GPR_ERROR_MEMORY || status >= 0) return status < 0 ? status : GPR_OK;
    out->verdict = GPR_VERDICT_DAMAGED;
    snprintf(out->detail, sizeof out->detail, "%s", reason(path));
    return GPR_OK;
}

/* ---- safetensors: a model, or the state of a training ---- */

static gpr_status open_model(gpri_verifier *v, gpri_finding *out, const char *path, const json_t *meta) {
    gpr_model *model = NULL;
    out->kind = "model";
    gpr_status status = judge(out, gpr_model_load(v->ctx, &model, path), path);
    if (model)
        snprintf(out->detail, sizeof out->detail, "%s, %s", gpr_model_name(model),
                 json_object_get(meta, "sha256") ? "its own SHA-256 matches" : NO_CHECKSUM);
    gpr_model_free(model);
    return status;
}

/* The options of the training, so that the reader of states finds what it expects. */
static gpr_status take_params(gpr_params *params, const json_t *meta) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)meta, key, value) {
        if (strncmp(key, "param.", 6) == 0 && json_is_string(value))
            NEED(gpr_params_set(params, key + 6, json_string_value(value)));
    }
    return GPR_OK;
}

static gpr_status open_state(gpri_verifier *v, gpri_finding *out, const char *path, const json_t *meta,
                             const char *bytes, int64_t size) {
    gpr_status status = GPR_OK;
    gpr_params *params = NULL;
    gpri_saved saved = {.ctx = NULL};
    gpri_saved_choice choice;
    const gpr_state state = {.bytes = bytes, .size = (size_t)size, .name = path};
    out->kind = "state";
    TRY(gpr_params_new(v->ctx, &params));
    TRY(take_params(params, meta));
    TRY(gpri_saved_open(v->ctx, &saved, &state, 1, params, GPRI_SAVED_CANDIDATE));
    TRY(gpri_choice_read(&choice, &state));
    for (int64_t run = 0; run < saved.count; run++)
        if (saved.runs[run].split && saved.runs[run].kind != GPRI_RUN_WAITING)
            snprintf(out->detail, sizeof out->detail, "run %lld after %lld epochs%s%s, its checksum matches",
                     (long long)run, (long long)saved.runs[run].restart.steps, *choice.now ? " of the candidate " : "",
                     choice.now);
    if (!*out->detail) snprintf(out->detail, sizeof out->detail, "no run has begun, its checksum matches");
done:
    gpri_saved_close(&saved);
    gpr_params_free(params);
    return judge(out, status, path);
}

static gpr_status open_safetensors(gpri_verifier *v, gpri_finding *out, const char *path) {
    gpr_status status = GPR_OK;
    gpri_safetensors file = {.header = NULL};
    char *bytes = NULL;
    int64_t size;
    out->kind = "model";
    TRY(gpri_read_whole(v->ctx, &bytes, &size, path, INT64_MAX / 4));
    TRY(gpri_safetensors_open(&file, bytes, size, path, "model file", "weight"));
    const json_t *meta = gpri_safetensors_metadata(&file);
    const char *format = json_string_value(json_object_get(meta, "format"));
    const bool state = format && strcmp(format, GPRI_SAVED_FORMAT) == 0;
    TRY(state ? open_state(v, out, path, meta, bytes, size) : open_model(v, out, path, meta));
done:
    gpri_safetensors_close(&file);
    gpri_free(v->ctx, bytes);
    return judge(out, status, path);
}

/* ---- datasets, and arrays of numpy ---- */

static gpr_status open_dataset(gpri_verifier *v, gpri_finding *out, const char *path, const gpri_format *format,
                               const char *compared) {
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    gpr_dataset *data = NULL;
    out->kind = "dataset";
    const gpri_budget before = gpri_budget_begin(v->ctx, gpri_budget_of(0), false);
    gpr_status status = gpri_read_path(v->ctx, &data, path, format, false, NULL);
    gpri_budget_end(v->ctx, before);
    TRY(status);
    TRY(gpri_dataset_ready(v->ctx, data));
    gpri_fingerprint(fingerprint, data);
    snprintf(out->detail, sizeof out->detail, "%s, fingerprint %s", compared, fingerprint);
done:
    gpr_dataset_free(data);
    return judge(out, status, path);
}

static gpr_status open_npz(gpri_verifier *v, gpri_finding *out, const char *path, const gpri_format *format) {
    gpr_status status = GPR_OK;
    gpri_npz *npz = NULL;
    const char *const matches = "the CRC-32 of each array matches";
    out->kind = "arrays";
    TRY(gpri_npz_check(path));
    TRY(gpri_npz_open(v->ctx, &npz, path));
    const bool split = gpri_npz_has(npz, "train_mask") || gpri_npz_has(npz, "train_masks");
    const bool data = gpri_npz_has(npz, "adj_indptr") || gpri_npz_has(npz, "edges");
    snprintf(out->detail, sizeof out->detail, "%s", matches);
    if (data) TRY(open_dataset(v, out, path, format, matches));
    else if (split) out->kind = "split";
done:
    gpri_npz_close(npz);
    return judge(out, status, path);
}

/* ---- texts ---- */

static gpr_status open_json(gpri_verifier *v, gpri_finding *out, const char *path) {
    gpr_status status = GPR_OK;
    char *bytes = NULL;
    int64_t size;
    json_error_t error;
    json_t *tree = NULL;
    out->kind = "json";
    TRY(gpri_read_whole(v->ctx, &bytes, &size, path, INT64_MAX / 4));
    tree = json_loadb(bytes, (size_t)size, 0, &error);
    if (!tree) THROW(GPR_ERROR_FORMAT, "%s: line %d: %s", path, error.line, error.text);
    snprintf(out->detail, sizeof out->detail, NO_CHECKSUM);
done:
    json_decref(tree);
    gpri_free(v->ctx, bytes);
    return judge(out, status, path);
}

static gpr_status open_page(gpri_verifier *v, gpri_finding *out, const char *path) {
    char *json = NULL;
    out->kind = "page";
    const gpr_status status = gpr_page_load(v->ctx, &json, path);
    gpri_free(v->ctx, json);
    snprintf(out->detail, sizeof out->detail, NO_CHECKSUM);
    return judge(out, status, path);
}

/* A text may be anything, so what cannot be read need not be damaged. */
static gpr_status open_text(gpri_verifier *v, gpri_finding *out, const char *path, const gpri_format *format) {
    gpr_status status = open_dataset(v, out, path, format, NO_CHECKSUM);
    if (status != GPR_OK || out->verdict == GPR_VERDICT_OK) return status;
    char why[sizeof out->detail];
    memcpy(why, out->detail, sizeof why);
    out->verdict = GPR_VERDICT_UNKNOWN;
    out->kind = "file";
    if (snprintf(out->detail, sizeof out->detail, "no list of edges (%s), and nothing else that has checksums", why) <
        0)
        out->detail[0] = 0;
    return GPR_OK;
}

/* The file of the option `hops-file`. */
static gpr_status open_table(gpri_verifier *v, gpri_finding *out, const char *path) {
    int64_t done = 0, cols = 0;
    bool old = false;
    out->kind = "hops";
    const gpr_status status = gpri_table_verify(v->ctx, path, &done, &cols, &old);
    if (old)
        snprintf(out->detail, sizeof out->detail,
                 "of an earlier version, without checksums: the next training computes the hops again");
    else if (status == GPR_OK)
        snprintf(out->detail, sizeof out->detail, "%lld of %lld columns are there, and their checksums match",
                 (long long)done, (long long)cols);
    const gpr_status judged = judge(out, status, path);
    if (status == GPR_ERROR_IO) out->verdict = GPR_VERDICT_UNKNOWN; /* it is in use */
    return judged;
}

gpr_status gpri_verify_open(gpri_verifier *v, gpri_finding *out, const char *path) {
    gpr_status status = GPR_OK;
    const gpri_format *format;
    *out = (gpri_finding){.verdict = GPR_VERDICT_OK, .kind = "file"};
    const char *dot = strrchr(path, '.');
    if (dot && strcmp(dot, ".safetensors") == 0) return open_safetensors(v, out, path);
    if (dot && strcmp(dot, ".json") == 0) return open_json(v, out, path);
    if (dot && strcmp(dot, ".html") == 0) return open_page(v, out, path);
    if (gpri_is_table(path)) return open_table(v, out, path);
    TRY(gpri_format_of(v->ctx, &format, path));
    if (!format) {
        out->verdict = GPR_VERDICT_UNKNOWN;
        snprintf(out->detail, sizeof out->detail, "it is no file that gprgnn writes or reads");
    } else if (format->id == GPRI_FORMAT_NPZ) TRY(open_npz(v, out, path, format));
    else if (format->id == GPRI_FORMAT_GPR) TRY(open_dataset(v, out, path, format, "all its checksums match"));
    else if (format->id == GPRI_FORMAT_EDGES) TRY(open_text(v, out, path, format));
    else TRY(open_dataset(v, out, path, format, NO_CHECKSUM));
done:
    return judge(out, status, path);
}

gpr_status gpri_verify_file(gpri_verifier *v, const char *path) {
    gpri_finding found;
    NEED(gpri_verify_open(v, &found, path));
    return gpri_verify_say(v, found.verdict, path, found.kind, "%s", found.detail);
}
