/* gpr_params_load: options from a file of `word = value` lines. */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "file/file.h"
#include "file/source.h"
#include "io/params_file.h"

static char *trim(char *text) {
    while (isspace((unsigned char)*text)) text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1])) *--end = 0;
    return text;
}

gpr_status gpri_params_read(gpr_params *params, gpri_set_by source, const char *path) {
    gpr_ctx *ctx = gpri_params_ctx(params);
    gpr_status status = GPR_OK;
    char *bytes = NULL;
    int64_t size;
    TRY(gpri_read_whole(ctx, &bytes, &size, path, 1 << 20));
    if ((int64_t)strlen(bytes) != size) THROW(GPR_ERROR_FORMAT, "%s: not a text file (it holds a NUL byte)", path);
    gpri_end_lines(bytes, size);
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
        status = gpri_params_set_from(params, source, word, value);
        if (status != GPR_OK) {
            gpri_fail_prefix(status, "%s:%d", path, number);
            goto done;
        }
    }
done:
    gpri_free(ctx, bytes);
    return status;
}

gpr_status gpr_params_load(gpr_params *params, const char *path) {
    if (!params || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_params_load: a NULL argument");
    return gpri_finish(gpri_params_read(params, GPRI_FROM_FILE, path));
}
