/* gprgnn paper: the paper's tables, cell by cell. */
#ifndef PAPER_H
#define PAPER_H

#include "cli/common.h"

/* The tables and figures, in the order of the paper's claims. */
typedef enum paper_part {
    PART_REAL,
    PART_CSBM_SPARSE,
    PART_CSBM_DENSE,
    PART_HOMOPHILIC,
    PART_SMOOTHING,
    PART_FIGURES,
    PART_SPEED,
    PART_DATASETS,
    PARTS
} paper_part;

const char *part_name(paper_part part);  /* "table-real" */
const char *part_title(paper_part part); /* one line */

typedef enum paper_verdict { VERDICT_NONE, VERDICT_INSIDE, VERDICT_ABOVE, VERDICT_BELOW } paper_verdict;
const char *verdict_name(paper_verdict verdict);

enum { MOST_DRAWS = 10 };

/* One number of a table that comes from training: a model on a dataset. */
typedef struct paper_cell {
    paper_part part;
    const char *model;              /* "gprgnn", ..., "gprgnn-random": with random initial gamma */
    const char *dataset;            /* "cora", "csbm:phi=-0.5" */
    const char *split;              /* "sparse", "dense" */
    double published, published_ci; /* percent; NaN: the paper has no such number */
    /* Of table-oversmoothing: before training, and runs that begin with one label for all nodes. */
    double published_initial, published_smoothed;

    int64_t runs;                /* asked for, in all draws */
    int draws;                   /* graphs that are drawn; 1 for a real one */
    int64_t at[MOST_DRAWS];      /* its cells in the study; -1: none */
    int64_t initial[MOST_DRAWS]; /* the same with the initial weights; -1: none */
    char skipped[512];           /* why it has no result; "" */

    /* What came out. */
    int64_t done, failed;
    double mean, sd, ci95;         /* over the runs; over the draws where there are several */
    double seconds;                /* of all runs, on one core each */
    double initial_mean, smoothed; /* as above */
    paper_verdict verdict;
} paper_cell;

/* ms per epoch on this machine. */
typedef struct paper_speed {
    const char *model, *dataset;
    double published_ms, published_seconds;
    double ms, seconds;
    bool measured;
    bool skipped;    /* its dataset is missing */
    double rival_ms; /* of another program on this machine; NaN: not known */
} paper_speed;

typedef struct paper_data {
    const char *name, *split;
    gpr_dataset_info published;
    gpr_dataset_info found;
    bool opened;
    const char *fingerprint; /* of the published graph; NULL: a cSBM */
} paper_data;

enum { MOST_CELLS = 512, MOST_SPEEDS = 128, MOST_DATASETS = 32 };

/* Everything that one call of the program makes. */
typedef struct paper {
    cli_session session; /* first: callbacks get its address */
    const cli_arguments *args;
    const char *out, *data_dir;
    bool parts[PARTS];
    int64_t runs;   /* of a cell */
    int64_t epochs; /* at most, of a run */
    int draws, jobs;
    bool show; /* train nothing */
    gpr_study *study;
    paper_cell cells[MOST_CELLS];
    int cell_count;
    paper_speed speeds[MOST_SPEEDS];
    int speed_count;
    paper_data datasets[MOST_DATASETS];
    int dataset_count;
    int64_t planned, before; /* runs of all cells; of them done before this study */
    int skipped;             /* cells */
} paper;

/* The published sizes of a dataset by its name; NULL: the paper does not have it. */
const gpr_dataset_info *published_sizes(const char *name);
const char *split_of(const char *dataset); /* of a dataset in table-real */
/* By these, kept runs are found without the data: the fingerprint of a dataset, and the value of the option embedding
   that stands for the neighbourhoods of Geom-GCN's authors. NULL: there is none. */
const char *published_fingerprint(const char *name);
const char *published_neighbourhoods(const char *name);
/* The cells of the parts that are asked for, with the published values; models, datasets: words between commas, or
   NULL for all. EXIT_OK, or the exit status after an error message. */
int plan_paper(paper *tables, const char *models, const char *datasets);
/* The options of a model on a dataset: those of the preset, and what the table asks for. data: NULL: not at hand. */
gpr_status paper_options(const paper *tables, gpr_params **out, const char *model, const char *dataset,
                         const char *split, const gpr_dataset *data);
gpr_status open_paper_data(paper *tables, gpr_dataset **out, const char *spec);
int show_paper_progress(void *user, const gpr_study_progress *report); /* a gpr_study_progress_fn; user: the paper */

/* Trains what is missing, dataset by dataset, and fills in the results. */
int work_paper(paper *tables);
void measure_cells(paper *tables);
int measure_speeds(paper *tables);
/* The other program's times from a CSV file: model,dataset,ms_per_epoch. */
int read_rival(paper *tables, const char *path);
int describe_datasets(paper *tables);

/* Tables for people, as CSV, as Markdown and as JSON. */
void print_paper(FILE *out, const paper *tables);
void put_paper_page(FILE *out, const paper *tables); /* the JSON of a page */
/* Before the work: no file of anything else is replaced. */
int check_paper_folder(const char *dir);
int write_paper(const paper *tables); /* all files in tables->out, and --json */

#endif
