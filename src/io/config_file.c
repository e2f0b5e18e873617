/* gpr_params_load: options from a file of `word = value` lines, or from the config.json of a run folder. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/print.h"
#include "file/file.h"
#include "file/source.h"
#include "io/config_file.h"
#include "io/data_options.h"

static char *trim_left(char *text) {
    while (isspace((unsigned char)*text)) text++;
    return text;
}

static char *trim(char *text) {
    text = trim_left(text);
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1])) *--end = 0;
    return text;
}

/* A scalar as its text, in `number` if it is one; NULL: it is something else. */
static const char *scalar_text(const json_t *value, char number[40]) {
    if (json_is_string(value)) return json_string_value(value);
    if (json_is_integer(value)) snprintf(number, 40, "%" PRId64, (int64_t)json_integer_value(value));
    else if (json_is_real(value)) gpri_print(number, 40, "%.15g", json_real_value(value));
    else return NULL;
    return number;
}

/* A line that is neither an option nor about the data. */
static gpr_status unknown_line(const char *word) {
    const char *words[GPRI_PARAM_COUNT + 1], *near;
    int count = 0;
    (void)gpri_is_data_word(word, &near);
    if (near) words[count++] = near;
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) words[count++] = gpri_param_word((gpri_param)i);
    return gpri_unknown_option(word, gpr_nearest_word(word, words, count));
}

/* One line about the data. The second `edges` is edges.2, and an `edge-weight` is for the `edges` above it. */
static gpr_status set_data_line(gpr_params *params, const char *word, const char *value) {
    char numbered[40];
    const bool edges = strcmp(word, "edges") == 0, weight = strcmp(word, "edge-weight") == 0;
    int files = gpr_params_data(params, "edges") ? 1 : 0;
    if (!edges && !weight) return gpri_params_set_data(params, word, value);
    for (;; files++) {
        snprintf(numbered, sizeof numbered, "edges.%d", files + 1);
        if (files == 0 || !gpr_params_data(params, numbered)) break;
    }
    if (edges && files == 0) return gpri_params_set_data(params, word, value);
    if (weight) snprintf(numbered, sizeof numbered, "edge-weight.%d", files);
    if (weight && (files == 0 || gpr_params_data(params, numbered)))
        return gpri_fail(GPR_ERROR_ARGUMENT, "edge-weight: give it below the `edges` that it is for, once for each");
    return gpri_params_set_data(params, numbered, value);
}

/* A line of a text. Only a config may name data. */
static gpr_status set_line(gpr_params *params, gpri_set_by source, char *word, const char *value) {
    gpri_param id;
    if (source != GPRI_FROM_FILE || gpri_param_find(word, &id))
        return gpri_params_set_from(params, source, word, value);
    for (char *at = word; *at; at++)
        if (*at == '_') *at = '-';
    const bool about_data = gpri_is_data_word(word, NULL) || strcmp(word, "edge-weight") == 0;
    return about_data ? set_data_line(params, word, value) : unknown_line(word);
}

/* {"hidden": 64, ..., "data": {"edges": "e.csv", ...}}: the options of a run, and how its data was opened. */
static gpr_status read_json(gpr_params *params, gpri_set_by source, const char *text, const char *path) {
    gpr_status status = GPR_OK;
    json_error_t error;
    json_t *tree = json_loads(text, JSON_REJECT_DUPLICATES, &error), *value, *member;
    const char *word, *key;
    char number[40];
    if (!tree && gpri_json_no_memory(&error, strlen(text))) THROW(GPR_ERROR_MEMORY, "out of memory: %s", path);
    if (!tree) THROW(GPR_ERROR_FORMAT, "%s:%d: not the JSON of a run's config.json: %s", path, error.line, error.text);
    json_object_foreach(tree, word, value) {
        if (strcmp(word, "data") == 0 && json_is_object(value)) {
            json_object_foreach(value, key, member) {
                const char *given = scalar_text(member, number);
                const char *near;
                if (!given) THROW(GPR_ERROR_FORMAT, "%s: data '%.60s' is not a text", path, key);
                if (!gpri_is_data_word(key, &near))
                    THROW(GPR_ERROR_ARGUMENT, "%s: unknown word '%.60s' under data%s%s%s", path, key,
                          near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
                if (source == GPRI_FROM_FILE) TRY(gpri_params_set_data(params, key, given));
            }
            continue;
        }
        const char *given = scalar_text(value, number);
        if (!given) THROW(GPR_ERROR_FORMAT, "%s: '%.60s' is neither a text nor a number", path, word);
        status = gpri_params_set_from(params, source, word, given);
        if (status != GPR_OK) LEAVE(gpri_fail_prefix(status, "%s", path));
    }
done:
    json_decref(tree);
    return status;
}

gpr_status gpri_params_read(gpr_params *params, gpri_set_by source, const char *path) {
    gpr_ctx *ctx = gpri_params_ctx(params);
    gpr_status status = GPR_OK;
    char *bytes = NULL;
    int64_t size;
    TRY(gpri_read_whole(ctx, &bytes, &size, path, 1 << 20));
    if ((int64_t)strlen(bytes) != size) THROW(GPR_ERROR_FORMAT, "%s: not a text file (it holds a NUL byte)", path);
    gpri_end_lines(bytes, size);
    if (*trim_left(bytes) == '{') LEAVE(read_json(params, source, bytes, path));
    int number = 0;
    for (char *line = bytes, *next; line; line = next) {
        number++;
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        char *comment = strchr(line, '#');
        if (comment) *comment = 0;
        line = trim(line);
        if (!*line) continue;
        char *equals = strchr(line, '=');
        if (!equals)
            THROW(GPR_ERROR_FORMAT, "%s:%d: '%s' is not a setting: write 'word = value', one on a line", path, number,
                  line);
        *equals = 0;
        char *word = trim(line), *value = trim(equals + 1);
        size_t length = strlen(value);
        if (length >= 2 && (*value == '"' || *value == '\'') && value[length - 1] == *value) {
            value[length - 1] = 0;
            value++;
        }
        status = set_line(params, source, word, value);
        if (status != GPR_OK) LEAVE(gpri_fail_prefix(status, "%s:%d", path, number));
    }
done:
    gpri_free(ctx, bytes);
    return status;
}

gpr_status gpr_params_load(gpr_params *params, const char *path) {
    if (!params || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_params_load: a NULL argument");
    return gpri_finish(gpri_params_read(params, GPRI_FROM_FILE, path));
}
