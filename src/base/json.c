/* JSON text from jansson trees, also when a name is not UTF-8 or memory is short. */
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

json_t *gpri_json_string(const char *text) {
    json_t *value = json_string(text);
    char *copy = value ? NULL : strdup(text);
    if (!copy) return value;
    gpri_make_utf8(copy);
    value = json_string(copy);
    free(copy);
    return value;
}

static int append(const char *bytes, size_t size, void *text) {
    gpri_text_add(text, "%.*s", (int)size, bytes);
    return gpri_text_status(text) == GPR_OK ? 0 : -1;
}

gpr_status gpri_json_write(gpri_text *out, json_t *tree, size_t flags) {
    int bad = !tree || json_dump_callback(tree, append, out, flags) != 0;
    json_decref(tree);
    if (gpri_text_status(out) == GPR_OK && bad) return gpri_fail(GPR_ERROR_MEMORY, "out of memory: JSON");
    return gpri_text_status(out);
}
