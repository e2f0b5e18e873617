/* What processes agree on. Nothing here takes memory: agreeing must not fail in one process alone. */
#include "dist/group.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 1024 };

int64_t gpri_group_most(gpri_group *group, int64_t value) { return group ? group->most(group, value) : value; }

/* The first process for which it is true; -1: none. */
static int64_t first_of(gpri_group *group, bool is) {
    const int64_t found = group->most(group, is ? group->size - group->rank : 0);
    return found > 0 ? group->size - found : -1;
}

void gpri_group_bring(gpri_group *group, void *whole, const void *own, const int64_t *begin) {
    const int64_t bytes = begin[group->rank + 1] - begin[group->rank];
    if (group->rank > 0) {
        if (bytes > 0) group->send(group, own, bytes, 0);
        return;
    }
    if (bytes > 0 && (char *)whole + begin[0] != own) memcpy((char *)whole + begin[0], own, (size_t)bytes);
    for (int64_t p = 1; p < group->size; p++)
        if (begin[p + 1] > begin[p]) group->receive(group, (char *)whole + begin[p], begin[p + 1] - begin[p], p);
}

void gpri_group_add(gpri_group *group, int64_t *counts, int64_t count) {
    enum { SOME = 512 };
    int64_t some[SOME];
    for (int64_t first = 0; group && first < count; first += SOME) {
        const int64_t here = count - first < SOME ? count - first : SOME, bytes = here * (int64_t)sizeof *some;
        if (group->rank > 0) group->send(group, counts + first, bytes, 0);
        for (int64_t p = 1; group->rank == 0 && p < group->size; p++) {
            group->receive(group, some, bytes, p);
            for (int64_t i = 0; i < here; i++) counts[first + i] += some[i];
        }
    }
}

gpr_status gpri_group_same(gpri_group *group, const char *text, const char *what, const char *remedy) {
    char first[TEXT] = "", other[TEXT] = "";
    if (!group) return GPR_OK;
    snprintf(first, sizeof first, "%s", text);
    snprintf(other, sizeof other, "%s", text);
    group->broadcast(group, first, sizeof first, 0);
    const int64_t odd = first_of(group, strcmp(first, other) != 0);
    if (odd < 0) return GPR_OK;
    group->broadcast(group, other, sizeof other, odd);
    return gpri_fail(GPR_ERROR_MISMATCH, "process %lld of %lld has %s (%.300s) than process 0 (%.300s): %s",
                     (long long)odd, (long long)group->size, what, other, first, remedy);
}

gpr_status gpri_group_all_well(gpri_group *group, gpr_status own) {
    struct {
        int64_t status;
        char message[TEXT];
    } said = {own, ""};
    if (!group) return own;
    const int64_t failed = first_of(group, own < 0);
    if (failed < 0) return own;
    if (own < 0) snprintf(said.message, sizeof said.message, "%s", gpr_last_error());
    group->broadcast(group, &said, sizeof said, failed);
    if (failed == 0) return gpri_fail((gpr_status)said.status, "%s", said.message);
    return gpri_fail((gpr_status)said.status, "process %lld of %lld: %s", (long long)failed, (long long)group->size,
                     said.message);
}
