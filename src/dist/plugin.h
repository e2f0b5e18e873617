/* Where the program and libgprgnn_mpi.so meet. The library is opened where mpirun has started the program (dist/open.c)
 * and needs no symbol of it. */
#ifndef GPRI_MPI_PLUGIN_H
#define GPRI_MPI_PLUGIN_H

#include "dist/group.h"

#define GPRI_MPI_INTERFACE 1 /* counted up when the meaning of anything shared changes and its size does not */
#define GPRI_MPI_LIBRARY "libgprgnn_mpi.so"
#define GPRI_MPI_FUNCTION "gpri_mpi_open"

/* What must be the same on both sides. */
typedef struct gpri_mpi_host {
    const char *version; /* GPRI_VERSION */
    size_t interface, group_size;
} gpri_mpi_host;

/* Joins the processes that were started together, and returns their group; it lives until its `close`. NULL: message
   (size bytes) says why and what to do. */
typedef gpri_group *gpri_mpi_open_fn(const gpri_mpi_host *host, char *message, size_t size);

#endif
