/* How data was opened, so that a run can be repeated: the member `data` of config.json. */
#ifndef GPRI_ORIGIN_H
#define GPRI_ORIGIN_H

#include "data/dataset.h"

/* Sets data->origin: words of the options and their values, where they are given. Of several files of edges, the second
   is `edges.2`; the weight of the first, where it has one, is `edge-weight.1`. */
gpr_status gpri_note_origin(gpr_dataset *data, const gpr_open_options *options) GPRI_MUST_CHECK;

#endif
