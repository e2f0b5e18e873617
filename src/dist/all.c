/* What all processes do at once. Nothing here takes memory: agreeing must not fail in one process alone. */
#include "dist/all.h"

#include <stdio.h>
#include <string.h>

#include "dist/group.h"

enum { TEXT = 1024 };

/* NULL: alone. */
static gpri_group *group_of(const gpr_ctx *ctx) { return ctx ? ctx->job.group : NULL; }

/* ---- who this is ---- */

int64_t gpri_process_count(const gpr_ctx *ctx) { return group_of(ctx) ? ctx->job.group->size : 1; }
int64_t gpri_process_number(const gpr_ctx *ctx) { return group_of(ctx) ? ctx->job.group->rank : 0; }
bool gpri_is_first_process(const gpr_ctx *ctx) { return gpri_process_number(ctx) == 0; }

static bool is_last(const gpri_group *group) { return group->rank == group->size - 1; }

/* ---- what is dealt out ---- */

gpri_spread gpri_spread_wanted(const gpr_ctx *ctx) { return group_of(ctx) ? ctx->job.group->wanted : GPRI_SPREAD_NONE; }

bool gpri_spread_may_be_rows(const gpr_ctx *ctx) {
    return gpri_spread_wanted(ctx) != GPRI_SPREAD_NONE && gpri_spread_wanted(ctx) != GPRI_SPREAD_RUNS;
}

gpri_spread gpri_dealt_out(const gpr_ctx *ctx) { return group_of(ctx) ? ctx->job.group->dealt : GPRI_SPREAD_NONE; }

bool gpri_spreads_rows(const gpr_ctx *ctx) {
    const gpri_spread dealt = gpri_dealt_out(ctx);
    return dealt == GPRI_SPREAD_COLUMNS || dealt == GPRI_SPREAD_ROWS;
}

void gpri_deal_out(gpr_ctx *ctx, gpri_spread spread) {
    if (group_of(ctx)) ctx->job.group->dealt = spread;
}

bool gpri_first_saves(const gpr_ctx *ctx) { return group_of(ctx) && ctx->job.group->root_saves; }

void gpri_let_first_save(gpr_ctx *ctx, bool saves) {
    if (group_of(ctx)) ctx->job.group->root_saves = saves;
}

/* ---- what all know ---- */

int64_t gpri_all_most(const gpr_ctx *ctx, int64_t value) {
    gpri_group *group = group_of(ctx);
    return group ? group->most(group, value) : value;
}

/* The first process for which it is true; -1: none. */
static int64_t first_of(gpri_group *group, bool is) {
    const int64_t found = group->most(group, is ? group->size - group->rank : 0);
    return found > 0 ? group->size - found : -1;
}

gpr_status gpri_all_well(const gpr_ctx *ctx, gpr_status own) {
    gpri_group *group = group_of(ctx);
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

gpr_status gpri_all_same(const gpr_ctx *ctx, const char *text, const char *what, const char *remedy) {
    gpri_group *group = group_of(ctx);
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

void gpri_all_hear(const gpr_ctx *ctx, void *at, int64_t bytes, int64_t from) {
    gpri_group *group = group_of(ctx);
    if (group) group->broadcast(group, at, bytes, from);
}

void gpri_all_hear_largest(const gpr_ctx *ctx, int64_t size, void *at, int64_t bytes) {
    gpri_group *group = group_of(ctx);
    if (!group) return;
    const int64_t largest = group->most(group, size);
    group->broadcast(group, at, bytes, first_of(group, size == largest));
}

void gpri_all_gather(const gpr_ctx *ctx, void *out, const void *own, int64_t bytes) {
    if (bytes > 0) memcpy((char *)out + gpri_process_number(ctx) * bytes, own, (size_t)bytes);
    for (int64_t p = 0; p < gpri_process_count(ctx); p++) gpri_all_hear(ctx, (char *)out + p * bytes, bytes, p);
}

static void add(void *arg, int64_t first, const void *some, int64_t count) {
    int64_t *counts = arg;
    const int64_t *others = some;
    for (int64_t i = 0; i < count; i++) counts[first + i] += others[i];
}

void gpri_all_sum(const gpr_ctx *ctx, int64_t *counts, int64_t count) {
    gpri_first_merges(ctx, counts, count, sizeof *counts, add, counts);
    gpri_all_hear(ctx, counts, count * (int64_t)sizeof *counts, 0);
}

/* ---- what process 0 gets ---- */

void gpri_first_gets(const gpr_ctx *ctx, void *whole, const void *own, const int64_t *begin) {
    gpri_group *group = group_of(ctx);
    const int64_t bytes = begin[gpri_process_number(ctx) + 1] - begin[gpri_process_number(ctx)];
    if (!gpri_is_first_process(ctx)) {
        if (bytes > 0) group->send(group, own, bytes, 0);
        return;
    }
    if (bytes > 0 && (char *)whole + begin[0] != own) memcpy((char *)whole + begin[0], own, (size_t)bytes);
    for (int64_t p = 1; p < gpri_process_count(ctx); p++)
        if (begin[p + 1] > begin[p]) group->receive(group, (char *)whole + begin[p], begin[p + 1] - begin[p], p);
}

void gpri_first_merges(const gpr_ctx *ctx, const void *own, int64_t count, int64_t size, gpri_merge_fn fn, void *arg) {
    enum { SOME = 2048 };
    gpri_group *group = group_of(ctx);
    int64_t some[SOME]; /* as many numbers of any type */
    for (int64_t first = 0; group && first < count; first += SOME) {
        const int64_t here = count - first < SOME ? count - first : SOME;
        if (group->rank > 0) group->send(group, (const char *)own + first * size, here * size, 0);
        for (int64_t p = 1; group->rank == 0 && p < group->size; p++) {
            group->receive(group, some, here * size, p);
            fn(arg, first, some, here);
        }
    }
}

/* ---- one after the other ---- */

void gpri_turn_take(const gpr_ctx *ctx, void *at, int64_t bytes) {
    gpri_group *group = group_of(ctx);
    if (group && group->rank > 0) group->receive(group, at, bytes, group->rank - 1);
}

void gpri_turn_pass(const gpr_ctx *ctx, const void *at, int64_t bytes) {
    gpri_group *group = group_of(ctx);
    if (group && !is_last(group)) group->send(group, at, bytes, group->rank + 1);
}

void gpri_turn_end(const gpr_ctx *ctx, void *at, int64_t bytes) {
    gpri_all_hear(ctx, at, bytes, gpri_process_count(ctx) - 1);
}
