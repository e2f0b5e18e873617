/* Joins the processes of mpirun: loads libgprgnn_mpi.so and asks it for the group. Where the library is looked for: the
 * file that the environment variable GPRGNN_MPI_LIBRARY names; else beside the program or libgprgnn.so, in the library
 * folder of the tree that the program was installed to, and where the system looks. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "dist/launch.h"
#include "dist/plugin.h"
#include "file/library.h"

#ifndef GPRI_VERSION
#define GPRI_VERSION "0.0.0"
#endif

/* ---- the library ---- */

static gpr_status load(gpri_mpi_open_fn **out) {
    static const char variable[] = "GPRGNN_MPI_LIBRARY";
    char why[GPRI_LIBRARY_WHY] = "";
    *out = NULL;
    /* global: the parts that an MPI library loads look for its symbols */
    void *library = gpri_library_open(GPRI_MPI_LIBRARY, variable, true, why);
    void *address = library ? dlsym(library, GPRI_MPI_FUNCTION) : NULL;
    memcpy(out, &address, sizeof *out); /* ISO C knows no cast from an address to a function */
    if (*out) return GPR_OK;
    if (library) snprintf(why, sizeof why, "it is another library");
    if (strncmp(why, variable, sizeof variable - 1) == 0) return gpri_fail(GPR_ERROR_IO, "`distribute`: %s", why);
    if (*why)
        return gpri_fail(GPR_ERROR_IO,
                         "`distribute`: %s cannot be loaded: %s: install it again, with the program from the same "
                         "build, and the MPI library that it was built with",
                         GPRI_MPI_LIBRARY, why);
    return gpri_fail(
        GPR_ERROR_IO,
        "`distribute`: several processes were started together, but %s is not installed: it belongs beside "
        "libgprgnn.so or the program. A build makes it where MPI is found (cmake -DGPRGNN_MPI=ON says why "
        "not). To let each process work for itself: `distribute` none",
        GPRI_MPI_LIBRARY);
}

/* ---- joining ---- */

static const char *const spread_words[] = {"none", "auto", "runs", "columns", "rows"}; /* as gpri_spread */

static gpr_status read_spread(gpri_spread *out, const char *how) {
    for (int i = 0; i < (int)(sizeof spread_words / sizeof *spread_words); i++)
        if (strcmp(how, spread_words[i]) == 0) {
            *out = (gpri_spread)i;
            return GPR_OK;
        }
    return gpri_fail(GPR_ERROR_ARGUMENT, "`distribute` is '%s': it must be auto, runs, columns, rows or none", how);
}

static gpr_status check_launch(gpri_launch launch, gpri_spread wanted, bool *joins) {
    *joins = launch.by_mpi && (wanted != GPRI_SPREAD_AUTO || launch.size != 1);
    if (launch.by_mpi) return GPR_OK;
    if (launch.size > 1)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`distribute`: srun has started %lld tasks without MPI, and each would train the same: give "
                         "srun its option mpi=pmix, or start one task, or use `distribute` none",
                         (long long)launch.size);
    if (wanted == GPRI_SPREAD_AUTO) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT,
                     "`distribute` is for processes that were started together, and this one is alone: start it as "
                     "mpirun -n P gprgnn ..., or leave `distribute` away");
}

static gpr_status join(gpr_ctx *ctx, gpri_spread wanted) {
    const gpri_mpi_host host = {GPRI_VERSION, GPRI_MPI_INTERFACE, sizeof(gpri_group)};
    gpri_mpi_open_fn *open;
    char message[512] = "";
    NEED(load(&open));
    ctx->job.group = open(&host, message, sizeof message);
    if (!ctx->job.group) return gpri_fail(GPR_ERROR_IO, "`distribute`: %s", message);
    ctx->job.close_group = ctx->job.group->close;
    ctx->job.group->wanted = wanted;
    NEED(gpri_all_same(ctx, GPRI_VERSION, "another version", "install the same one everywhere"));
    return gpri_all_same(ctx, spread_words[wanted], "another `distribute`", "give the same options to all");
}

gpr_status gpr_ctx_join(gpr_ctx *ctx, const char *how) {
    gpri_spread wanted = GPRI_SPREAD_NONE;
    bool joins;
    if (!ctx) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_ctx_join: ctx is NULL");
    if (ctx->job.group) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_ctx_join: the context has joined before");
    gpr_status status = read_spread(&wanted, how ? how : "auto");
    if (status != GPR_OK || wanted == GPRI_SPREAD_NONE) return gpri_finish(status);
    status = check_launch(gpri_launch_of(), wanted, &joins);
    if (status == GPR_OK && joins) status = join(ctx, wanted);
    return gpri_finish(status);
}

/* ---- what a program asks ---- */

int64_t gpr_launch_rank(int64_t *size) {
    const gpri_launch launch = gpri_launch_of();
    if (size) *size = launch.size;
    return launch.by_mpi ? launch.rank : -1;
}

int64_t gpr_ctx_rank(const gpr_ctx *ctx, int64_t *size) {
    if (size) *size = gpri_process_count(ctx);
    return gpri_process_number(ctx);
}

int64_t gpr_ctx_agree(gpr_ctx *ctx, int64_t value) { return gpri_all_most(ctx, value); }

int64_t gpr_ctx_leave(gpr_ctx *ctx, int failed) {
    if (!ctx || !ctx->job.group) return failed ? 0 : -1;
    return ctx->job.group->part(ctx->job.group, failed != 0);
}
