/* Copies structs in and out by the size that the caller has. */
#include "base/struct.h"

#include <string.h>

/* No struct is nearly as large, today or later: a larger size was never set. */
enum { MOST_BYTES = 4096 };

/* Every public struct has its size in front. */
static size_t size_of(const void *caller) {
    size_t size;
    memcpy(&size, caller, sizeof size);
    return size;
}

gpr_status gpri_struct_check(const void *caller, size_t first, const char *call, const char *name, const char *type) {
    if (!caller)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s: %s is NULL: give a %s with struct_size set to its sizeof", call, name,
                         type);
    if (size_of(caller) < first || size_of(caller) > MOST_BYTES)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s: %s->struct_size is %zu: it must be sizeof(%s), at least %zu", call,
                         name, size_of(caller), type, first);
    return GPR_OK;
}

gpr_status gpri_struct_in(void *to, const void *from, size_t size, size_t first, const char *call, const char *name,
                          const char *type) {
    NEED(gpri_struct_check(from, first, call, name, type));
    const size_t given = size_of(from);
    const unsigned char *bytes = from;
    for (size_t i = size; i < given; i++)
        if (bytes[i] != 0)
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "%s: %s->struct_size is %zu, and this library (%s) knows %zu bytes of a %s: it is older "
                             "than the header, and what is set beyond them means nothing to it",
                             call, name, given, GPR_VERSION_STRING, size, type);
    memset(to, 0, size);
    memcpy(to, from, given < size ? given : size);
    return GPR_OK;
}

void gpri_struct_out(void *caller, const void *from, size_t size) {
    const size_t given = size_of(caller), head = sizeof given;
    memcpy((char *)caller + head, (const char *)from + head, (given < size ? given : size) - head);
    if (given > size) memset((char *)caller + size, 0, given - size);
}

gpr_status gpri_struct_give(void *out, size_t first, const char *call, const char *type, const void *from,
                            size_t size) {
    NEED(gpri_struct_check(out, first, call, "out", type));
    gpri_struct_out(out, from, size);
    return GPR_OK;
}

void gpri_struct_init(void *options, size_t struct_size, size_t first, const void *usual, size_t size) {
    if (!options || struct_size < sizeof struct_size) return;
    const size_t taken = struct_size < first ? 0 : struct_size; /* 0 is refused, if it is used all the same */
    memcpy(options, &taken, sizeof taken);
    if (taken > 0) gpri_struct_out(options, usual, size);
}

gpr_status gpri_check_index(const char *call, const char *name, int64_t index, int64_t count) {
    if (index >= 0 && index < count) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "%s: %s %lld is not in [0, %lld)", call, name, (long long)index,
                     (long long)count);
}
