/* The budget of a reader: the memory of the machine, and what files may declare. */
#include "base/budget.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- The machine ---------------------------------------------------------------------------------- */

/* The number in a file of the kernel; INT64_MAX where there is none ("max" too). */
static int64_t number_in(const char *path) {
    long long value = 0;
    FILE *file = fopen(path, "re");
    const bool there = file && fscanf(file, "%lld", &value) == 1 && value > 0;
    if (file) fclose(file);
    return there ? (int64_t)value : INT64_MAX;
}

/* The least limit of a control group and of those that it lies in. root: where they are mounted; group: "/a/b". */
static int64_t group_limit(const char *root, char *group, const char *name) {
    int64_t least = INT64_MAX;
    for (;;) {
        char path[1024];
        const int size = snprintf(path, sizeof path, "%s%s/%s", root, group, name);
        const int64_t limit = size < (int)sizeof path ? number_in(path) : INT64_MAX;
        if (limit < least) least = limit;
        char *slash = strrchr(group, '/');
        if (!slash) return least;
        *slash = 0;
    }
}

/* Lines of /proc/self/cgroup: "0::/a/b" (version 2), or "9:memory:/a/b" (version 1). */
static int64_t groups_limit(void) {
    int64_t least = INT64_MAX;
    char line[512];
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *names = strchr(line, ':'), *group = names ? strchr(names + 1, ':') : NULL;
        if (!group) continue;
        *group++ = 0;
        int64_t limit = INT64_MAX;
        if (!names[1]) limit = group_limit("/sys/fs/cgroup", group, "memory.max");
        else if (strstr(names, "memory")) limit = group_limit("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
        if (limit < least) least = limit;
    }
    if (file) fclose(file);
    return least;
}

int64_t gpri_machine_memory(void) {
    const int64_t pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE), limit = groups_limit();
    const int64_t machine = pages > 0 && size > 0 ? pages * size : 0;
    if (limit == INT64_MAX) return machine;
    return machine == 0 || limit < machine ? limit : machine;
}

int64_t gpri_budget_of(int64_t memory) { return memory > 0 ? memory : gpri_machine_memory() / 4 * 3; }

/* ---- The budget ----------------------------------------------------------------------------------- */

gpr_status gpri_budget_check(int64_t memory) {
    if (memory == 0 || memory >= GPRI_LEAST_MEMORY) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "memory is %lld bytes: it must be at least %lld", (long long)memory,
                     (long long)GPRI_LEAST_MEMORY);
}

gpri_budget gpri_budget_begin(gpr_ctx *ctx, int64_t bytes, bool given) {
    const gpri_budget before = ctx->job.budget;
    const int64_t held = atomic_load(&ctx->held);
    ctx->job.budget = (gpri_budget){.bytes = bytes, .given = given};
    if (bytes > 0) ctx->job.budget.most = bytes < INT64_MAX - held ? held + bytes : INT64_MAX;
    return before;
}

void gpri_budget_end(gpr_ctx *ctx, gpri_budget before) { ctx->job.budget = before; }

gpr_status gpri_budget_declared(gpr_ctx *ctx, const char *path, const char *what, int64_t count, int64_t each,
                                int64_t bytes) {
    const char *name = path ? path : "", *colon = path ? ": " : "";
    const double needed = (double)count * (double)each, allowed = (double)ctx->job.budget.bytes;
    char size[GPRI_SIZE_TEXT], most[GPRI_SIZE_TEXT];
    if (!ctx->job.budget.given && bytes >= 0 && count > GPRI_DECLARED_FREE && count / GPRI_DECLARED_PER_BYTE > bytes)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s%s%lld %s in %lld bytes: they would take %s or more; a file may declare %d, or %d for each "
                         "of its bytes. If the file is right, give `memory`, such as %lldG",
                         name, colon, (long long)count, what, (long long)bytes, gpri_size_text(size, needed),
                         GPRI_DECLARED_FREE, GPRI_DECLARED_PER_BYTE, (long long)(2 * needed / 1e9) + 1);
    if (allowed > 0 && needed > allowed)
        return gpri_fail(GPR_ERROR_MEMORY,
                         "%s%s%lld %s would take %s or more, and reading may take %s; give `memory` if the machine has "
                         "more",
                         name, colon, (long long)count, what, gpri_size_text(size, needed),
                         gpri_size_text(most, allowed));
    return GPR_OK;
}
