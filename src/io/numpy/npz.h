/* .npz: a zip archive of .npy arrays (io/numpy/npy.h), over libzip. Names are those of numpy, without ".npy". */
#ifndef GPRI_NPZ_H
#define GPRI_NPZ_H

#include "graph/graph.h"
#include "io/numpy/npy.h"

/* ---- Reading ---- */

typedef struct gpri_npz gpri_npz;

/* If `path` is not a zip archive, the error says what was found there. */
gpr_status gpri_npz_open(gpr_ctx *ctx, gpri_npz **out, const char *path) GPRI_MUST_CHECK;
void gpri_npz_close(gpri_npz *npz); /* NULL is fine */
int64_t gpri_npz_count(const gpri_npz *npz);
/* Name of member `index` as in the archive ("labels.npy"); belongs to npz. */
const char *gpri_npz_name(const gpri_npz *npz, int64_t index);
bool gpri_npz_has(const gpri_npz *npz, const char *name);
int64_t gpri_npz_file_size(const gpri_npz *npz);
/* dims: how many are expected; -1: any from 0 to 2. Messages name the file and the member. *out is zeroed on failure.
 */
gpr_status gpri_npz_read(gpri_npz *npz, gpri_array *out, const char *name, gpri_number type, int dims) GPRI_MUST_CHECK;
/* A list of texts. other: as for gpri_npy_read_names. */
gpr_status gpri_npz_read_names(gpri_npz *npz, gpri_names *out, bool *other, const char *name) GPRI_MUST_CHECK;

/* Reads every member, and compares it with its CRC-32 in the archive. */
gpr_status gpri_npz_check(const char *path) GPRI_MUST_CHECK;

/* ---- Writing ---- */

typedef struct gpri_npz_writer gpri_npz_writer;

/* The file appears under `path` whole with gpri_npz_commit, or not at all. */
gpr_status gpri_npz_create(gpr_ctx *ctx, gpri_npz_writer **out, const char *path) GPRI_MUST_CHECK;
/* At most GPRI_NPZ_MOST_MEMBERS. `data` is borrowed until commit or discard. deflate: compress. */
enum { GPRI_NPZ_MOST_MEMBERS = 16 + 4 * GPRI_MOST_RELATIONS };
gpr_status gpri_npz_add(gpri_npz_writer *writer, const char *name, gpri_number type, int dims, const int64_t *shape,
                        const void *data, bool deflate) GPRI_MUST_CHECK;
/* names: packed when this returns; nothing is borrowed. */
gpr_status gpri_npz_add_names(gpri_npz_writer *writer, const char *name, const gpri_names *names) GPRI_MUST_CHECK;
/* Writes, syncs and renames. Always frees the writer and sets it to NULL. */
gpr_status gpri_npz_commit(gpri_npz_writer **writer) GPRI_MUST_CHECK;
void gpri_npz_discard(gpri_npz_writer *writer); /* leaves no file; NULL is fine */

#endif
