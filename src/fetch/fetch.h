/* The public datasets that can be downloaded: where each file comes from, where it goes, and what it must be. */
#ifndef GPRI_FETCH_H
#define GPRI_FETCH_H

#include "base/context.h"

typedef struct gpri_fetch_file {
    const char *path;   /* below the folder of datasets, and below a mirror's address */
    const char *url;    /* the public address */
    const char *sha256; /* in hex; NULL: not known, and the set has one file, an .npz, that is compared by content */
    int64_t bytes;      /* 0: not known */
} gpri_fetch_file;

typedef struct gpri_fetch_set {
    const char *name, *source, *licence, *note; /* as in gpr_fetch_info */
    const char *fingerprint;                    /* of the dataset, where a file has no sha256 */
    const gpri_fetch_file *files;
    int file_count;
} gpri_fetch_set;

enum { GPRI_FETCH_SETS = 11 };
extern const gpri_fetch_set gpri_fetch_sets[GPRI_FETCH_SETS];

void gpri_fetch_names(const char *names[GPRI_FETCH_SETS]);

/* gpr_fetch for a set of any list. The folder is made if missing. */
gpr_status gpri_fetch_load(gpr_ctx *ctx, gpr_fetch_result *result, const gpri_fetch_set *set, const char *folder,
                           const gpr_fetch_options *options) GPRI_MUST_CHECK;

/* Is the file at `path` what the list says? One without sha256 was compared when it came: it is, if it is there. */
gpr_status gpri_fetch_check(bool *right, const char *path, const gpri_fetch_file *file) GPRI_MUST_CHECK;

#endif
