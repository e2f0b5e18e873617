/* What mpirun, mpiexec or srun say in the environment of the processes that they start. */
#ifndef GPRI_LAUNCH_H
#define GPRI_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct gpri_launch {
    int64_t rank, size; /* size 0: not said; rank 0: not said, or the first */
    bool by_mpi;        /* the launcher speaks with an MPI library */
} gpri_launch;

gpri_launch gpri_launch_of(void);

#endif
