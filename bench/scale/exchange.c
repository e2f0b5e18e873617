/* The median time of two-way exchanges between P processes, as training makes them: what bench/scale/model.py calls
 * latency and bandwidth.
 *
 *     mpirun -n P exchange BYTES...    bytes that a process sends in an exchange, to all others together */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TIMES = 4, BATCHES = 5, MOST = 64 }; /* the first batch warms up */

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int a = 1; a < argc && size > 1 && size <= MOST; a++) {
        const int each = atoi(argv[a]) / (size - 1);
        char *out = calloc((size_t)size, (size_t)each), *in = calloc((size_t)size, (size_t)each);
        MPI_Request requests[2 * MOST];
        double seconds[BATCHES + 1], begin = 0;
        if (!out || !in) MPI_Abort(MPI_COMM_WORLD, 1);
        for (int k = 0; k < (BATCHES + 1) * TIMES; k++) {
            int count = 0;
            if (k % TIMES == 0) {
                MPI_Barrier(MPI_COMM_WORLD);
                begin = MPI_Wtime();
            }
            for (int p = 0; p < size; p++)
                if (p != rank)
                    MPI_Irecv(in + (size_t)p * each, each, MPI_BYTE, p, 2, MPI_COMM_WORLD, &requests[count++]);
            for (int p = 0; p < size; p++)
                if (p != rank)
                    MPI_Isend(out + (size_t)p * each, each, MPI_BYTE, p, 2, MPI_COMM_WORLD, &requests[count++]);
            MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
            seconds[k / TIMES] = (MPI_Wtime() - begin) / TIMES;
        }
        qsort(seconds + 1, BATCHES, sizeof *seconds, by_value);
        if (rank == 0) printf("%d %d %.6f\n", size, each * (size - 1), seconds[1 + BATCHES / 2]);
        free(out);
        free(in);
    }
    MPI_Finalize();
    return 0;
}
