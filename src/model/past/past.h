/* What a model that uses known labels remembers of the data of its training: the labels of all nodes, their ids, and
 * what the data is recognised by. All models of a training share one. */
#ifndef GPRI_PAST_H
#define GPRI_PAST_H

#include "base/thread.h"
#include "data/describe.h"
#include "model/file/safetensors.h"

typedef struct gpri_past {
    gpr_ctx *ctx;
    gpri_lock lock;
    int64_t users;                    /* models that have it */
    char data[GPRI_FINGERPRINT_SIZE]; /* of graph and features: gpri_unlabelled_fingerprint */
    int64_t nodes;
    int32_t *labels; /* (nodes) classes of the model; -1: it had none */
    gpri_names ids;  /* (nodes) that the data brought; or none */
} gpri_past;

/* Of data that is ready, with all its rows. */
gpr_status gpri_past_new(gpr_ctx *ctx, gpri_past **out, const gpr_dataset *data) GPRI_MUST_CHECK;
/* For one more model; NULL: NULL. */
gpri_past *gpri_past_share(gpri_past *past);
/* Where the last model that has it is freed, it is, too. NULL is fine. */
void gpri_past_free(gpri_past *past);

/* Whether the ids of the data say more than the numbers of its rows: 7, 8, 9, ... in the order of the rows do not. */
bool gpri_ids_tell(const gpr_dataset *data);

/* In a model file. */
#define GPRI_PAST_LABELS "known.labels" /* I32 (nodes) */
#define GPRI_PAST_IDS "known.ids"       /* U8: the ids one after the other, each with a NUL behind it */
enum { GPRI_PAST_ARRAYS = 2 };
/* The type of the array of that name; NULL: it is not of these. */
const char *gpri_past_type(const char *name);
/* Adds the arrays to the `count` there are; returns how many there are then. They borrow from past, which may be NULL.
 */
int gpri_past_arrays(const gpri_past *past, gpri_stored_array *arrays, int count);
/* Takes over what one array of a file has; *past is made by the first. The content is not trusted; gpri_past_check
   comes after the last. digits: of known_nodes (model/known.h). */
gpr_status gpri_past_read(gpr_ctx *ctx, gpri_past **past, const gpri_stored_array *array,
                          const char *path) GPRI_MUST_CHECK;
gpr_status gpri_past_check(const gpri_past *past, int64_t classes, int64_t digits, const char *path) GPRI_MUST_CHECK;

#endif
