/* The public datasets that are known by name: where each file comes from, where it goes, and what it must be. */
#ifndef GPRI_CATALOGUE_H
#define GPRI_CATALOGUE_H

#include "base/text.h"

typedef struct gpri_catalogue_file {
    const char *path;   /* below the folder of datasets, and below a mirror's address */
    const char *url;    /* the public address */
    const char *sha256; /* in hex; NULL: not known, and the set has one file, an .npz, and a fingerprint */
    int64_t bytes;      /* 0: not known */
} gpri_catalogue_file;

typedef struct gpri_catalogue_entry {
    const char *name, *source, *licence, *note; /* as in gpr_fetch_info */
    const char *fingerprint;                    /* of the dataset, where its file has no sha256; else NULL */
    const gpri_catalogue_file *files;
    int file_count;
} gpri_catalogue_entry;

enum { GPRI_CATALOGUE_SIZE = 11 };
extern const gpri_catalogue_entry gpri_catalogue[GPRI_CATALOGUE_SIZE];

void gpri_catalogue_names(const char *names[GPRI_CATALOGUE_SIZE]);
/* "cora, citeseer, ...", for messages. */
void gpri_catalogue_list(char *out, size_t size);

/* The user's cache folder, where datasets are looked up last and fetched to; empty if there is none. */
void gpri_cache_folder(gpri_text *out);

#endif
