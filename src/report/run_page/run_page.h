/* report.html of a run folder: what its parts share. */
#ifndef GPRI_RUN_PAGE_H
#define GPRI_RUN_PAGE_H

#include "report/page/page.h"
#include "report/report.h"

/* report.html. predicted, numbers: (nodes) classes, or what is told where that is a number, by the best run's model; or
   NULL. gathered: what is known of all rows of the
   data, some of which may be out of reach; NULL: they can be read. */
gpr_status gpri_run_page_save(gpr_ctx *ctx, const char *path, const gpr_result *result, const gpr_dataset *data,
                              const int32_t *predicted, const float *numbers,
                              const gpri_gathered *gathered) GPRI_MUST_CHECK;

typedef struct gpri_run_page {
    gpr_ctx *ctx;
    gpri_document doc;
    const gpr_result *result;
    const gpri_run *best; /* NULL: no run has a result */
    const gpr_dataset *data;
    const int32_t *predicted;      /* (nodes) by the best run's model */
    const float *numbers;          /* (nodes) the same */
    bool number;                   /* what is told is a number */
    const gpri_gathered *gathered; /* of all rows of the data; NULL: they can be read */
    bool one_split;                /* all runs have the same, as from one file */
    bool blind; /* no run has validation nodes: the last epoch of each is kept, and the model of the first run */
} gpri_run_page;

/* The name of a class, or its number. */
json_t *gpri_class_label(const gpr_dataset *data, int64_t class_id);

/* Each adds its sections. */
void gpri_run_page_measures(gpri_run_page *page);
void gpri_run_page_learning(gpri_run_page *page);
gpr_status gpri_run_page_filter(gpri_run_page *page) GPRI_MUST_CHECK;
/* Part of it: a filter of several relations, directions or classes. */
gpr_status gpri_run_page_filters(gpri_run_page *page) GPRI_MUST_CHECK;
/* The same of a model with a filter in each block. */
gpr_status gpri_run_page_blocks(gpri_run_page *page) GPRI_MUST_CHECK;
gpr_status gpri_run_page_classes(gpri_run_page *page) GPRI_MUST_CHECK;
gpr_status gpri_run_page_numbers(gpri_run_page *page) GPRI_MUST_CHECK;
gpr_status gpri_run_page_data(gpri_run_page *page) GPRI_MUST_CHECK;
void gpri_run_page_importance(gpri_run_page *page);
void gpri_run_page_settings(gpri_run_page *page);

#endif
