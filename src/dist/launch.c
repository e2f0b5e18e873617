/* Who has started this process: read from the environment. A batch script of Slurm has SLURM_NTASKS although it is one
 * process, so that variable says nothing; the variables of a job step do. */
#include "dist/launch.h"

#include <stdlib.h>

static int64_t number(const char *name) {
    const char *text = getenv(name);
    char *end;
    if (!text || !*text) return -1;
    const long long value = strtoll(text, &end, 10);
    return *end || value < 0 ? -1 : value;
}

gpri_launch gpri_launch_of(void) {
    /* Open MPI; MPICH and its kin, also by srun; PMIx, which does not say the size; srun without MPI. */
    static const struct {
        const char *rank, *size;
        bool mpi;
    } known[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", true},
                 {"PMI_RANK", "PMI_SIZE", true},
                 {"PMIX_RANK", "SLURM_STEP_NUM_TASKS", true},
                 {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", false}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const int64_t rank = number(known[i].rank), size = number(known[i].size);
        if (rank < 0 || (size < 0 && !known[i].mpi)) continue;
        return (gpri_launch){.rank = rank, .size = size < 0 ? 0 : size, .by_mpi = known[i].mpi};
    }
    return (gpri_launch){.rank = 0, .size = 0};
}
