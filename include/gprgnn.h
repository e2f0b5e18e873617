/* gprgnn: node classification on graphs with GPR-GNN.
 *
 *     Z = sum_k gamma_k A~^k f(X)      (Chien et al., ICLR 2021)
 *
 * The whole public interface. In short:
 *
 *     gpr_ctx *ctx; gpr_dataset *data; gpr_params *params; gpr_model *model; gpr_result *result;
 *     gpr_ctx_new(&ctx, NULL);
 *     gpr_dataset_open(ctx, &data, "csbm:phi=-0.5", NULL);
 *     gpr_params_new(ctx, &params);
 *     gpr_params_set(params, "epochs", "500");
 *     gpr_train(ctx, &model, &result, data, params);
 *     gpr_model_save(ctx, model, "model.safetensors");
 *
 * Rules that hold everywhere:
 *  - A call that can fail returns a gpr_status: 0 is success, a negative value an error, a positive one a note (the
 *    result is valid, but something is worth knowing). gpr_last_error() then has the text for this thread. Any call may
 *    return GPR_ERROR_ARGUMENT (a NULL that is not allowed, a value out of bounds) and GPR_ERROR_MEMORY; "Errors:"
 *    lists the others. Any call that reads a dataset of a .gpr file may return GPR_ERROR_FORMAT: the file is checked
 *    when it is first used.
 *  - The library never exits, aborts, prints or installs signal handlers, and has no global state.
 *  - Output handles are set to NULL on entry and written on success (or note) only.
 *  - Inputs are borrowed for the call. Returned strings and arrays belong to the handle they came from and live until
 *    it is freed, unless said otherwise. Every _free accepts NULL.
 *  - Arguments: a call that makes something takes the context, then the output, then the inputs, then the options. A
 *    query takes the handle first and the output last.
 *  - int64_t is for counts from data (nodes, runs, bytes of files), size_t for bytes in memory, int for switches,
 *    threads, and indices of the library's own tables.
 *  - Where a struct begins with struct_size, the caller sets it to the sizeof of the struct, also if the call fills in
 *    the rest. So a program may be compiled with an older header than the library's (0.1.0 or later). It may also use a
 *    newer header if all fields that the library does not know are 0; else GPR_ERROR_ARGUMENT. In a callback's struct,
 *    struct_size is the library's: before you read a field marked "since", check that it lies within struct_size.
 *
 * Threads and lifetimes:
 *  - A gpr_ctx is for one thread at a time. Use one context per calling thread; contexts are independent.
 *  - All other handles may be used with any context, and read by any number of threads at once, each with its own
 *    context: one dataset and one model serve all threads of a server. A call that takes the handle as const only reads
 *    it; any other call (gpr_params_set, every _free) needs exclusive access.
 *  - The context that a handle was made with must outlive it: the handle's memory comes from there. Any thread may free
 *    the handle, even while another thread uses that context.
 *  - A model and a result copy what they need from data and parameters; a dataset copies the caller's arrays. Freeing a
 *    handle ends only what is said to belong to it. */
#ifndef GPRGNN_H
#define GPRGNN_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define GPR_API
#elif defined(__GNUC__)
#define GPR_API __attribute__((visibility("default")))
#else
#define GPR_API
#endif

/* Deprecated functions stay until 1.0. To silence the compiler's warnings, define GPR_NO_DEPRECATION_WARNINGS before
   this header. */
#if defined(__GNUC__) && !defined(GPR_NO_DEPRECATION_WARNINGS)
#define GPR_DEPRECATED(instead) __attribute__((deprecated(instead)))
#else
#define GPR_DEPRECATED(instead)
#endif

/* The version of this header; gpr_version() is the library's. Compare the number: 200 is 0.2.0, 10203 is 1.2.3. */
#define GPR_VERSION_MAJOR 0
#define GPR_VERSION_MINOR 2
#define GPR_VERSION_PATCH 0
#define GPR_VERSION_NUMBER (GPR_VERSION_MAJOR * 10000 + GPR_VERSION_MINOR * 100 + GPR_VERSION_PATCH)
#define GPR_VERSION_STRING "0.2.0"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status --------------------------------------------------------------------------------------- */

/* Values are fixed: they are never reused for another meaning. */
typedef enum gpr_status {
    GPR_OK = 0,
    GPR_STOPPED = 1,          /* note: the progress callback asked to stop; the best model so far is returned */
    GPR_PARTIAL = 2,          /* note: some runs failed (GPR_ERROR_NUMERIC); the result has the others */
    GPR_ERROR_ARGUMENT = -1,  /* a wrong call: unknown name, value out of bounds, NULL that is not allowed */
    GPR_ERROR_MEMORY = -2,    /* an allocation failed */
    GPR_ERROR_IO = -3,        /* the operating system refused a file operation, or a device failed */
    GPR_ERROR_FORMAT = -4,    /* a file is damaged, or not of the expected format */
    GPR_ERROR_MISMATCH = -5,  /* two things do not fit together, such as a model and a graph */
    GPR_ERROR_NOT_FOUND = -6, /* no file or dataset of that name */
    GPR_ERROR_NUMERIC = -7,   /* losses, weights or scores are infinite or NaN: the message names node and cause */
    GPR_ERROR_NETWORK = -8,   /* no server could be reached, or its answer was wrong */
    GPR_ERROR_STOPPED = -9    /* the progress callback asked to stop and there is nothing to return */
} gpr_status;

/* Text of the last error or note on this thread; "" after a call that returned GPR_OK, or if there was none. Valid
   until the next call on this thread that can fail. */
GPR_API const char *gpr_last_error(void);
GPR_API const char *gpr_status_name(gpr_status status); /* "GPR_ERROR_IO"; never NULL */
GPR_API const char *gpr_version(void);                  /* "0.2.0" */

/* ---- Context: memory, threads, log and progress ---------------------------------------------------- */

typedef struct gpr_ctx gpr_ctx;

/* GPR_LOG_NOTICE: no warning, but every user should see it: what was chosen for the data, and what it costs. */
typedef enum gpr_log_level {
    GPR_LOG_WARNING = 1,
    GPR_LOG_INFO = 2,
    GPR_LOG_DEBUG = 3,
    GPR_LOG_NOTICE = 4
} gpr_log_level;

/* One whole line without its newline. */
typedef void (*gpr_log_fn)(void *user, gpr_log_level level, const char *line);

typedef struct gpr_progress {
    size_t struct_size;                                       /* the library's */
    int64_t run, runs;                                        /* index of this run, from 0; number of runs */
    int64_t epoch, epochs;                                    /* training steps done in this run; their maximum */
    double train_loss, val_loss, val_accuracy, test_accuracy; /* of the weights after `epoch` steps */
    int64_t best_epoch; /* lowest validation loss so far; 0 before the first step */
    const char *stage;  /* "training"; "networks" for those of the model stack, whose epochs count as one; "refit" for
                           the option of that name; "embedding" while that of geomgcn is computed, also for a
                           prediction; "hops" while those of `order` filter-first are, and "predicting" while its nodes
                           are predicted; "reading" while a text file of several MB is read: all fields above are 0 for
                           the last four */
    double share;       /* fraction of the embedding, the hops, the nodes or the file that is done, 0 to 1; -1: not
                           known (a pipe) */
    const char *file;   /* while reading: its path, or "standard input"; else NULL */
    const char *candidate; /* "label-input no, label-counts yes": what is tried, where the validation nodes choose among
                              candidates; else NULL */
    int64_t candidate_index, candidates; /* its index, from 0; how many there are; 0: none is tried now */
    int64_t refits;                      /* trainings on all labelled nodes that are still to come: 0 or 1 */
    int may_end_early;                   /* the run may end before `epochs` */
} gpr_progress;

/* Called after every epoch and repeatedly during an embedding and the reading of a long text, never from two threads at
   once. Return non-zero to stop all runs, or the reading, cleanly. */
typedef int (*gpr_progress_fn)(void *user, const gpr_progress *progress);

/* All memory of the library goes through these (except in third-party libraries that read and write files).
   resize(user, NULL, n) allocates, resize(user, p, n) grows or shrinks; NULL on failure. May be called from several
   threads at once. These three fields will never change. */
typedef struct gpr_allocator {
    void *(*resize)(void *user, void *block, size_t size);
    void (*release)(void *user, void *block);
    void *user;
} gpr_allocator;

typedef struct gpr_ctx_options {
    size_t struct_size; /* sizeof(gpr_ctx_options) */
    int threads;        /* 0: as many as the machine has */
    const char *cpu;    /* NULL or "auto": the best that the CPU supports; "ref", "base", "avx2", "avx512" */
    gpr_log_fn log;     /* NULL: no log */
    gpr_progress_fn progress;
    void *user;              /* passed to log and progress */
    gpr_allocator allocator; /* all NULL: malloc */
    const char *device;      /* since 0.2.0. Where to compute: as for gpr_ctx_set_device */
    int quiet;               /* since 0.2.0. Not 0: no warning that only says what an option of the call has done, such
                                as how many edges `unknown` skip left out. Warnings about the data stay */
} gpr_ctx_options;

/* `options` may be NULL. Cheap: threads are started when they are first needed. The context must outlive every handle
   made with it. */
GPR_API gpr_status gpr_ctx_new(gpr_ctx **out, const gpr_ctx_options *options);
GPR_API void gpr_ctx_free(gpr_ctx *ctx);                           /* ends its threads */
/* 0: as many as the machine has. Where it is fewer than before, those that are idle end. */
GPR_API gpr_status gpr_ctx_set_threads(gpr_ctx *ctx, int threads);
GPR_API int gpr_ctx_threads(const gpr_ctx *ctx);
/* Where to compute from now on: NULL or "cpu"; "cuda" or "cuda:N", an NVIDIA GPU; "auto": a GPU, or the CPU if none can
   be used. Not while a call with ctx runs. After an error nothing has changed. GPR_ERROR_IO: the message says what is
   missing (library, driver, GPU) and what to do. */
GPR_API gpr_status gpr_ctx_set_device(gpr_ctx *ctx, const char *device);

/* ---- several processes (MPI): docs/scale.md -----------------------------------------------------------------------
 */

/* Joins the processes that mpirun or srun has started with this one. From then on gpr_train and its kin are calls that
   all of them make, with the same data and options, and all get the same model and runs; process 0 alone may have the
   metrics of runs (gpr_result_metrics). The function options.save and the states to go on from are those of process 0.
   So are gpr_study_open, gpr_study_include, gpr_study_run and gpr_search_run: runs are distributed, process 0 alone has
   the file of kept runs, and all have the same runs afterwards. All other calls are as before, and each process makes
   its own. how: NULL or "auto"; "runs", "columns", "rows": what is distributed (auto chooses by sizes); "none": nothing
   is joined. A process that was started alone joins nothing by "auto", and fails by the others. Only once in a process.
 */
GPR_API gpr_status gpr_ctx_join(gpr_ctx *ctx, const char *how);
/* The number of this process among those that have joined, from 0; *size: how many they are. Alone: 0 of 1. */
GPR_API int64_t gpr_ctx_rank(const gpr_ctx *ctx, int64_t *size);
/* The largest value of all processes, each of which must call it. */
GPR_API int64_t gpr_ctx_agree(gpr_ctx *ctx, int64_t value);
/* The end of this process's work; failed: not 0 if it failed. Waits for the others, after a failure some seconds only.
   Returns the first process that failed, which should say why; -1: all is well. Where the others do not come it is this
   process, and gpr_ctx_free then ends them. Call it last before gpr_ctx_free, in every process that has joined. */
GPR_API int64_t gpr_ctx_leave(gpr_ctx *ctx, int failed);
/* What the environment says before anything is joined: the number of this process, -1 if no MPI launcher has started
   it; *size: how many there are, 0: not known. */
GPR_API int64_t gpr_launch_rank(int64_t *size);
/* JSON: version, compiler, device, kernels chosen for it, threads. Belongs to ctx, valid until the next such call. NULL
   if ctx is NULL. */
GPR_API const char *gpr_build_info(gpr_ctx *ctx);
/* The path of a .gpr file that datasets of this context have mapped; NULL if there is none. With `changed` not 0: of
   one whose size or time of writing is no longer that of its opening. Reading such a file can end the program with
   SIGBUS or SIGSEGV: a program that handles these signals may call this in the handler, to say why. Since 0.2.0. */
GPR_API const char *gpr_ctx_mapped_file(gpr_ctx *ctx, int changed);

/* ---- Parameters: every option by its word ----------------------------------------------------------- */

typedef struct gpr_params gpr_params;

typedef struct gpr_param_info {
    size_t struct_size;
    const char *name;     /* the word: flag, config key, API and Python name ("weight-decay" = "weight_decay") */
    const char *type;     /* "int", "real", "choice", "text" */
    const char *fallback; /* the default, as text; some models have another: gpr_param_default */
    const char *range;    /* bounds such as "[0, 1)", choices such as "auto|row|none", or a form such as "ppr|..." */
    const char *models;   /* models that it applies to: "all", "all but A B", or "A B" */
    const char *group;    /* "model", "training", "data", "run" */
    const char *help;     /* one line */
    const char *value;    /* since 0.3.0: what a command line calls its value: "N", "FILE"; NULL: it takes none */
    int left_out;         /* since 0.3.0: not 0: files and summaries leave it out where it has its default */
} gpr_param_info;

GPR_API int gpr_param_count(void);
/* The option at `index`, from 0. Its texts are constants. */
GPR_API gpr_status gpr_param_describe(int index, gpr_param_info *out);
/* 1 if the option applies to the model of that name; else 0. */
GPR_API int gpr_param_applies(int index, const char *model);
/* Its default for a model, as text; NULL if there is no such option. */
GPR_API const char *gpr_param_default(int index, const char *model);

/* All options at their defaults. Free with gpr_params_free. Warnings about them go to the log of ctx. */
GPR_API gpr_status gpr_params_new(gpr_ctx *ctx, gpr_params **out);
GPR_API void gpr_params_free(gpr_params *params);
/* Errors name the nearest known word, or the bounds. A value set here takes precedence over file, preset and default,
   in any order of calls. */
GPR_API gpr_status gpr_params_set(gpr_params *params, const char *name, const char *value);
/* The resolved value as text; NULL if the word is unknown. Valid until params changes. */
GPR_API const char *gpr_params_get(const gpr_params *params, const char *name);
/* Where the value came from: "flag", "file", "preset" or "default"; NULL if the word is unknown. */
GPR_API const char *gpr_params_source(const gpr_params *params, const char *name);
/* A config file: `word = value` lines, # comments; or the config.json of a run folder. Errors: GPR_ERROR_NOT_FOUND,
   GPR_ERROR_IO, GPR_ERROR_FORMAT (with the line); the lines before the bad one are applied. */
GPR_API gpr_status gpr_params_load(gpr_params *params, const char *path);
/* Since 0.2.0. What the config.json that was loaded says of the data: "data", "edges", "nodes", "label" and the like,
   as the flags of the program are called; NULL: nothing. Lives as long as params, and is not part of it otherwise. */
GPR_API const char *gpr_params_data(const gpr_params *params, const char *word);
/* Fails if an option was set that does not apply to the chosen model; gpr_train checks the same. */
GPR_API gpr_status gpr_params_check(const gpr_params *params);

/* ---- Data ------------------------------------------------------------------------------------------- */

typedef struct gpr_dataset gpr_dataset;

/* A graph with features and labels in the caller's arrays; all are copied. Edges are in src and dst, or in adj_*;
   features are dense, or in indptr and indices, or in feature_*, or there are none. */
typedef struct gpr_dataset_desc {
    size_t struct_size;
    const char *name; /* may be NULL */
    int64_t nodes;
    int64_t edges; /* length of src and dst; one or both directions, duplicates and loops are allowed */
    const int64_t *src, *dst;
    const float *weights;  /* NULL: all 1; else positive; merged duplicates keep the largest */
    int64_t features;      /* columns; 0, with dense and indptr NULL: a graph without features */
    const float *dense;    /* nodes x features, row after row; or NULL and CSR below */
    const int64_t *indptr; /* nodes + 1 */
    const int32_t *indices;
    const float *values;              /* NULL: all 1 */
    const int32_t *labels;            /* nodes; -1: not labelled */
    int64_t classes;                  /* 0: largest label + 1; labels must not be a quantity then, such as a price */
    const char *const *class_names;   /* classes; NULL: they are numbers */
    const char *const *node_ids;      /* nodes; NULL: they are numbers */
    const char *const *feature_names; /* features; NULL: they are numbers */
    /* All fields below: since 0.2.0. */
    int64_t indptr_length;       /* of indptr or feature_indptr: nodes + 1. With indptr it may be 0: neither length is
                                    known, and indptr is trusted, as in 0.1.0 */
    int64_t indices_length;      /* of indices or feature_indices, and of values */
    int index_bits;              /* of the four arrays of indices below: 32 or 64 */
    const void *adj_indptr;      /* nodes + 1; row i of this CSR matrix has the neighbours of node i; src, dst: NULL */
    const void *adj_indices;     /* adj_indices_length */
    const float *adj_values;     /* adj_indices_length weights, as `weights`; NULL: all 1 */
    int64_t adj_indptr_length;   /* nodes + 1 */
    int64_t adj_indices_length;  /* at least the last number of adj_indptr; a smaller length is an error */
    const void *feature_indptr;  /* nodes + 1; in place of indptr, with index_bits */
    const void *feature_indices; /* indices_length; in place of indices; its numbers are in `values` */
    const float *node_weights;   /* nodes; how much each counts in a training whose option `sample-weight` is not
                                    "none", 0 or more; NULL: there are none */
    /* Several kinds of edges, given by src and dst; adj_indptr: NULL. Each is a graph of its own, with the weights and
       directions of its edges. Since 0.3.0. */
    int64_t relation_count;            /* 0: edges are of one kind, which has no name; else up to 64 */
    const char *const *relation_names; /* relation_count, each once: up to 31 letters, digits, '_', '-', '.' */
    const int32_t *edge_relation;      /* edges; the kind of each, a place in relation_names */
    const float *targets; /* nodes; a number to tell of each, NaN where it is not known; labels: NULL, classes: 0. NULL:
                             classes are told. Since 0.3.0 */
} gpr_dataset_desc;

/* Takes time and memory proportional to the arrays. Edges become undirected, and their directions, from src to dst or
   from row to column, are kept for the option `direction`, unless all go both ways. GPR_ERROR_ARGUMENT: the message
   names the wrong entry. */
GPR_API gpr_status gpr_dataset_new(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset_desc *desc);

/* Since 0.3.0. The same data with other labels (and classes), weights of nodes or edges: those of desc, as for
   gpr_dataset_new; what is NULL there, or 0, stays as in data. desc has the nodes of data, and no features. keep_ids:
   not 0: nodes have the ids of data; 0: those of desc, or none. Features, their scaling and the plan of the columns are
   those of data. Nothing of data is copied: it must outlive what is made here. Errors: GPR_ERROR_MISMATCH for another
   number of nodes; those of gpr_dataset_new. */
GPR_API gpr_status gpr_dataset_derive(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset *data,
                                      const gpr_dataset_desc *desc, int keep_ids);

/* DATA as on the command line: "csbm", "csbm:phi=-0.5,n=5000,f=2000,d=5,eps=3.25,seed=1", a dataset's name (looked up
   in data_dir, $GPRGNN_DATA, the user's cache folder), or a path. data_dir may be NULL. Errors: GPR_ERROR_NOT_FOUND,
   GPR_ERROR_IO, GPR_ERROR_FORMAT. A .gpr file is mapped, not read: it must not change until the dataset is freed.
   Functions that compute from it check this before they return: GPR_ERROR_IO. See also gpr_ctx_mapped_file. */
GPR_API gpr_status gpr_dataset_open(gpr_ctx *ctx, gpr_dataset **out, const char *spec, const char *data_dir);
/* The same for files of one format. format: NULL or "auto": detected from the files; "gpr": the program's own; "npz"
   (gnn-benchmark or heterophilous-graphs); "planetoid": spec is the common prefix of the paths, ".../ind.cora";
   "geom-gcn": a folder with out1_graph_edges.txt and out1_node_feature_label.txt; "ogb": a folder with raw/edge.csv.gz;
   "edges": a text file with one edge per line, and "mtx": Matrix Market, both without features and labels. If a
   published file lacks something or has an error, the log says what was done about it. */
GPR_API gpr_status gpr_dataset_open_as(gpr_ctx *ctx, gpr_dataset **out, const char *spec, const char *data_dir,
                                       const char *format);

/* A dataset from several files. All but struct_size may be NULL (or 0); give `data`, or `edges`. A column is named by
   the header's word, or by its number from 1. docs/files.md says what the files may look like. */
typedef struct gpr_open_options {
    size_t struct_size;
    const char *data, *data_dir, *format; /* as for gpr_dataset_open_as */
    const char *edges;                    /* a table, one row per edge: two ids, and optionally a weight */
    const char *weight;                   /* its column of weights; NULL: the one called weight or w, or the third
                                             column of numbers without a header; "none": no weights */
    const char *nodes;                    /* a table, one row per node: id, features, label */
    const char *id;                       /* its column of ids; NULL: the first, unless that is an index without a
                                             name and a later column is called id or the like */
    const char *label;                    /* its column of labels, or that of `labels`; NULL: no labels */
    const char *drop;                     /* its columns to leave out, separated by commas */
    const char *fill;                     /* for feature cells without a value: "median", "mean", "zero" or a number;
                                             NULL: the median. A column of 0 and 1 tells where that was */
    const char *features;                 /* .npy, .npz, .svm or a table of numbers: one row per node, in order; or
                                             made from the graph: "auto", "identity", "degree",
                                             "spectral:N" (a file of such a name needs ./ before it) */
    const char *labels;                   /* .npy, or a table: one label per node in order, or id and label */
    const char *delimiter;                /* of tables: "comma", "tab", "semicolon", "space"; NULL or "auto": guessed */
    const char *header;                   /* of tables: "yes", "no"; NULL or "auto": guessed */
    int64_t model_features;               /* of the model that will predict on it: an svmlight file gets at least so
                                             many columns */
    const char *const *model_names;       /* (model_features) their names: columns of nodes are text or numbers as they
                                             were for the model; NULL: as the table shows */
    int64_t memory;                       /* since 0.2.0: most bytes that reading may take, 1 MiB or more; 0: three
                                             quarters of the machine's memory, and files may not declare far more nodes
                                             or columns than they have bytes */
    int no_map; /* since 0.2.0: not 0: a .gpr file is read into memory, and may change later */
    /* A split that comes with `nodes`, since 0.2.0. The column is no feature then. */
    const char *split_column; /* a column of `nodes` with train, val, test or nothing; NULL: none */
    const char *val_from;     /* the column has dates or numbers: below this value nodes train, then they validate, */
    const char *test_from;    /* and from this one on they test. Both or neither */
    /* Of `edges`, since 0.2.0. The path "-" is standard input, for one of edges, nodes and labels. */
    const char *source, *target;   /* its columns of the two ids; NULL: those called source and target (or src, from;
                                      dst, to), else the first two that are no index of pandas */
    const char *const *more_edges; /* (more_count) more such tables, united with it */
    int64_t more_count;
    const double *edge_weights;   /* (1 + more_count) factors of the weights of each table; a table without weights gets
                                     this as the weight of its edges; 0 is 1. NULL: all 1 */
    const char *duplicates;       /* weight of edges between the same two nodes, in either direction: "max", "sum",
                                     "first", "count"; NULL: max */
    const char *unknown;          /* edges with ids that `nodes` lacks: "error", or "skip"; NULL: error */
    const char *encoding;         /* of tables: "utf-8", which is checked, "latin1", "utf-16"; NULL: utf-8, or UTF-16 by
                                     its byte order mark */
    const char *default_features; /* since 0.2.0: features that are made from the graph where there are none: "auto" or
                                     a kind as for `features`; NULL: it stays without */
    /* Since 0.2.0: columns of `nodes`, separated by commas, that are categories (one feature of 0 and 1 per value),
       numbers or dates, whatever they look like. NULL: by themselves. docs/files.md says what becomes of each kind */
    const char *categorical, *numeric, *date;
    int64_t max_values; /* of a category; the others are one value "other"; and words of a list; 0: 1000 */
    /* gpr_model_plan of the model that will predict on it: the tables are read as in its training (columns, kinds,
       values, fill, weights of edges, and the options above that are not given here), and model_names is not looked at
       if that had a table of nodes. NULL: as the tables show */
    const struct gpr_plan *plan;
    const char
        *sample_weight; /* since 0.2.0: the column of `nodes` with the weight of each node in a training, 0 or
                           more; it is no feature. The option `sample-weight` of a training uses it. NULL: none */
    /* Since 0.3.0. `edges` and `more_edges` may be "NAME=FILE", unless a file of that whole name exists: the table is
       the kind of edges NAME (as in gpr_dataset_desc.relation_names). Tables of one name are united; those without a
       name are so too, and are called "edges" beside others that have names. */
    const char *relation; /* a column of `edges` whose values are the kinds of edges, for tables without a name; NULL:
                             none */
    const char *words; /* since 0.3.0: columns of `nodes`, separated by commas, that hold lists of words or sentences:
                          one feature of 0 and 1 per word. NULL: by themselves */
    const char *time;  /* since 0.3.0: the column of `nodes` with the time of each, dates or numbers: splits by shares
                          are by time, or by val_from and test_from. It is no feature. NULL: none */
    const char *task;  /* since 0.3.0: what the column of labels has: "classes", "number" or "auto"; NULL: auto, by the
                          rule of the option `task` */
} gpr_open_options;

/* Errors: as gpr_dataset_open; GPR_ERROR_MISMATCH where two files do not fit together. */
GPR_API gpr_status gpr_dataset_open_with(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *options);

/* Since 0.3.0. The same options by their words, as flags, configs and Python have them: "split-column". Types are
   "text"; "files": given several times, the second is the first of more_edges; "factor": once for each of these;
   "count", "size": "4G"; "flag": "yes" or "no". There is no fallback. */
GPR_API int gpr_data_option_count(void);
GPR_API gpr_status gpr_data_option_describe(int index, gpr_param_info *out);
/* Sets the field of that word, also of "data". value is borrowed; NULL: not given. Errors: GPR_ERROR_ARGUMENT, for a
   "factor" too. */
GPR_API gpr_status gpr_open_options_set(gpr_open_options *options, const char *name, const char *value);

/* Writes .npz (gnn-benchmark convention: adj_*, attr_*, labels) or .gpr (the program's own format, which opens at once
   at any size), by the extension of path; whole or not at all. Errors: GPR_ERROR_IO. */
GPR_API gpr_status gpr_dataset_save(gpr_ctx *ctx, const gpr_dataset *data, const char *path);
/* The same under any name. format: "npz", "gpr"; NULL or "auto": by the extension of path. */
GPR_API gpr_status gpr_dataset_save_as(gpr_ctx *ctx, const gpr_dataset *data, const char *path, const char *format);
GPR_API void gpr_dataset_free(gpr_dataset *data);

/* Sizes, at no cost; -1 if data is NULL. Edges are undirected, without self loops. */
GPR_API int64_t gpr_dataset_nodes(const gpr_dataset *data);
GPR_API int64_t gpr_dataset_edges(const gpr_dataset *data);
GPR_API int64_t gpr_dataset_features(const gpr_dataset *data);
GPR_API int64_t gpr_dataset_classes(const gpr_dataset *data);

/* The arrays that a dataset consists of, where they lie: nothing is copied, and all belong to the dataset. They must
   not be written to. Those of a .gpr file lie in the mapped file. Since 0.2.0. */
typedef struct gpr_arrays_info {
    size_t struct_size;
    const char *name; /* of the dataset */
    int64_t nodes, features;
    const int64_t *adj_indptr;     /* (nodes + 1) the graph as CSR; its last number is the length of adj_indices */
    const int32_t *adj_indices;    /* neighbours, ascending within a row; each edge is there twice, no loops */
    const float *adj_values;       /* weights of the edges; NULL: all 1 */
    const float *dense;            /* (nodes x features) row after row; NULL: the features are CSR */
    const int64_t *feature_indptr; /* (nodes + 1); NULL: the features are dense */
    const int32_t *feature_indices;
    const float *feature_values;
    const int32_t *labels;     /* (nodes) -1 for none */
    const float *node_weights; /* (nodes) of gpr_open_options.sample_weight; NULL: there are none */
    const float *targets;      /* (nodes) numbers to tell, NaN for none; NULL: labels are classes. Since 0.3.0 */
} gpr_arrays_info;
GPR_API gpr_status gpr_dataset_arrays(gpr_ctx *ctx, const gpr_dataset *data, gpr_arrays_info *out);

/* The same of one kind of edges, and what is kept of directions. Since 0.3.0. */
typedef struct gpr_relation_arrays {
    size_t struct_size;
    const char *name;          /* "": of the only kind, which has none; NULL: there are no more */
    const int64_t *adj_indptr; /* as in gpr_arrays_info: each edge is there twice, in both its rows */
    const int32_t *adj_indices;
    const float *adj_values;
    const uint8_t *sides; /* of each entry: 1: the edge goes from its row to its column, 2: from column to row, 3: both.
                             NULL: edges have no direction */
    const float *along;   /* with sides: the weight from row to column, 0 where no edge goes that way; NULL: all 1 */
} gpr_relation_arrays;
/* index: from 0 on, in the order of names. */
GPR_API gpr_status gpr_dataset_relation_arrays(gpr_ctx *ctx, const gpr_dataset *data, int64_t index,
                                               gpr_relation_arrays *out);

/* ---- Columns of tables ------------------------------------------------------------------------------- */

/* A column of the table of nodes, and what was done with it. Texts live as long as the dataset. */
typedef struct gpr_column_info {
    size_t struct_size; /* the caller's sizeof */
    const char *name;   /* of the header, or its number from 1 */
    const char *role;   /* "feature", "id", "label", "weight", "split", "dropped" */
    const char *kind;   /* "number", "category", "date", "text" (names, sentences), "empty"; "unknown": not read */
    const char *done;   /* what was done with it, for people; "": nothing */
    int64_t distinct, missing; /* different values, cells without one; -1: not counted */
    int64_t odd;               /* cells that are not of the kind, or of a value that the model does not know */
    int64_t features;          /* that it became */
} gpr_column_info;

/* How the tables of a training were read, for gpr_open_options.plan. */
typedef struct gpr_plan gpr_plan;

/* Since 0.2.0. 0 for data that is not from a table of nodes. */
GPR_API int64_t gpr_dataset_column_count(const gpr_dataset *data);
GPR_API gpr_status gpr_dataset_column(const gpr_dataset *data, int64_t number, gpr_column_info *info);

/* ---- Conversion -------------------------------------------------------------------------------------- */

typedef struct gpr_convert_progress {
    size_t struct_size; /* the library's */
    const char *stage;  /* "reading", "sorting", "ordering", "writing" */
    double share;      /* fraction of the stage that is done, 0 to 1; negative: unknown */
} gpr_convert_progress;

/* Called repeatedly from the thread that converts. Return non-zero to stop: no file is left then. */
typedef int (*gpr_convert_progress_fn)(void *user, const gpr_convert_progress *progress);

typedef struct gpr_convert_options {
    size_t struct_size;
    const char *to; /* "npz", "gpr"; NULL or "auto": by the extension of the output */
    int64_t memory; /* from a table of edges to gpr: most bytes in use, in addition to those per node; 0: 1 GiB. Unless
                       in->memory is set, it also stands for that where it is larger than the default there */
    gpr_convert_progress_fn progress; /* may be NULL */
    void *user;                       /* passed to progress */
    const char *reorder; /* to gpr: "auto", "rcm", "metis", "metis:PARTS" or "communities": neighbours get near numbers.
                            The ids of the nodes, or else their numbers, become their ids; random splits, masks and
                            predictions that are saved keep the order that the data had. "none": that order again. NULL:
                            as the input has it; npz always has the first order. All of the data is in memory then */
    int64_t shards; /* to gpr: cut it into so many files, `path`.1, `path`.2, ..., with rows of the graph and of the
                       features; `path` itself has what all processes need, and is what one opens. 0: one file */
} gpr_convert_options;

typedef struct gpr_convert_result {
    size_t struct_size;
    int64_t nodes, edges, features, classes; /* as in gpr_dataset_info */
    int64_t bytes;                           /* of the file */
    int streamed;                            /* the edges were never in memory all at once */
    char fingerprint[33];
} gpr_convert_result;

/* Writes the data as one file, whole or not at all. From a table of edges to gpr it takes no more memory than
   options->memory plus what the nodes, their features and labels need, for any number of edges; meanwhile the edges are
   in unnamed files in the folder of `path`. The bytes are the same as those of gpr_dataset_save. result and options may
   be NULL. GPR_ERROR_STOPPED: the progress callback asked to stop; there is no file then. Other errors: as
   gpr_dataset_open_with. */
GPR_API gpr_status gpr_convert(gpr_ctx *ctx, gpr_convert_result *result, const gpr_open_options *in, const char *path,
                               const gpr_convert_options *options);

typedef struct gpr_csbm_options {
    size_t struct_size;
    int64_t nodes;    /* n, even or odd; default 5000 */
    int64_t features; /* f; default 2000 */
    double degree;    /* d, average degree; default 5 */
    double epsilon;   /* distance from the recovery threshold; default 3.25 */
    double phi;       /* -1 heterophilic graph only .. 0 features only .. 1 homophilic graph only */
    uint64_t seed;
} gpr_csbm_options;

/* The defaults, and struct_size, which is sizeof *options. */
GPR_API void gpr_csbm_options_init(gpr_csbm_options *options, size_t struct_size);
GPR_API void gpr_csbm_defaults(gpr_csbm_options *options) GPR_DEPRECATED("use gpr_csbm_options_init");
/* A synthetic graph of two classes: the contextual stochastic block model. The same options give the same graph.
   Takes time proportional to nodes x features. */
GPR_API gpr_status gpr_dataset_csbm(gpr_ctx *ctx, gpr_dataset **out, const gpr_csbm_options *options);

typedef struct gpr_powerlaw_options {
    size_t struct_size;
    int64_t nodes;                    /* default 100,000; below 2^31 - 1 */
    int64_t edges;                    /* that are drawn; default 1,000,000. Equal ones are merged, loops left out */
    int64_t features;                 /* default 16 */
    int64_t classes;                  /* default 10 */
    int64_t communities;              /* of equal size, one or more per class; default 100 */
    double exponent;                  /* of the power law of the degrees, above 2; default 2.5 */
    double inside;                    /* share of the edges that lie within communities; default 0.6 */
    double signal;                    /* how far the features of classes lie apart; default 0.5 */
    double labelled;                  /* share of the nodes that have a label; default 1 */
    uint64_t seed;                    /* default 1 */
    gpr_convert_progress_fn progress; /* may be NULL; stages "drawing", "drawing features", "drawing labels",
                                         "writing" */
    void *user;                       /* passed to progress */
} gpr_powerlaw_options;

/* The defaults, and struct_size, which is sizeof *options. */
GPR_API void gpr_powerlaw_options_init(gpr_powerlaw_options *options, size_t struct_size);
/* Writes a graph with power-law degrees, communities and features as a .gpr file, whole or not at all. It is never
   whole in memory: 8 bytes per node and some MB per thread are. The same options give the same bytes. result may be
   NULL; its fingerprint stays empty. GPR_ERROR_STOPPED: the progress callback asked to stop; there is no file then. */
GPR_API gpr_status gpr_powerlaw_save(gpr_ctx *ctx, gpr_convert_result *result, const char *path,
                                     const gpr_powerlaw_options *options);

/* docs/measures.md explains the fields. Measures of labels use only labelled nodes and the edges between them; NaN
   where nothing can be measured. */
typedef struct gpr_dataset_info {
    size_t struct_size;
    const char *name;
    int64_t nodes, edges; /* undirected edges, without self loops */
    int64_t features, feature_nnz, classes;
    int64_t isolated, self_loops, duplicates; /* self loops and duplicates: counted in the input, then removed */
    int64_t labelled;                         /* nodes that have a label */
    double node_homophily;                    /* H(G) of the paper: mean over nodes that have neighbours */
    double edge_homophily;                    /* share of edges within a class */
    double mean_degree;
    int64_t max_degree;
    int sparse_features, weighted;
    int64_t min_degree;
    double median_degree;
    int64_t components, largest_component; /* connected components; number of nodes in the largest */
    int64_t zero_feature_rows;             /* nodes whose features are all 0 */
    double feature_density;                /* share of the features that are not 0; NaN without features */
    double class_homophily;                /* class-insensitive (Lim et al.): 0 .. 1 */
    double adjusted_homophily;             /* corrected for chance (Platonov et al.): 0 is chance, at most 1 */
    double label_informativeness;          /* what a neighbour's class tells about a node's (Platonov et al.): 0 .. 1 */
    double chernoff_hellinger;  /* least divergence of two classes' neighbours; NaN for more than 256 classes */
    int64_t closest_classes[2]; /* the two classes of that least divergence; -1 if there are none */
    char fingerprint[33];       /* 128 bits in hex, of graph, weights, features and labels; the same for every file
                                   format */
    int64_t mutual_edges; /* that the input has in both directions; 0: none, or not known. Where some are and others
                             are not, the input is directed. Edges go both ways all the same, unless the option
                             `direction` says else. Since 0.3.0 */
    /* Of a target that is a number (classes is 0 then); NaN where it is a class. Since 0.3.0. */
    double target_mean, target_sd, target_min, target_max;
    double target_assortativity; /* how alike numbers of neighbours are: the correlation over edges, -1 to 1 */
} gpr_dataset_info;

/* One kind of edges. As in gpr_dataset_info, of these edges alone. Since 0.3.0 */
typedef struct gpr_relation_measures {
    size_t struct_size;
    const char *name; /* belongs to the dataset; "": the only kind; NULL: there are no more */
    int64_t edges, isolated, self_loops, duplicates, mutual_edges;
    int weighted;
    int has_directions;    /* not 0: some edge goes one way only, or has another weight back: `direction` can use it */
    double node_homophily; /* NaN where nothing can be measured */
    double edge_homophily;
} gpr_relation_measures;

/* Takes time proportional to nodes + edges + features, and to the cube of the classes. For sizes alone use
   gpr_dataset_nodes and the like. out->name belongs to data. */
GPR_API gpr_status gpr_dataset_describe(gpr_ctx *ctx, const gpr_dataset *data, gpr_dataset_info *out);
/* The kind of edges number `index`, from 0, in the order of their names. Since 0.3.0 */
GPR_API gpr_status gpr_dataset_describe_relation(gpr_ctx *ctx, const gpr_dataset *data, int64_t index,
                                                 gpr_relation_measures *out);
/* Logs a warning for everything in the data that may be a mistake: merged duplicates, a single class, features that are
   all 0, few labels, classes that a dense split takes for training completely, known faults of public data. */
GPR_API gpr_status gpr_dataset_check(gpr_ctx *ctx, const gpr_dataset *data);
/* sizes: (classes) the caller's; how many labelled nodes each class has. */
GPR_API gpr_status gpr_dataset_class_sizes(gpr_ctx *ctx, const gpr_dataset *data, int64_t *sizes);
/* edges: (classes x classes) the caller's. Row i, column j: how many neighbours of class j the nodes of class i have in
   total; symmetric, and an edge within a class counts twice. */
GPR_API gpr_status gpr_dataset_class_edges(gpr_ctx *ctx, const gpr_dataset *data, int64_t *edges);
/* (count) classes, -1 for none. Belongs to data. NULL if a mapped file is damaged; gpr_last_error() then says what is
 * wrong. */
GPR_API const int32_t *gpr_dataset_labels(const gpr_dataset *data, int64_t *count);
/* The same of numbers: (count), NaN for none. NULL, and 0: its labels are classes. Where they are numbers, labels above
   are 0 for known ones. Since 0.3.0. */
GPR_API const float *gpr_dataset_targets(const gpr_dataset *data, int64_t *count);
/* Names in the input; NULL if it has none (only numbers), or if the index is out of range. Belong to data. */
GPR_API const char *gpr_dataset_class_name(const gpr_dataset *data, int64_t class_id);
GPR_API const char *gpr_dataset_node_id(const gpr_dataset *data, int64_t node);
GPR_API const char *gpr_dataset_feature_name(const gpr_dataset *data, int64_t feature);

/* ---- Downloads -------------------------------------------------------------------------------------- */

/* A public dataset that can be fetched by its name. Its texts are constants. */
typedef struct gpr_fetch_info {
    size_t struct_size;
    const char *name;
    const char *source;  /* the public repository */
    const char *licence; /* as the repository states it */
    const char *note;    /* what users should know about it; may be "" */
    int64_t files;       /* how many it has */
    int64_t bytes;       /* of all of them; 0: not known */
} gpr_fetch_info;

typedef struct gpr_fetch_file_info {
    size_t struct_size;
    const char *path;   /* below the folder, and below a mirror's address */
    const char *url;    /* the public address */
    const char *sha256; /* 64 hex digits; NULL: not known, and the content is compared */
    int64_t bytes;      /* 0: not known */
    const char *fingerprint; /* of the dataset (gpr_dataset_info), where sha256 is NULL; else NULL. Since 0.2.0 */
} gpr_fetch_file_info;

GPR_API int gpr_fetch_count(void);
/* *index: that of the dataset with this name; the error names the nearest known one. */
GPR_API gpr_status gpr_fetch_find(const char *name, int *index);
GPR_API gpr_status gpr_fetch_describe(int index, gpr_fetch_info *out);
GPR_API gpr_status gpr_fetch_file(int index, int file, gpr_fetch_file_info *out);
/* *files: how many of its files are in the folder and correct; data_dir as below. Reads all of them. The log warns of
   each that is there and not correct. Errors: GPR_ERROR_IO. */
GPR_API gpr_status gpr_fetch_present(gpr_ctx *ctx, int index, const char *data_dir, int64_t *files);

typedef enum gpr_fetch_state {
    GPR_FETCH_MISSING = 0,
    GPR_FETCH_CORRECT = 1,
    GPR_FETCH_OTHER = 2,  /* a dataset, but with another fingerprint than the expected one */
    GPR_FETCH_DAMAGED = 3 /* it has another SHA-256, or cannot be read as a dataset */
} gpr_fetch_state;
/* Compares one file in the folder with what it should be: its SHA-256, or the fingerprint of the dataset in it. For
   OTHER and DAMAGED `why`, of `size` bytes, gets the reason, cut if it is longer; it is "" else, and may be NULL.
   Errors: GPR_ERROR_IO. */
GPR_API gpr_status gpr_fetch_verify(gpr_ctx *ctx, int index, int file, const char *data_dir, gpr_fetch_state *state,
                                    char *why, size_t size);
/* Writes the folder that files are fetched to into the caller's `out` of `size` bytes: data_dir, or where it is NULL
   the user's cache folder, $XDG_CACHE_HOME/gprgnn or ~/.cache/gprgnn. */
GPR_API gpr_status gpr_fetch_folder(gpr_ctx *ctx, char *out, size_t size, const char *data_dir);

typedef struct gpr_fetch_progress {
    size_t struct_size;         /* the library's */
    const char *dataset, *path; /* the file, below the folder */
    int64_t file, files;        /* index of this file, from 0; number of files */
    int64_t bytes, total;       /* of this file so far, including those of an earlier fetch; total 0: unknown */
} gpr_fetch_progress;

/* Called a few times per second from the thread that fetches. Return non-zero to stop. */
typedef int (*gpr_fetch_progress_fn)(void *user, const gpr_fetch_progress *progress);

typedef struct gpr_fetch_options {
    size_t struct_size;
    const char *data_dir; /* where to; NULL: the user's cache folder */
    const char *mirror;   /* take the files from mirror/PATH, http or https; NULL: from the public addresses */
    int retries;          /* further attempts for a file that stalls or breaks off, or if the server fails */
    int timeout;          /* seconds without connection, or with almost no data, that count as a stall */
    double pause;         /* seconds before the first retry; doubled for each further one */
    int force;            /* also fetch files that are there and correct */
    gpr_fetch_progress_fn progress;
    void *user; /* passed to progress */
    /* Since 0.2.0: */
    int accept;   /* where a dataset is known by its fingerprint: take also another one; the log says which */
    int max_time; /* seconds for all files with all attempts; 0: ten minutes and one second per 10 kB */
} gpr_fetch_options;

typedef struct gpr_fetch_result {
    size_t struct_size;
    int64_t files;  /* of the dataset */
    int64_t loaded; /* fetched now; the others were there already */
    int64_t bytes;  /* received over the network */
} gpr_fetch_result;

/* The defaults, and struct_size, which is sizeof *options. */
GPR_API void gpr_fetch_options_init(gpr_fetch_options *options, size_t struct_size);
GPR_API void gpr_fetch_defaults(gpr_fetch_options *options) GPR_DEPRECATED("use gpr_fetch_options_init");
/* Downloads the files of a dataset that are missing or damaged; gpr_dataset_open then finds it by its name. A file is
   downloaded as PATH.part. It is moved into place when all files of the dataset are complete and have the right
   SHA-256; if that is not known, the right fingerprint. The next call continues an incomplete download. A file that is
   GPR_FETCH_OTHER is an error: `force` replaces it, `accept` keeps it. options and result may be NULL.
   GPR_ERROR_STOPPED: the progress callback asked to stop; the dataset cannot be used then, but what was downloaded is
   kept. Other errors: GPR_ERROR_NOT_FOUND, GPR_ERROR_NETWORK, GPR_ERROR_IO, GPR_ERROR_FORMAT. */
GPR_API gpr_status gpr_fetch(gpr_ctx *ctx, gpr_fetch_result *result, const char *name,
                             const gpr_fetch_options *options);

/* ---- Splits ----------------------------------------------------------------------------------------- */

typedef struct gpr_split gpr_split;
typedef enum gpr_part { GPR_UNUSED = 0, GPR_TRAIN = 1, GPR_VAL = 2, GPR_TEST = 3 } gpr_part;

/* spec: "sparse", "dense", fractions "60/20/20" or ".6/.2/.2", "planetoid" or "planetoid:20/500/1000", "column" (of
   gpr_open_options), or the path of an .npz with train_mask, val_mask and test_mask (or train_masks.. with one row per
   run: row run % rows is taken), of a table (.csv) with the columns id and part, or of a folder with lists of ids;
   "auto": "column" where the data has one, else "60/20/20": shares of each class. The same seed and run
   give the same split. Errors: GPR_ERROR_MISMATCH if no labelled node is left to train on, or a file
   is for another graph; for a file also GPR_ERROR_NOT_FOUND, GPR_ERROR_IO, GPR_ERROR_FORMAT. */
GPR_API gpr_status gpr_split_new(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data, const char *spec,
                                 uint64_t seed, int64_t run);
/* The caller's own split. parts: a gpr_part for each of the `count` nodes of data; copied. Nodes without a label become
   GPR_UNUSED, with a warning. Errors: GPR_ERROR_MISMATCH where count is not the number of nodes, or no labelled node is
   left to train on. */
GPR_API gpr_status gpr_split_from_parts(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data, const uint8_t *parts,
                                        int64_t count);
/* Writes .npz, whole or not at all. Errors: GPR_ERROR_IO. */
GPR_API gpr_status gpr_split_save(gpr_ctx *ctx, const gpr_split *split, const char *path);
GPR_API void gpr_split_free(gpr_split *split);
/* (count) a gpr_part per node; count may be NULL. Belongs to split. */
GPR_API const uint8_t *gpr_split_parts(const gpr_split *split, int64_t *count);
/* The number of nodes of a class in a part; -1 for arguments out of range. */
GPR_API int64_t gpr_split_count(const gpr_split *split, gpr_part part, int64_t class_id);

/* ---- Training ------------------------------------------------------------------------ */

typedef struct gpr_model gpr_model;
typedef struct gpr_result gpr_result;

/* Applies a preset; flags and file take precedence. "paper": the model, the dataset and the split select its row, and a
   model without a row gets the paper's split alone, with a warning in the log of the context that params were made
   with. "filters": likewise, of gprgnn with other bases and a gamma for each class, for graphs of the paper and their
   dense split. Anything else: as gpr_params_load_preset. */
GPR_API gpr_status gpr_params_preset(gpr_params *params, const char *preset, const gpr_dataset *data);
/* The same for a dataset that is not at hand: dataset is its name ("cora"). For a real graph, and a `split` that was
   set. Since 0.3.0. */
GPR_API gpr_status gpr_params_preset_named(gpr_params *params, const char *preset, const char *dataset);
/* A preset from a file of `word = value` lines, as `gprgnn search` writes it; it may choose the model. Errors: as
   gpr_params_load; GPR_ERROR_MISMATCH if it is for another model than the one that was set. Since 0.2.0. */
GPR_API gpr_status gpr_params_load_preset(gpr_params *params, const char *path);

/* Trains `runs` models, each on its own split and initial weights (run r uses seed + r), in parallel over the context's
   threads (a program may take their number from the option `threads`). `model` is that of the run with the lowest
   validation loss. Its options have that run's seed and runs = 1: training with them gives the same model. GPR_STOPPED:
   stopped by the progress callback; model and result are those of the best epoch so far, and gpr_train_resume continues
   the training. GPR_ERROR_STOPPED: the same before the first epoch. Errors: GPR_ERROR_NUMERIC; those of gpr_split_new.
   Takes time proportional to runs x epochs, and memory for as many runs at once as there are threads. The caller frees
   model and result, each separately. */
GPR_API gpr_status gpr_train(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                             const gpr_params *params);

/* The same on the caller's splits: run r, of `count`, on splits[r] with seed + r; the options `split` and `runs` are
   ignored. splits: made for this data, borrowed for the call. Errors: GPR_ERROR_MISMATCH where one has another number
   of nodes, or no labelled node to train on. */
GPR_API gpr_status gpr_train_splits(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                                    const gpr_params *params, const gpr_split *const *splits, int64_t count);

typedef struct gpr_run_info {
    size_t struct_size;
    uint64_t seed;
    int64_t epochs;     /* steps trained */
    int64_t best_epoch; /* the one with the lowest validation loss, or the highest `metric`; losses, accuracies and
                           gamma are of that epoch */
    double train_loss, val_loss;
    double train_accuracy, val_accuracy, test_accuracy; /* percent; NaN where the part is empty */
    double initial_accuracy;                            /* test accuracy before the first step */
    double seconds, ms_per_epoch;
    const float *gamma; /* K + 1, learned or fixed; NULL if the model has no filter */
    int64_t gamma_count;
    double val_metric;      /* of the option `metric`, on the validation nodes, 0 to 1; NaN where it is the loss */
    double temperature;     /* of the option `calibrate`; NaN: there is none */
    double calibrated_loss; /* the validation loss with it; NaN: there is none */
} gpr_run_info;

GPR_API void gpr_result_free(gpr_result *result);
GPR_API int64_t gpr_result_runs(const gpr_result *result);     /* finished or stopped runs with at least one epoch */
GPR_API int64_t gpr_result_best_run(const gpr_result *result); /* the one whose model was returned */
/* On how many nodes the returned model was trained, by the option `refit`; 0: it is the model of the best run. */
GPR_API int64_t gpr_result_refit_nodes(const gpr_result *result);
GPR_API double gpr_result_seconds(const gpr_result *result);   /* of the whole training; NaN for NULL */
/* out->gamma belongs to result. */
GPR_API gpr_status gpr_result_run(const gpr_result *result, int64_t run, gpr_run_info *out);
/* The split of the best run. Belongs to result. */
GPR_API const gpr_split *gpr_result_split(const gpr_result *result);
/* Over the runs: mean, standard deviation, and the half width of the 95 % confidence interval of the mean (Student's
   t); both 0 for a single run. what: a number that every run has in the JSON, such as "test_accuracy", "val_loss",
   "best_epoch", "ms_per_epoch"; the error names the nearest. Runs where it is NaN do not count. Any of the three may be
   NULL. */
GPR_API gpr_status gpr_result_mean(const gpr_result *result, const char *what, double *mean, double *sd, double *ci95);
/* A run's curve: (*count) numbers; values[e] is of the weights after e steps, values[0] of the initial weights. what:
   "train_loss", "val_loss", "test_loss", "train_accuracy", "val_accuracy", "test_accuracy", "val_metric" (that of the
   option `metric`). NaN where the part is empty, or the metric is the loss. *values belongs to result. count may be
   NULL. */
GPR_API gpr_status gpr_result_history(const gpr_result *result, int64_t run, const char *what, const double **values,
                                      int64_t *count);
/* A run's filter while it was learned: (*rows x *count) numbers, one row after the other. Row i has gamma_0 .. gamma_K
   of the weights after i * *stride steps, row 0 those of the initial weights. NULL, 0 if the model learns no filter;
   one that is fixed too. The stride is 1 unless (epochs + 1) rows have more than 2^20 numbers; then it is the smallest
   power of two that keeps them below. The options alone decide, so it is the same for all runs. *values belongs to
   result. count and stride may be NULL. */
GPR_API gpr_status gpr_result_gamma_history(const gpr_result *result, int64_t run, const float **values, int64_t *rows,
                                            int64_t *count, int64_t *stride);
/* The model of a run; NULL if run is out of range. Belongs to result, which keeps the models of all runs: each takes
   about as much memory as its file. The best run's model is equal to the one that the training returned, which is the
   caller's own copy. */
GPR_API const gpr_model *gpr_result_model(const gpr_result *result, int64_t run);

typedef struct gpr_embedding_info {
    size_t struct_size;
    const char *name; /* "isomap", ..., or a file; NULL: the model has none, and all else is 0. Belongs to result */
    double seconds;   /* time to compute it */
    double rho;       /* the radius of a neighbourhood; NaN where there is none */
    double latent_neighbours; /* mean number per node in the latent space */
    double graph_neighbours;  /* mean number per node in the graph */
} gpr_embedding_info;

/* For a geomgcn: its latent space, and the time to find it. */
GPR_API gpr_status gpr_result_embedding(const gpr_result *result, gpr_embedding_info *out);
/* The whole state of a training that was stopped (GPR_STOPPED), for gpr_train_resume: all runs, finished or not. The
   caller keeps *bytes or writes them to a file, and frees them with gpr_bytes_free and the same ctx. If the training
   was not stopped, nothing is left to do: GPR_ERROR_ARGUMENT. A stopped result keeps what this needs: about three times
   the weights for every run that is not finished. */
GPR_API gpr_status gpr_result_state(gpr_ctx *ctx, const gpr_result *result, void **bytes, size_t *size);
/* Continues a training that was stopped. Model and result have the bits of a training that was never stopped, on any
   number of threads. It may be stopped and resumed again. The state holds the splits, those of gpr_train_splits too.
   data and params are the same as before (`threads` and `device` may differ), and so are the files that options name.
   state: from gpr_result_state; it is not trusted, and not needed afterwards. Errors: as gpr_train; GPR_ERROR_FORMAT if
   the bytes are damaged; GPR_ERROR_MISMATCH if data or an option differs. */
GPR_API gpr_status gpr_train_resume(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                                    const gpr_params *params, const void *state, size_t size);

/* The state of a training that is not finished: of all runs (gpr_result_state) or of one (gpr_save_info). These three
   fields will never change. */
typedef struct gpr_state {
    const void *bytes;
    size_t size;
    const char *name; /* for messages, such as that of a file; may be NULL */
} gpr_state;

typedef struct gpr_save_info {
    size_t struct_size; /* the library's */
    int64_t run, runs;  /* index of the run, from 0; number of runs */
    int64_t epoch;      /* steps done in this run */
    int finished;       /* nothing is left to do in this run. 0 while candidates are tried, which all are run 0: a
                           training may end with such a state as its last one */
    const void *bytes;  /* (size) its state; valid during the call */
    size_t size;
} gpr_save_info;

/* Keeps the state of one run; it replaces the one that was saved before. Called by the thread that trains the run,
   never by two at once. Non-zero: it could not be saved; a warning says so, and the training goes on. */
typedef int (*gpr_save_fn)(void *user, const gpr_save_info *info);
/* Decides after an epoch whether the state of this run is saved now: non-zero. Called like gpr_save_fn. */
typedef int (*gpr_save_due_fn)(void *user, const gpr_progress *progress);

typedef struct gpr_train_options {
    size_t struct_size;
    const gpr_split *const *splits; /* (split_count) as for gpr_train_splits; NULL: drawn by the option `split` */
    int64_t split_count;
    const gpr_state *states; /* (state_count) of the training that goes on, as for gpr_train_resume: one of all runs, or
                                one for each run that was saved; NULL: a new training */
    int64_t state_count;
    gpr_save_fn save;         /* gets the state of each run from time to time, and when it ends; NULL: nobody */
    gpr_save_due_fn save_due; /* NULL: save_every decides */
    void *user;               /* passed to save and save_due */
    double save_every;        /* seconds between two states of a run; 0: after every epoch */
} gpr_train_options;

/* gpr_train with more options, which may be NULL. A program that is killed goes on later with the states that `save`
   got last: model and result then have the bits of a training that was never disturbed. gpr_run_folder does all this
   with files. Errors: as gpr_train_splits and gpr_train_resume. */
GPR_API gpr_status gpr_train_with(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                                  const gpr_params *params, const gpr_train_options *options);

typedef struct gpr_failure_info {
    size_t struct_size;
    int64_t run; /* of all runs, from 0 */
    uint64_t seed;
    const char *message; /* belongs to result */
} gpr_failure_info;

/* How many runs failed while others did not (GPR_PARTIAL). Means are over the others. */
GPR_API int64_t gpr_result_failures(const gpr_result *result);
GPR_API gpr_status gpr_result_failure(const gpr_result *result, int64_t index, gpr_failure_info *out);

/* ---- The run folder ---------------------------------------------------------------------------------- */

/* A folder with all results of a training: config.json, model.safetensors, history.csv, gamma.csv, gamma_history.csv
   (where a filter is learned), metrics.csv, class_metrics.csv, predictions.csv, split.npz, result.json, report.html,
   and run.sha256 with the hashes of all. They are replaced as one: if a program is killed meanwhile, there are never
   files of two trainings, and the next one that opens the folder completes it. While the training is not finished, the
   subfolder `state` has the state of each run. */
typedef struct gpr_run_folder gpr_run_folder;

/* Makes the folder if it is missing, and locks it until gpr_run_folder_close: GPR_ERROR_IO if another process uses it.
   Completes or removes what a killed program left. */
GPR_API gpr_status gpr_run_folder_open(gpr_ctx *ctx, gpr_run_folder **out, const char *dir);
/* Removes the folder if it was made by this handle and is empty. */
GPR_API void gpr_run_folder_close(gpr_run_folder *folder);
/* The states of a training in the folder that is not finished, for gpr_train_options.states; NULL, 0 if there are none.
   They belong to folder. Errors: GPR_ERROR_IO. */
GPR_API gpr_status gpr_run_folder_states(gpr_run_folder *folder, const gpr_state **states, int64_t *count);
/* Removes them. */
GPR_API gpr_status gpr_run_folder_discard(gpr_run_folder *folder);
/* A gpr_save_fn whose `user` is a gpr_run_folder: writes the state into it. */
GPR_API int gpr_run_folder_keep(void *folder, const gpr_save_info *info);
/* Replaces all results by these, and removes the states unless the training was stopped. */
GPR_API gpr_status gpr_run_folder_save(gpr_run_folder *folder, const gpr_result *result, const gpr_model *model,
                                       const gpr_dataset *data);
/* For readers, before they open a file of the folder: completes what a killed program left, if there is something, and
   waits a moment for one that is just writing. */
GPR_API gpr_status gpr_run_folder_repair(const char *dir);
/* All results as JSON text, made by the first call. Belongs to result. */
GPR_API gpr_status gpr_result_json(gpr_ctx *ctx, const gpr_result *result, const char **json);
/* Writes the files of a run folder into `dir` (created if missing, with its parents), as gpr_run_folder_save does. Runs
   a prediction for predictions.csv. Errors: GPR_ERROR_IO. */
GPR_API gpr_status gpr_result_save(gpr_ctx *ctx, const gpr_result *result, const gpr_model *model,
                                   const gpr_dataset *data, const char *dir);

/* ---- Models ----------------------------------------------------------------------------------------- */

/* Writes safetensors, whole or not at all. The same model gives the same bytes, for any number of threads. Errors:
   GPR_ERROR_IO. */
GPR_API gpr_status gpr_model_save(gpr_ctx *ctx, const gpr_model *model, const char *path);
/* Errors: GPR_ERROR_NOT_FOUND, GPR_ERROR_IO; GPR_ERROR_FORMAT, also if a byte is damaged or a number is not finite;
   GPR_ERROR_MISMATCH if weights and options do not fit together. A file of 0.1.0 has no digest: the log says so. */
GPR_API gpr_status gpr_model_load(gpr_ctx *ctx, gpr_model **out, const char *path);
/* The bytes of that file in memory. Free *bytes with gpr_bytes_free and the same ctx. */
GPR_API gpr_status gpr_model_to_bytes(gpr_ctx *ctx, void **bytes, size_t *size, const gpr_model *model);
GPR_API void gpr_bytes_free(gpr_ctx *ctx, void *bytes);
/* bytes: those of a model file, or of gpr_model_to_bytes. They are checked, and not needed after the call. Errors: as
   gpr_model_load. */
GPR_API gpr_status gpr_model_from_bytes(gpr_ctx *ctx, gpr_model **out, const void *bytes, size_t size);
GPR_API void gpr_model_free(gpr_model *model);
GPR_API const char *gpr_model_name(const gpr_model *model); /* "gprgnn", "gcn", ... */
GPR_API int64_t gpr_model_features(const gpr_model *model);
/* Since 0.2.0. Lives as long as the model; NULL: it was not trained on a table of nodes, or by an older version. */
GPR_API const struct gpr_plan *gpr_model_plan(const gpr_model *model);
GPR_API int64_t gpr_model_classes(const gpr_model *model); /* 1: it tells a number */
/* "classes" or "number". Where it tells a number, the place of the probability in all calls below has that number, in
   the unit of the data. Since 0.3.0. */
GPR_API const char *gpr_model_task(const gpr_model *model);
/* Of a model that tells a number: the mean and the standard deviation of the training nodes' numbers, in which it
   computes; logits are (number - mean) / sd. GPR_ERROR_ARGUMENT: it tells classes. Since 0.3.0. */
GPR_API gpr_status gpr_model_unit(const gpr_model *model, double *mean, double *sd);
/* An option that it was trained with, by its word, as text: "64" for "hidden". NULL if the model has no such option;
   `threads` and `device` are not options of a model. Belongs to model. */
GPR_API const char *gpr_model_param(const gpr_model *model, const char *name);

typedef struct gpr_weight_info {
    size_t struct_size;
    const char *name;    /* as in the authors' PyTorch program: "lin1.weight" */
    int64_t rows, cols;  /* a matrix is (inputs x outputs), the transpose of what the file has; a vector has one row */
    int axes;            /* 2: a matrix; 1: a vector */
    const float *values; /* rows x cols, row after row, without padding */
} gpr_weight_info;

/* How many weights (matrices and vectors) it has; 0 for NULL. */
GPR_API int64_t gpr_model_weight_count(const gpr_model *model);
/* The weight at `index`, from 0, in the order of the file. Name and values belong to model. */
GPR_API gpr_status gpr_model_weight(const gpr_model *model, int64_t index, gpr_weight_info *out);
GPR_API gpr_status gpr_model_set_embedding(gpr_model *model, const char *embedding)
    GPR_DEPRECATED("use gpr_predict_options.embedding: a model that others may use is not changed");
/* The weights of the graph filter, learned (gprgnn) or fixed (appnp, sgc): K + 1, of the polynomials of the option
   `basis`. NULL, 0 if the model has none, or one of several relations or directions, or with weights of each class:
   then gpr_model_filter has them. */
GPR_API const float *gpr_model_gamma(const gpr_model *model, int64_t *count);

/* One part of a model's graph filter: a kind of edges in one direction. The filter is the sum of all parts:
   Z = sum over parts f, hops k of gamma_fk P_k(S_f) H, S_f = D_out^-1/2 A D_in^-1/2. gprdeep has a filter in each
   block, and its parts follow each other, block by block: p_f = sum over k >= 1 of gamma_fk P_k(S_f) h, h what the
   block begins with; each p_f, and h, goes through weights of its own. Since 0.3.0. */
typedef struct gpr_filter_info {
    size_t struct_size;
    char relation[32];     /* the kind of edges; "": all edges */
    const char *direction; /* "undirected", "along", "against"; a constant */
    const char *basis;     /* of the polynomials P_k, as the option says it: "monomial", "jacobi:1,0.5"; the model's */
    int loops;             /* not 0: every node is its own neighbour in A */
    int64_t hops;          /* K */
    int64_t columns;       /* 1: one gamma for all columns; else one for each class, or of a block for each column */
    int64_t block;         /* from 1; 0: the model has one filter */
} gpr_filter_info;

/* How many parts; 0: the model has no filter. Since 0.3.0. */
GPR_API int64_t gpr_model_filter_count(const gpr_model *model);
/* Since 0.3.0. */
GPR_API gpr_status gpr_model_filter(const gpr_model *model, int64_t index, gpr_filter_info *out);
/* gamma: (hops + 1 x columns) the caller's. gamma_0, which all parts share where P_0 is 1, is that of the first part,
   and 0 of the others; blocks have none, and it is 0. Since 0.3.0. */
GPR_API gpr_status gpr_model_filter_gamma(const gpr_model *model, int64_t index, float *gamma);
/* Names in the training data; NULL if it had none, or if the index is out of range. Belong to model. */
GPR_API const char *gpr_model_class_name(const gpr_model *model, int64_t class_id);
GPR_API const char *gpr_model_feature_name(const gpr_model *model, int64_t feature);
/* gpr_dataset_info.fingerprint of the data it was trained on; NULL if the model's file is too old to have it. */
GPR_API const char *gpr_model_fingerprint(const gpr_model *model);

#define GPR_UNKNOWN_CLASS (-2)
/* labels: (nodes) the caller's; the data's labels as classes of the model: by their names, or by number where neither
   has names. -1: no label; GPR_UNKNOWN_CLASS: a class that the model does not know; a warning names it. */
GPR_API gpr_status gpr_model_labels(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *labels);

/* ---- Prediction ------------------------------------------------------------------------------------- */

/* classes (nodes) and proba (nodes x classes of the model) are the caller's; either may be NULL. Of a model that tells
   a number, classes must be NULL, and proba (nodes) gets the numbers. If both the model and the data have feature
   names, features are matched by name. Takes the time and memory of one forward pass. Errors: GPR_ERROR_MISMATCH if the
   data lacks features of the model; GPR_ERROR_NUMERIC if scores are infinite or NaN, and then the arrays stay as they
   were (`order` filter-first: from the block of such a node on); GPR_ERROR_STOPPED if the progress callback stops the
   embedding of a geomgcn, or the hops or the rows of filter-first. */
GPR_API gpr_status gpr_predict(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *classes,
                               float *proba);
/* logits: (nodes x classes of the model) the caller's; the scores before softmax. */
GPR_API gpr_status gpr_predict_logits(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, float *logits);

typedef struct gpr_predict_options {
    size_t struct_size;
    const char *embedding; /* for a geomgcn, in place of the one that it was trained with: "isomap", "poincare",
                              "struc2vec", or a file; NULL: that one, unless it is a file and the model was loaded:
                              only the caller names files. GPR_ERROR_ARGUMENT then, and for any other model */
    const int32_t *known_labels; /* (nodes) for a model that uses labels (label-input, label-counts, smooth): those that
                                    it may use, as classes of the model; below 0: not known. NULL: those of the data
                                    and, for nodes of its training, of the training. Since 0.2.0 */
    const char *scratch; /* a path: what is large and needed again (the filtered features of `order` filter-first) may
                            go to a file without a name in its folder, which is gone when the process ends, also by a
                            kill. NULL: it stays in memory. Since 0.2.0 */
    int adapt_prior; /* 1: classes are more or less frequent in the data than in the training, and look the same: how
                        frequent they are is estimated (EM, from the probabilities, without labels), and probabilities,
                        classes and scores are corrected. From the nodes whose label the model is not told, up to
                        100,000 of them; fewer than 30 are a warning, and change nothing. GPR_ERROR_ARGUMENT for a model
                        file that is too old to tell how frequent they were. Since 0.3.0 */
} gpr_predict_options;

/* All outputs from one pass: each of the three arrays may be NULL, and so may options. */
GPR_API gpr_status gpr_predict_with(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *classes,
                                    float *proba, float *logits, const gpr_predict_options *options);

/* Predictions of some nodes at a time, for graphs whose predictions should not all be in memory. Since 0.2.0. */
typedef struct gpr_predictor gpr_predictor;

/* Does what all nodes share: the hops of a model with `order` filter-first, whose nodes are then predicted when they
   are asked for. All other models predict all nodes here, and the predictor keeps classes and probabilities. options
   may be NULL; ctx, model and data must outlive it. Errors: as gpr_predict. */
GPR_API gpr_status gpr_predictor_new(gpr_ctx *ctx, gpr_predictor **out, const gpr_model *model, const gpr_dataset *data,
                                     const gpr_predict_options *options);
/* The nodes [first, first + count), with the bits of gpr_predict: classes (count) and proba (count x classes of the
   model) are the caller's; either may be NULL. Nodes may be asked for again, and in any order; in the order of the
   nodes no row is computed twice. One thread at a time. Errors: as gpr_predict; GPR_ERROR_ARGUMENT for nodes that are
   not there. */
GPR_API gpr_status gpr_predictor_rows(gpr_predictor *predictor, int64_t first, int64_t count, int32_t *classes,
                                      float *proba);
/* With gpr_predict_options.adapt_prior: how frequent each class was among the training nodes, and is estimated to be in
   the data. training, data: (classes of the model) the caller's. GPR_ERROR_ARGUMENT without it. Since 0.3.0. */
GPR_API gpr_status gpr_predictor_rates(const gpr_predictor *predictor, double *training, double *data);
GPR_API void gpr_predictor_free(gpr_predictor *predictor);

/* Writes node,class[,p0,p1,...] as CSV, whole or not at all; nodes and classes by their names where they have any
   (then p_NAME for p0). Errors: as gpr_predict; GPR_ERROR_IO. */
GPR_API gpr_status gpr_predictions_save(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, const char *path,
                                        int with_proba);

/* ---- Pages and figures ---------------------------------------------------------------------------------- */

/* A page is one HTML file with everything in it, to look at in a browser. Its content is a JSON text that
   docs/report.md describes: sections with texts, tables and figures. A run folder has one, report.html. Since 0.2.0. */

/* Writes a page, whole or not at all. kind: "run" or "paper". Errors: GPR_ERROR_IO; GPR_ERROR_ARGUMENT says what is
   wrong in the JSON. */
GPR_API gpr_status gpr_page_save(gpr_ctx *ctx, const char *path, const char *kind, const char *json);
/* The JSON text of a page. Free it with gpr_bytes_free and the same ctx. Errors: GPR_ERROR_NOT_FOUND, GPR_ERROR_IO,
   GPR_ERROR_FORMAT. */
GPR_API gpr_status gpr_page_load(gpr_ctx *ctx, char **json, const char *path);
/* Writes one figure as SVG, whole or not at all. json: a figure as in a page. Errors: as gpr_page_save. */
GPR_API gpr_status gpr_figure_save(gpr_ctx *ctx, const char *path, const char *json);
/* Writes all figures in the JSON text of a page as ID.svg into `dir`, which is created if missing. *count: how many;
   may be NULL. */
GPR_API gpr_status gpr_page_figures_save(gpr_ctx *ctx, const char *dir, const char *json, int64_t *count);

/* ---- Studies ----------------------------------------------------------------------------------------- */

/* Many trainings whose finished runs are kept in a file, one line of JSON each: nothing is trained twice, and a study
   that was stopped or killed goes on where it was. A cell is one dataset with one set of options and some runs. */
typedef struct gpr_study gpr_study;

/* path: the file of kept runs, which is made if it is missing and locked until gpr_study_close; NULL: runs are kept in
   memory only. A line that a killed program left cut is removed, with a warning; other damaged lines are left out.
   Errors: GPR_ERROR_IO, also if another process uses the file. */
GPR_API gpr_status gpr_study_open(gpr_ctx *ctx, gpr_study **out, const char *path);
/* Also takes the runs of another such file, plain or gzip, which is only read. */
GPR_API gpr_status gpr_study_include(gpr_study *study, const char *path);
GPR_API void gpr_study_close(gpr_study *study);

/* What else to find out of every run of a cell; a sum of these. */
enum {
    GPR_MEASURE_TOP_SHARE = 1,    /* percent of the nodes that get the most frequent class: 100 if over-smoothed */
    GPR_MEASURE_GAMMA_HISTORY = 2 /* gamma over the epochs */
};

/* Adds the runs of a training: `runs` of params, with the seeds seed, seed + 1, ... *cell: its index. data must live
   until gpr_study_run has returned; params is copied. Nothing is trained yet. */
GPR_API gpr_status gpr_study_add(gpr_study *study, const gpr_dataset *data, const gpr_params *params, int measures,
                                 int64_t *cell);
/* The same for a dataset that is not at hand, by its name and its fingerprint (gpr_dataset_info): its kept runs can be
   read, and gpr_study_run leaves out what is missing. Where a file that an option names is not at hand either, the
   option may be "sha256:" and the hash of its content. Since 0.3.0. */
GPR_API gpr_status gpr_study_add_named(gpr_study *study, const char *dataset, const char *fingerprint,
                                       const gpr_params *params, int measures, int64_t *cell);

typedef struct gpr_study_progress {
    size_t struct_size;          /* the library's */
    int64_t runs, done;          /* asked for in all cells; those of them that are finished */
    const char *dataset, *model; /* of the run that this report is about */
    int64_t cell;
    uint64_t seed;
    int64_t epoch, epochs; /* steps done in this run; their maximum */
    int finished;          /* this run is finished */
} gpr_study_progress;

/* Called some times per second, and when a run is finished; never from two threads at once. Non-zero: stop. */
typedef int (*gpr_study_progress_fn)(void *user, const gpr_study_progress *progress);

/* Trains what is not kept, `jobs` runs at a time (0: as many as the context has threads). progress may be NULL.
   Runs that diverge are kept as failed. GPR_ERROR_STOPPED: stopped by the callback; finished runs are kept. Errors: as
   gpr_train; GPR_ERROR_IO if a run could not be kept. */
GPR_API gpr_status gpr_study_run(gpr_study *study, int jobs, gpr_study_progress_fn progress, void *user);

typedef struct gpr_cell_info {
    size_t struct_size;
    const char *dataset, *model; /* belong to study */
    int64_t runs;                /* asked for */
    int64_t done;                /* with a result, or failed */
    int64_t failed;
    const char *fingerprint; /* of the data */
} gpr_cell_info;

GPR_API int64_t gpr_study_cells(const gpr_study *study);
GPR_API gpr_status gpr_study_cell(const gpr_study *study, int64_t cell, gpr_cell_info *out);
/* An option of the cell by its word; NULL if there is none. Belongs to study. */
GPR_API const char *gpr_study_param(const gpr_study *study, int64_t cell, const char *name);
/* values: (runs of the cell) the caller's; a number of each run, in the order of the seeds; NaN if the run is missing
   or failed. what: as for gpr_result_mean, or "top_share". */
GPR_API gpr_status gpr_study_values(const gpr_study *study, int64_t cell, const char *what, double *values);
/* The learned filter of a run; NULL, 0 if there is none. Belongs to study, until its next run. */
GPR_API const float *gpr_study_gamma(const gpr_study *study, int64_t cell, int64_t run, int64_t *count);
/* The same while it was learned, if the cell measures it: (*rows x count) numbers; row i after i * *stride steps. At
   most 33 rows are kept, with five digits. rows and stride may be NULL. */
GPR_API const float *gpr_study_gamma_history(const gpr_study *study, int64_t cell, int64_t run, int64_t *rows,
                                             int64_t *stride);

typedef struct gpr_statistics_info {
    size_t struct_size;
    int64_t count; /* values that are not NaN */
    double mean;   /* NaN for none */
    double sd;     /* with count - 1; 0 for fewer than two values */
    double ci95;   /* half width of the 95 % confidence interval of the mean (Student's t) */
} gpr_statistics_info;

/* Of `count` values; NaN do not count. */
GPR_API gpr_status gpr_statistics(const double *values, int64_t count, gpr_statistics_info *out);

/* ---- Searches ---------------------------------------------------------------------------------------- */

/* Tries settings of one or several models, and chooses by the mean over runs on the validation nodes. Test nodes are
   not used for the choice: their accuracy is asked for at the end, of what was chosen. */
typedef struct gpr_search gpr_search;

typedef struct gpr_search_options {
    size_t struct_size;
    const char *models; /* "gprgnn,mlp"; "auto": its candidates; NULL: that of params; without it and a grid, several */
    const char *grid;   /* "paper"; "lr=0.01,0.05 init=ppr,random"; a file of lines `word = a, b`; NULL: a small one. A
                           model gets the options that it has. With draws also ranges: "lr=0.001..0.1" */
    int64_t draws;      /* so many settings of each model are drawn; 0: all combinations */
    const char *metric; /* "val_accuracy", "val_loss", or a word of the option `metric`, which the trainings then go by
                           too. NULL: that option of params where it is set; else "val_accuracy", or where one class
                           has more than four fifths of the training nodes, average_precision or macro_f1 */
    int no_halving;     /* 0: all settings get a few runs, the better third gets more, and so on; else all get all */
} gpr_search_options;

/* All settings, which are checked here. params: what they have in common; `runs` (10 if it is not set) is the number of
   runs of the last round. data must outlive the search. options may be NULL. Errors: GPR_ERROR_NOT_FOUND,
   GPR_ERROR_FORMAT for the file of the grid. */
GPR_API gpr_status gpr_search_new(gpr_ctx *ctx, gpr_search **out, const gpr_dataset *data, const gpr_params *params,
                                  const gpr_search_options *options);
GPR_API void gpr_search_free(gpr_search *search);
/* Trains what the study does not have. progress: as for gpr_study_run, but `runs` and `done` are those of the whole
   search, and `cell` is the index of the setting. A setting with a run that diverged comes after all others. Errors: as
   gpr_study_run; GPR_ERROR_NUMERIC if all diverged. */
GPR_API gpr_status gpr_search_run(gpr_search *search, gpr_study *study, int jobs, gpr_study_progress_fn progress,
                                  void *user);

typedef struct gpr_forecast_info {
    size_t struct_size;
    int64_t settings, models;
    int64_t runs, kept;                 /* of the whole search; those of them that the study has */
    int64_t at_once;                    /* runs at a time, in all processes */
    double least_seconds, most_seconds; /* for the others: if all runs stop as early as `patience` lets them, and if
                                           none stops before `epochs`. NaN: a training failed */
} gpr_forecast_info;

/* How long gpr_search_run will take with the same jobs: times a few epochs of some settings of each model, and forgets
   what they learned. progress: may be NULL; it hears of epochs, and may stop it (GPR_ERROR_STOPPED). Each process may
   call it for itself. Since 0.3.0. */
GPR_API gpr_status gpr_search_forecast(gpr_search *search, const gpr_study *study, int jobs,
                                       gpr_study_progress_fn progress, void *user, gpr_forecast_info *out);

typedef struct gpr_setting_info {
    size_t struct_size;
    const char *model;                                               /* belongs to search, as does text */
    const char *text;                                                /* its options of the grid: "lr=0.01 init=ppr" */
    int64_t runs, failed;                                            /* that it got; those of them that diverged */
    double val_accuracy, val_accuracy_ci95, val_loss, val_loss_ci95; /* means over its runs; ..._ci95: NaN for one */
    int best;                                                        /* the best of its model */
    double test_accuracy, test_accuracy_ci95;                        /* NaN unless it is the best of its model */
    double val_metric, val_metric_ci95;                              /* of the option `metric`; NaN for the loss */
} gpr_setting_info;

GPR_API int64_t gpr_search_count(const gpr_search *search);
/* Of the setting at `index`, from 0; the best is the first one once gpr_search_run has returned. */
GPR_API gpr_status gpr_search_setting(const gpr_search *search, int64_t index, gpr_setting_info *out);
/* An option of it by its word; NULL if there is none. Belongs to search. */
GPR_API const char *gpr_search_param(const gpr_search *search, int64_t index, const char *name);
/* The text of a preset with its options. Belongs to search, until the next such call. */
GPR_API gpr_status gpr_search_preset(gpr_search *search, int64_t index, const char **text);
/* All that was tried as JSON. Belongs to search. GPR_ERROR_ARGUMENT before the search is finished. */
GPR_API gpr_status gpr_search_json(gpr_search *search, const char **json);
/* Writes search.json, search.csv and the presets into `dir`, each whole or not at all: preset.conf of the best, and for
   several models preset-MODEL.conf. Errors: GPR_ERROR_IO; GPR_ERROR_MISMATCH as gpr_search_check_dir. */
GPR_API gpr_status gpr_search_save(gpr_search *search, const char *dir);
/* Before long work: makes the folder if it is missing. GPR_ERROR_MISMATCH if it has a file of one of those names that
   no search has written. */
GPR_API gpr_status gpr_search_check_dir(const gpr_search *search, const char *dir);
/* ---- Ranking: generalised PageRank from seeds ---------------------------------------------------------- */

/* *node: the one with this id; where nodes have no ids, the one with this number ("17"). GPR_ERROR_ARGUMENT if there is
   none: the message names the nearest id. Since 0.2.0, as all of this section. */
GPR_API gpr_status gpr_dataset_find_node(gpr_ctx *ctx, int64_t *node, const gpr_dataset *data, const char *id);

typedef struct gpr_ranking gpr_ranking;

/* 0 or NULL everywhere: personalised PageRank with restart probability 0.1. */
typedef struct gpr_rank_options {
    size_t struct_size;
    const char *weights;  /* of the steps: "ppr:0.1", "heat:5", "ipr:0.9:10", numbers "0.5,0.3,0.2", or the path of a
                             file with numbers. docs/ranking.md has the formulas */
    const double *values; /* (value_count) in place of `weights`; they may be negative */
    int64_t value_count;
    int64_t last_step; /* K: the sum ends there, for ppr, heat and ipr; 0: it is infinite */
    double tolerance;  /* 0: 1e-6. A score is wrong by at most this times degree / mean degree */
    int exact;         /* not 0: the errors of all scores add up to at most 1e-10; tolerance is ignored */
    int64_t top;       /* keep only so many nodes, those with the highest scores; 0: all whose score is not 0 */
    int cluster;       /* not 0: find the local cluster */
    int64_t cluster_max; /* most nodes that it may have; 0: as many as have half of the graph's volume */
} gpr_rank_options;

typedef struct gpr_ranking_info {
    size_t struct_size;
    int64_t seeds;         /* each counts once */
    int64_t scored;        /* nodes whose score is not 0 */
    double total;          /* sum of all scores: 1 for an infinite sum without errors */
    double error;          /* the errors of all scores add up to at most this */
    double mean_degree;    /* of all nodes; a degree is the sum of the weights of a node's edges */
    int64_t steps;         /* of the walk, or rounds of pushing */
    int64_t arcs_visited;  /* work: an edge counts each time that one of its ends is looked at */
    int64_t cluster_nodes; /* 0: no cluster was asked for, or the seeds have no edges */
    double cluster_volume; /* sum of the degrees of its nodes */
    double cluster_cut;    /* weight of the edges that leave it */
    double conductance;    /* cut / volume; the volume is at most half of the graph's. NaN: no cluster */
} gpr_ranking_info;

/* Scores sum_k w_k P^k s, P = A D^-1, of a random walk from the `count` seeds, nodes of data. A walk at a node without
   edges starts again at the seeds. Looks at the neighbourhood of the seeds only, as far as the tolerance permits;
   memory for about 50 bytes per node. The bits do not depend on the number of threads. options may be NULL. Errors: for
   a file of weights GPR_ERROR_NOT_FOUND, GPR_ERROR_IO, GPR_ERROR_FORMAT. */
GPR_API gpr_status gpr_rank(gpr_ctx *ctx, gpr_ranking **out, const gpr_dataset *data, const int64_t *seeds,
                            int64_t count, const gpr_rank_options *options);
GPR_API void gpr_ranking_free(gpr_ranking *ranking);
GPR_API gpr_status gpr_ranking_describe(const gpr_ranking *ranking, gpr_ranking_info *out);
/* (count) by descending score, equal ones by number: nodes, their scores, their degrees. count may be NULL. They belong
   to ranking; NULL, 0 for NULL. */
GPR_API const int64_t *gpr_ranking_nodes(const gpr_ranking *ranking, int64_t *count);
GPR_API const double *gpr_ranking_scores(const gpr_ranking *ranking, int64_t *count);
GPR_API const double *gpr_ranking_degrees(const gpr_ranking *ranking, int64_t *count);
/* (count) the nodes of the cluster, by descending score / degree. Belongs to ranking; NULL, 0 if there is none. */
GPR_API const int64_t *gpr_ranking_cluster(const gpr_ranking *ranking, int64_t *count);

/* ---- Known faults of public data -------------------------------------------------------------------- */

typedef struct gpr_fault_info {
    size_t struct_size;
    const char *text; /* a constant; NULL: there are no more */
    int warning;      /* not 0: results suffer from it, and gpr_dataset_check and gpr_train log it; 0: worth knowing */
} gpr_fault_info;

/* What is known about this graph, number `index` from 0, such as Cornell with the labels of Texas. Public graphs are
   recognised by their links and labels, whatever their file, the order of their nodes and their features. */
GPR_API gpr_status gpr_dataset_known_fault(gpr_ctx *ctx, const gpr_dataset *data, int64_t index, gpr_fault_info *out);
/* *out: not 0 for one of the ten graphs of the paper, recognised by its links, and for data that gpr_dataset_csbm and
   gpr_powerlaw_save made. Options that are `auto` then train the paper's model, without a choice of label use. */
GPR_API gpr_status gpr_dataset_published(gpr_ctx *ctx, const gpr_dataset *data, int *out);

/* ---- Comparison of trainings ------------------------------------------------------------------------- */

/* Trainings on the same data, run by run on the same splits. docs/statistics.md says what the numbers mean. */
typedef struct gpr_comparison gpr_comparison;

typedef struct gpr_compare_options {
    size_t struct_size;
    const char *metric;  /* the number of each run; NULL: that of the first training's headline, "test_accuracy" or
                            another where one class has nearly all nodes */
    const char *against; /* the path of a training, which need not be among the others: each is compared with this one;
                            NULL: all pairs */
    int unpaired;        /* not 0: runs have no partners; splits and data may differ */
} gpr_compare_options;

/* paths: (count) run folders, or files with the JSON of gpr_result_json. options may be NULL. Runs on splits that only
   one has are left out, with a warning. Errors: GPR_ERROR_NOT_FOUND, GPR_ERROR_IO; GPR_ERROR_FORMAT: this is no
   training; GPR_ERROR_MISMATCH: data or splits differ, a training has one run only, or was stopped. */
GPR_API gpr_status gpr_compare(gpr_ctx *ctx, gpr_comparison **out, const char *const *paths, int64_t count,
                               const gpr_compare_options *options);
GPR_API void gpr_comparison_free(gpr_comparison *comparison);

/* One training. Its texts belong to the comparison. */
typedef struct gpr_compared_info {
    size_t struct_size;
    const char *name; /* the last part of its path, or the path where two have the same */
    const char *path, *model, *dataset;
    const char *label; /* how sentences call it */
    int64_t runs;
    double mean, sd, ci95; /* of the metric; ci95 is half the width, by Student's t */
    double bootstrap[2];   /* 95 % confidence interval of the mean */
} gpr_compared_info;

/* How many trainings there are, that of `against` first if it was not among the paths; 0 for NULL. */
GPR_API int64_t gpr_comparison_count(const gpr_comparison *comparison);
GPR_API gpr_status gpr_comparison_training(const gpr_comparison *comparison, int64_t index, gpr_compared_info *out);

/* Two trainings. */
typedef struct gpr_compared_pair_info {
    size_t struct_size;
    int64_t first, second; /* indices of trainings */
    int64_t pairs;         /* of runs on the same split; 0: they are not paired */
    double difference;     /* of the means, first - second */
    double ci95[2], bootstrap[2];
    double p;                   /* t-test, paired or Welch's */
    double p_corrected;         /* by Holm, for all pairs of the comparison */
    double p_wilcoxon;          /* signed-rank test; NaN if they are not paired */
    int64_t wins, ties, losses; /* splits on which the first is better, equal, worse; a lower loss or time is better */
    int visible;                /* p_corrected is below 0.05 */
    const char *sentence;       /* the same in words; belongs to the comparison */
} gpr_compared_pair_info;

GPR_API int64_t gpr_comparison_pairs(const gpr_comparison *comparison); /* 0 for NULL */
GPR_API gpr_status gpr_comparison_pair(const gpr_comparison *comparison, int64_t index, gpr_compared_pair_info *out);
/* All of it as JSON. Belongs to the comparison; NULL for NULL. */
GPR_API const char *gpr_comparison_json(const gpr_comparison *comparison);
/* What was compared, such as "test_accuracy"; NULL for NULL. Since 0.3.0. */
GPR_API const char *gpr_comparison_metric(const gpr_comparison *comparison);
/* ---- Inspection: why a model does what it does ------------------------------------------------------ */

/* What a trained model's filter does, and how over-smoothed its scores are on a graph. Since 0.2.0. In all of it A~ =
   D^-1/2 (A + I) D^-1/2, lambda are its eigenvalues, and g(lambda) = sum_k gamma_k lambda^k. */
typedef struct gpr_inspection gpr_inspection;

/* The paper's definition: low-pass if |g(lambda)| < |g(1)| for every eigenvalue beside the 1 of each connected
   component; high-pass if it is > for every one. */
typedef enum gpr_filter_kind {
    GPR_FILTER_NONE = 0, /* the model has no filter */
    GPR_FILTER_LOW_PASS = 1,
    GPR_FILTER_HIGH_PASS = 2,
    GPR_FILTER_NEITHER = 3
} gpr_filter_kind;

/* On which lambda that was judged. */
typedef enum gpr_judged_on {
    GPR_JUDGED_ON_NOTHING = 0,
    GPR_JUDGED_ON_INTERVAL = 1,   /* points of (-1, 1), which holds the eigenvalues of every graph */
    GPR_JUDGED_ON_RANGE = 2,      /* points between the smallest eigenvalue of the graph and its second largest */
    GPR_JUDGED_ON_EIGENVALUES = 3 /* all eigenvalues of the graph */
} gpr_judged_on;

/* Reals are NaN where they are not known. */
typedef struct gpr_inspection_info {
    size_t struct_size;
    const char *model;   /* "gprgnn", ...; belongs to the inspection, as the next */
    const char *dataset; /* NULL: no data was given, and all about it is 0, -1 or NaN */
    gpr_filter_kind filter;
    gpr_judged_on judged_on;
    int learned;       /* the weights of the filter are learned; 0: fixed by the model */
    int training_data; /* 1: the model was trained on this data; 0: on other data; -1: not known */
    int exact_density; /* all eigenvalues are known; 0: their density is estimated */
    int64_t runs, low_pass_runs, high_pass_runs; /* of a run folder: how many of its models are of that kind */
    double damped; /* share of these eigenvalues with |g(lambda)| < |g(1)|; without data: of the interval (-1, 1) */
    int64_t nodes, components;  /* of the graph; connected components: each has the eigenvalue 1 once */
    double second_eigenvalue;   /* the largest beside those */
    double smallest_eigenvalue; /* above -1 */
    int64_t top_class;          /* the class that most nodes are predicted to be, and their share of the nodes: 1 is */
    double top_share;           /* what the paper calls over-smoothing */
    double smooth_share;        /* of the squares of the scores: what lies in the limit of A~^k, where a node's scores
                                   differ from those of its component by its degree alone */
    int64_t gradient_nodes;     /* training nodes, or without a split all labelled nodes */
    double loss;                /* their mean loss, without dropout; for models with one filter */
    int on_training_nodes;      /* 1: they are the training nodes of a split; 0: all labelled nodes */
    int64_t turned_runs;        /* runs whose weights count with the other sign in gamma_mean and gamma_ci95 */
    int64_t filters; /* parts of the filter, or of those of all blocks (gpr_inspection_filter); 0: it has powers of A~
                        of all edges, with one gamma: the series say all. Since 0.3.0 */
    int64_t trees, depth;  /* of the model trees, which has no filter: its trees, and the most questions on a path of
                              one; else 0 */
    int64_t asked_columns; /* columns that some tree asks about (gpr_inspection_column) */
} gpr_inspection_info;

/* A column that trees ask about. The name belongs to the inspection. Since 0.3.0. */
typedef struct gpr_inspected_column {
    size_t struct_size;
    const char *name;  /* "age", "mean of age over pays", "neighbours with yes", ... */
    int64_t feature;   /* the column of the data that it is or is made of; -1: none */
    int64_t questions; /* nodes of trees that ask about it */
    double gain;       /* how much these questions lowered the training loss, as XGBoost counts it */
    double share;      /* of the gains of all columns */
} gpr_inspected_column;

/* A part of a filter that is not in powers of A~ alone, or of a block's: a kind of edges in one direction. Texts and
   numbers belong to the inspection; relation, direction, basis, loops, hops, columns, block are as in gpr_filter_info.
   Since 0.3.0. */
typedef struct gpr_inspected_filter {
    size_t struct_size;
    const char *relation, *direction, *basis;
    int loops;
    int64_t hops, columns;
    const double *gamma;        /* (hops + 1 x columns) as of gpr_model_filter_gamma */
    const double *response;     /* (points of "lambda" x columns) sum_k gamma_k P_k(lambda); NULL: of a direction, whose
                                   eigenvalues are complex, and of a block there is none */
    const double *contribution; /* (hops + 1) |gamma_k P_k(S) H| (Frobenius); NULL: there is no data. Of a block
                                   |(gamma_k P_k(S) h) W_f|, W_f the rows of the block's weights that take the part; the
                                   first number is |h W_0|, of the node itself, in the first part of a block */
    double part; /* |sum over k >= 1 of gamma_k P_k(S) H|, where basis is bernstein over all k; of a block |p_f W_f|;
                    NaN: there is no data */
    int64_t block;
    const double *quartiles; /* (hops + 1 x 3) a quarter, the middle and three quarters of gamma_k over the columns */
    const double *weights;   /* (hops + 1) of a block: |diag(gamma_k) W_f|, and first, in its first part, |W_0|: what
                                the block would take of signals that are all alike large; NULL: it is no block */
    double mixed; /* share of the columns whose gamma_1 .. gamma_K have both signs; NaN: K is below 2. Where they have
                     one sign, the powers of an undirected graph make neighbours more alike: it smooths */
} gpr_inspected_filter;

/* data: a graph with the model's features, or NULL: the filter alone. split: of that data, or NULL. Takes the time and
   memory of one training step, and the time to find the eigenvalues: seconds for ten million edges. Reads LAPACK and
   ARPACK if they are installed; the log says what is not known without them. Errors: as gpr_predict. */
GPR_API gpr_status gpr_inspection_new(gpr_ctx *ctx, gpr_inspection **out, const gpr_model *model,
                                      const gpr_dataset *data, const gpr_split *split);
/* The model of a run folder, on the training nodes of its split, and the weights of all runs. data: NULL: the dataset
   that the run names, if it is one that gpr_fetch knows, is in data_dir (may be NULL) or the other places of
   gpr_dataset_open, and has the same fingerprint; else the filter alone. A split is used on the data of the training
   only. Errors: also GPR_ERROR_NOT_FOUND, GPR_ERROR_FORMAT of the folder's files. */
GPR_API gpr_status gpr_inspection_of_run(gpr_ctx *ctx, gpr_inspection **out, const char *dir, const gpr_dataset *data,
                                         const char *data_dir);
GPR_API void gpr_inspection_free(gpr_inspection *inspection);
GPR_API gpr_status gpr_inspection_describe(const gpr_inspection *inspection, gpr_inspection_info *out);
/* index: 0 .. filters - 1. Since 0.3.0. */
GPR_API gpr_status gpr_inspection_filter(const gpr_inspection *inspection, int64_t index, gpr_inspected_filter *out);
/* index: 0 .. asked_columns - 1, the largest gain first. Since 0.3.0. */
GPR_API gpr_status gpr_inspection_column(const gpr_inspection *inspection, int64_t index, gpr_inspected_column *out);
/* (*count) numbers, or NULL and 0 where they are not known. They belong to the inspection; count may be NULL. what, for
   k = 0 .. K: "gamma", of the model; "gamma_mean" and "gamma_ci95", over several runs, with the half width of the 95 %
   confidence interval (gamma and -gamma are the same filter: a run that points away from the model's is turned);
   "norm", |H^(k)| (Frobenius), H^(k) = A~^k H^(0) what the filter weights; "distance", of H^(k) from its limit for
   large k; "contribution", |gamma_k H^(k)|; "gradient", dL/dgamma_k of the mean loss. Further "lambda" and "response",
   points from -1 to 1 and g there; "density", the share of the eigenvalues in each of equal bins of [-1, 1];
   "eigenvalues", all of them, the largest first. */
GPR_API gpr_status gpr_inspection_series(const gpr_inspection *inspection, const char *what, const double **values,
                                         int64_t *count);
/* All of it as JSON text, made by the first call. Belongs to the inspection. */
GPR_API gpr_status gpr_inspection_json(gpr_ctx *ctx, const gpr_inspection *inspection, const char **json);

/* ---- Explanations: why a node got its class, and which columns matter -------------------------------- */

/* A filter is linear in H, so a score of gprgnn, appnp and sgc is an exact sum over nodes j and hops k:
   z_i = sum_k gamma_k sum_j (A~^k)_ij h_j, plus the bias of sgc, plus what the option `label-counts` adds. Since 0.2.0.
   A score of gprdeep is no sum: its hops and columns are told by gradient times input, which is not exact.
   A score says little by itself, so each part has two numbers: `score`, of the score of a class, and `lead`, of its
   difference from the rival's, which is the other class with the highest score. */
typedef struct gpr_explanation gpr_explanation;

typedef struct gpr_explain_options {
    size_t struct_size;
    int64_t class_id; /* whose score is explained; -1: that of the predicted class of each node */
    int64_t top;      /* how many nodes and columns to list at most; 0: 10 */
} gpr_explain_options;

/* Classes are those of the model; -1: none, GPR_UNKNOWN_CLASS: the model does not know it. Texts belong to the
   explanation; NULL: there is no name, only the number. score = bias + labels + sum of "hops" = bias + labels +
   own_score + the listed nodes + others_score, up to the rounding of the model; the same for the lead. */
typedef struct gpr_explanation_info {
    size_t struct_size;
    int64_t node;
    const char *id;
    int64_t label, predicted, class_id;
    int64_t rival; /* -1: the model has one class, and a lead is a score */
    double score, lead, probability, rival_probability;
    double bias_score, bias_lead;       /* of sgc; 0 for others, whose biases belong to H */
    double own_score, own_lead;         /* what the node itself gave, over all hops */
    double own_weight;                  /* sum_k gamma_k (A~^k)_ii */
    int64_t reached;                    /* nodes within K steps, without itself */
    int64_t listed;                     /* of these, by descending |lead| */
    double others_score, others_lead;   /* of those that are not listed */
    int64_t columns;                    /* of the node's features that are not 0 */
    int64_t listed_columns;             /* of these, by descending |lead| */
    double columns_score, columns_lead; /* gradient times input of all of them */
    double labels_score, labels_lead;   /* what counts of known labels (`label-counts`) gave; 0: they are not used */
    int64_t filters; /* parts of the filter, or of those of all blocks (gpr_explanation_filter). Since 0.3.0 */
    int exact;       /* 1: the parts add up to the score; 0: it is no sum: hops and columns are told by gradients, and
                        what nodes gave is 0; 2: of trees: score = bias + columns_score, exact shares of their columns
                        (SHAP) beside the score that is expected without knowing any; there are no nodes and hops. Since
                        0.3.0 */
    double prediction, base; /* of a model that tells a number: prediction = base + score. Scores and leads are equal
                                then, and in the unit of the number; base is the mean of the training nodes. NaN: it
                                tells classes. Since 0.3.0 */
} gpr_explanation_info;

typedef struct gpr_explained_node {
    size_t struct_size;
    int64_t node;
    const char *id;
    int64_t distance; /* in steps over the graph */
    int64_t label, predicted;
    double weight; /* sum_k gamma_k (A~^k)_ij; score = weight x its own score h_j */
    double score, lead;
} gpr_explained_node;

/* Gradient times input: the derivative of the node's score by its own feature, through the whole network, times the
   feature as the first layer gets it. It is exact as a derivative; the parts of a network with ReLU add up to the score
   only without its biases and the other nodes. */
typedef struct gpr_explained_column {
    size_t struct_size;
    int64_t feature;
    const char *name;
    double value; /* as in the data */
    double input; /* scaled and normalised */
    double score, lead;
} gpr_explained_column;

/* Explains `count` nodes. options may be NULL: defaults. Takes the time and memory of one training step, and two more
   for each node. Errors: as gpr_predict; GPR_ERROR_ARGUMENT for another model than those above, a node or a class that
   does not exist. */
GPR_API gpr_status gpr_explanation_new(gpr_ctx *ctx, gpr_explanation **out, const gpr_model *model,
                                       const gpr_dataset *data, const int64_t *nodes, int64_t count,
                                       const gpr_explain_options *options);
GPR_API void gpr_explanation_free(gpr_explanation *explanation);
/* index: in the list of nodes that were asked for. */
GPR_API gpr_status gpr_explanation_describe(const gpr_explanation *explanation, int64_t index,
                                            gpr_explanation_info *out);
/* rank: 0 .. listed - 1, and 0 .. listed_columns - 1. */
GPR_API gpr_status gpr_explanation_node(const gpr_explanation *explanation, int64_t index, int64_t rank,
                                        gpr_explained_node *out);
GPR_API gpr_status gpr_explanation_column(const gpr_explanation *explanation, int64_t index, int64_t rank,
                                          gpr_explained_column *out);
/* What a kind of edges gave in one direction. score = bias + labels + "hops"[0] + the sum over all filters, up to the
   rounding of the model; where basis is bernstein without "hops"[0]. Of a block it is gradient times weight: sum over
   the columns of gamma_kc dz/dgamma_kc; if the hop counted 1 % more in that block, the score would change by 1 % of
   that. Such numbers do not add up to the score. Texts and numbers belong to the explanation. Since 0.3.0. */
typedef struct gpr_explained_filter {
    size_t struct_size;
    const char *relation, *direction; /* as in gpr_filter_info */
    double score, lead;
    const double *gamma; /* K + 1, those of the class; gamma_0, which all filters share, is in the first. Of a block:
                            means over its columns; gamma_0 is 0 */
    const double *hops, *hops_lead; /* K + 1: what each k gave; the first is 0, but where basis is bernstein */
    int64_t block;                  /* as in gpr_filter_info */
} gpr_explained_filter;

/* filter: 0 .. filters - 1. Since 0.3.0. */
GPR_API gpr_status gpr_explanation_filter(const gpr_explanation *explanation, int64_t index, int64_t filter,
                                          gpr_explained_filter *out);
/* (*count) = K + 1 numbers that belong to the explanation; count may be NULL. what: "gamma", NULL and 0 where the
   filter has several relations, directions or columns; "hops" and "hops_lead", what walks of k steps gave (where
   `basis` is not monomial, the k-th polynomial), over all relations and directions, and over all blocks; "rings",
   "rings_lead" and "ring_nodes", what nodes at distance d gave, over all hops, and how many they are; NULL and 0 where
   the score is no sum. */
GPR_API gpr_status gpr_explanation_series(const gpr_explanation *explanation, int64_t index, const char *what,
                                          const double **values, int64_t *count);
/* All of it as JSON text, made by the first call. Belongs to the explanation. */
GPR_API gpr_status gpr_explanation_json(gpr_ctx *ctx, const gpr_explanation *explanation, const char **json);

/* Permutation importance of the columns of the features: how much worse a model of any kind gets if the values of a
   column are shuffled among all nodes, after they were scaled and normalised. Columns "name=value" with the same
   name are one text column, and move together. */
typedef struct gpr_importance gpr_importance;

/* Called after every pass; a result other than 0 stops. */
typedef int (*gpr_importance_progress_fn)(void *user, int64_t passes_done, int64_t passes);

typedef struct gpr_importance_options {
    size_t struct_size;
    int64_t most;    /* try at most so many columns, those with the largest gradient times input of the loss; 0: 50 */
    int64_t repeats; /* of every column; 0: 5 */
    uint64_t seed;
    gpr_importance_progress_fn progress; /* may be NULL */
    void *user;
} gpr_importance_options;

typedef struct gpr_importance_info {
    size_t struct_size;
    int64_t nodes;     /* that are judged: the test nodes, or without a split all labelled nodes */
    int on_test_nodes; /* 1: the former */
    int64_t columns;   /* that the model has, text columns counted once */
    int64_t tried;     /* of these, the most important one first */
    int64_t repeats;
    double accuracy, loss; /* of the model as it is; accuracy in percent, loss: mean negative log-likelihood */
} gpr_importance_info;

/* Means over the repeats, and the half widths of their 95 % confidence intervals (NaN: one repeat only). */
typedef struct gpr_important_column {
    size_t struct_size;
    const char *name;                         /* of the column; NULL: it has none. Belongs to the importance */
    int64_t feature, features;                /* the first one, and how many belong to the column */
    double accuracy_drop, accuracy_drop_ci95; /* in points of percent */
    double loss_rise, loss_rise_ci95;
} gpr_important_column;

/* split: of the data, or NULL. options: may be NULL. One forward pass per column and repeat; the log says how long that
   takes. GPR_STOPPED: stopped by the callback; the columns that were finished are there. Errors: as gpr_predict;
   GPR_ERROR_ARGUMENT if no node can be judged; GPR_ERROR_STOPPED if no column was finished. */
GPR_API gpr_status gpr_importance_new(gpr_ctx *ctx, gpr_importance **out, const gpr_model *model,
                                      const gpr_dataset *data, const gpr_split *split,
                                      const gpr_importance_options *options);
GPR_API void gpr_importance_free(gpr_importance *importance);
GPR_API gpr_status gpr_importance_describe(const gpr_importance *importance, gpr_importance_info *out);
/* rank: 0 .. tried - 1. */
GPR_API gpr_status gpr_importance_column(const gpr_importance *importance, int64_t rank, gpr_important_column *out);
GPR_API gpr_status gpr_importance_json(gpr_ctx *ctx, const gpr_importance *importance, const char **json);
/* Computes the importance on the test nodes of the run whose model it is, and keeps it: later gpr_result_json and the
   page of the run folder have it. model, data: of that training. Errors: as gpr_importance_new. Since 0.3.0. */
GPR_API gpr_status gpr_result_add_importance(gpr_ctx *ctx, gpr_result *result, const gpr_model *model,
                                             const gpr_dataset *data, const gpr_importance_options *options);

/* The data of a run folder, whose model was loaded from it: the dataset that the model names, if it is one that
   gpr_fetch knows, is in data_dir (may be NULL) or the other places of gpr_dataset_open, and has the same fingerprint;
   else *out is NULL, with GPR_OK. Its split: gpr_model_split. */
GPR_API gpr_status gpr_run_folder_data(gpr_ctx *ctx, gpr_dataset **out, const gpr_model *model, const char *data_dir);

/* ---- The split of a model -------------------------------------------------------------------------- */

/* The split that the model was trained on, where `data` is the data of its training: from its run folder `dir` (may be
   NULL), else by the option `split` of the model, if that is a rule or a column of the data. *out is NULL, with GPR_OK,
   where the data is other data or the split is not known. Errors: those of gpr_split_new. Since 0.2.0. */
GPR_API gpr_status gpr_model_split(gpr_ctx *ctx, gpr_split **out, const gpr_model *model, const gpr_dataset *data,
                                   const char *dir);
/* ---- Features from the graph ---------------------------------------------------------------------- */

/* The kind of the features that were made from the graph of the training, such as "spectral:64"; NULL: they were not.
   A prediction needs the same ones: give it as default_features. Belongs to model. */
GPR_API const char *gpr_model_made_features(const gpr_model *model);

/* ---- Metrics: how good predictions are --------------------------------------------------------------- */

/* Measures of predictions as scikit-learn defines them; docs/metrics.md says what each means. Shares are 0 to 1. What
   is not defined is NaN. Since 0.2.0. */
typedef struct gpr_metrics gpr_metrics;

typedef struct gpr_metrics_options {
    size_t struct_size;
    const uint8_t *parts;     /* (rows) a gpr_part per row; NULL: all rows count */
    gpr_part part;            /* with parts: only rows of this part count */
    const int32_t *predicted; /* (rows) the predicted classes; NULL: the first with the largest probability */
    int64_t positive;         /* of two classes, the one whose ranking counts, plus 1; 0: the one with fewer labels in
                                 all rows, class 1 if they are equal */
} gpr_metrics_options;

/* Of numbers: predicted and targets: (rows); rows whose target is NaN do not count. Since 0.3.0. */
GPR_API gpr_status gpr_metrics_of_numbers(gpr_ctx *ctx, gpr_metrics **out, const float *predicted, const float *targets,
                                          int64_t rows);
/* proba: (rows x classes), from gpr_predict or from elsewhere. labels: (rows); those below 0 do not count. options may
   be NULL. Takes time proportional to rows x classes. */
GPR_API gpr_status gpr_metrics_new(gpr_ctx *ctx, gpr_metrics **out, const float *proba, const int32_t *labels,
                                   int64_t rows, int64_t classes, const gpr_metrics_options *options);
GPR_API void gpr_metrics_free(gpr_metrics *metrics);

/* The words of the measures: "accuracy", "balanced_accuracy", "macro_f1", "weighted_f1", "roc_auc",
   "average_precision", "log_loss", "calibration_error". NULL: there is none at this index. */
GPR_API const char *gpr_metric_word(int index);
/* The same of the measures that these predictions have: of numbers "r2", "rmse", "mae", "median_error", else those of
   classes. Since 0.3.0. */
GPR_API const char *gpr_metrics_word(const gpr_metrics *metrics, int index);
/* One of them; the error names the nearest word. NaN: not defined, or of the other kind of targets. */
GPR_API gpr_status gpr_metrics_value(const gpr_metrics *metrics, const char *word, double *value);

typedef struct gpr_metrics_info {
    size_t struct_size;
    int64_t nodes, classes;    /* nodes that count; classes 0: of numbers */
    int64_t positive;          /* of two classes, the one of roc_auc and average_precision; else -1: they are means */
    int64_t true_classes;      /* how many classes the nodes have */
    int64_t predicted_classes; /* how many are predicted */
} gpr_metrics_info;
GPR_API gpr_status gpr_metrics_describe(const gpr_metrics *metrics, gpr_metrics_info *out);

typedef struct gpr_class_metrics {
    size_t struct_size;
    int64_t nodes, predicted, right; /* nodes of the class, predicted as it, both */
    double precision, recall, f1;
    double roc_auc, average_precision; /* of this class against the rest */
} gpr_class_metrics;
GPR_API gpr_status gpr_metrics_class(const gpr_metrics *metrics, int64_t class_id, gpr_class_metrics *out);
/* (*classes x *classes) row: the true class; column: the predicted one. NULL: there are more than 256 classes. Belongs
   to metrics. classes may be NULL. */
GPR_API const int64_t *gpr_metrics_confusion(const gpr_metrics *metrics, int64_t *classes);

/* Of the model of a run on a part of its split; NULL if there is none. Belongs to result. gpr_result_mean has their
   means over the runs as "test_roc_auc", "val_log_loss", ..., but for the accuracy, which it gives in percent. */
GPR_API const gpr_metrics *gpr_result_metrics(const gpr_result *result, int64_t run, gpr_part part);

/* What simple methods reach on the test nodes of each run's split. "majority": the shares of the classes among the
   training nodes; "features": a logistic regression on the features; "neighbours": the training labels of the
   neighbours. */
GPR_API const char *gpr_baseline_word(int index); /* NULL: there is none at this index */
/* Computes them, for all runs; later gpr_result_json and the run folder have them too. data: that of the training.
   Errors: GPR_ERROR_MISMATCH if it is not. */
GPR_API gpr_status gpr_result_add_baselines(gpr_ctx *ctx, gpr_result *result, const gpr_dataset *data);
/* NULL: it was not computed. Belongs to result. */
GPR_API const gpr_metrics *gpr_result_baseline(const gpr_result *result, int64_t run, int index);
/* Mean and half width of the 95 % confidence interval over the runs; NaN where it was not computed. ci95 may be NULL.
 */
GPR_API gpr_status gpr_result_baseline_mean(const gpr_result *result, int index, const char *word, double *mean,
                                            double *ci95);
/* A sentence about the best run that a reader must know, number `index` from 0: the model predicts one class only on
   the test nodes, is no better than a baseline, or is good by the labels of neighbours alone. NULL: there are no more.
   Belongs to result. */
GPR_API const char *gpr_result_caution(const gpr_result *result, int64_t index);
/* The word of the metric to judge the result by: the option `metric` if it is not the loss. Else, where one class has
   more than four fifths of the training nodes, "average_precision" for two classes and "macro_f1" for more. Else
   "accuracy". gpr_result_mean has its value as "test_" and the word. Since 0.3.0. */
GPR_API const char *gpr_result_headline(const gpr_result *result);
/* What was done beside the plain training, in words, number `index` from 0. text gets the sentence, cut to size bytes;
   600 are enough. The value is what it is about: "chosen" (how known labels are used), "smoothing", "calibration",
   "refit"; a constant. NULL: there are no more. Since 0.3.0. */
GPR_API const char *gpr_result_note(const gpr_result *result, int64_t index, char *text, size_t size);

/* ---- Known labels as an input ----------------------------------------------------------------------------- */

/* labels: (nodes) the caller's; the labels of the data that a prediction gets as an input unless it is told otherwise
   (gpr_predict_options.known_labels), as classes of the model; -1 for all other nodes. A model that was trained with
   label-input gets those of its training nodes for nodes of its training (by graph and features, or by ids; the model
   keeps them), and those of all labelled nodes else. Any other model gets none. How often the model is right says
   nothing about nodes whose label it got. */
GPR_API gpr_status gpr_model_known_labels(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data,
                                          int32_t *labels);
/* Since 0.3.0. learned: (nodes) the caller's; 1: the model was trained on the label of this node, as far as it can
   tell: a model that uses known labels recognises the nodes of its training by graph and features, or by ids. Any other
   model gives 0. How often the model is right says nothing about such nodes. */
GPR_API gpr_status gpr_model_learned_nodes(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data,
                                           uint8_t *learned);
/* What the training chose by the validation nodes, in words, such as "label-input yes: accuracy 94.00 % on the
   validation nodes (1 other: 87.33 %)"; NULL if nothing was left to choose. Belongs to result. */
GPR_API const char *gpr_result_choice(const gpr_result *result);
/* On how many nodes the model was trained once more, by the option `refit`; 0: it was not, or model is NULL. Such a
   model has seen the labels of its validation and test nodes: how often it is right on the data of its training says
   nothing. The figures of its training are those of the model before. */
GPR_API int64_t gpr_model_refit_nodes(const gpr_model *model);

/* ---- Smoothing: known labels over the graph ------------------------------------------------------------ */

/* What the option `smooth` came to in a run. Accuracies and the validation loss of gpr_run_info are those after it. */
typedef struct gpr_smoothing_info {
    size_t struct_size;
    int asked;            /* 0: not asked for, and all below is 0 or NULL */
    double correct_alpha; /* of the step that spreads errors; 0: not done */
    double correct_scale; /* of these errors; 0: each node's as large as the mean error */
    double smooth_alpha;  /* of the step that spreads labels and probabilities; 0: not done */
    const char *by;       /* what decided, of the validation nodes: "accuracy", "average precision"; a constant */
    double before, after; /* that figure, 0 to 1; NaN without validation nodes */
    double val_loss, val_accuracy, test_accuracy; /* before */
    const char *relation; /* the kind of edges that both steps go over; "": all. Since 0.3.0 */
} gpr_smoothing_info;

/* Since 0.2.0. */
GPR_API gpr_status gpr_result_smoothing(const gpr_result *result, int64_t run, gpr_smoothing_info *out);

/* ---- Verification --------------------------------------------------------------------------------- */

typedef enum gpr_verdict {
    GPR_VERDICT_OK = 0,
    GPR_VERDICT_DAMAGED = 1,
    GPR_VERDICT_MISSING = 2,
    GPR_VERDICT_UNKNOWN = 3 /* nothing says what it should be */
} gpr_verdict;

/* Of one file. The texts are valid during the call. */
typedef struct gpr_verify_info {
    size_t struct_size; /* the library's */
    gpr_verdict verdict;
    const char *path;
    const char *kind;   /* "model", "state", "dataset", "split", "manifest", ...; "file" if it is not known */
    const char *detail; /* what was compared, or what is wrong */
} gpr_verify_info;

/* Called once for each file. Return non-zero to stop. */
typedef int (*gpr_verify_fn)(void *user, const gpr_verify_info *info);

/* Checks what is at `path`, and changes nothing: a run folder, a model, the state of a training, a .gpr file, a folder
   with fetched datasets, any other dataset, a split, JSON. Checksums are compared where there are some; other files are
   read to their end. report and user may be NULL. GPR_OK: all is right; a folder may also have files that are unknown.
   Errors: GPR_ERROR_FORMAT if something is damaged or missing, or if a file is unknown; GPR_ERROR_NOT_FOUND if there is
   nothing; GPR_ERROR_STOPPED if `report` stops it; GPR_ERROR_IO, GPR_ERROR_MEMORY. */
GPR_API gpr_status gpr_verify(gpr_ctx *ctx, const char *path, gpr_verify_fn report, void *user);

/* ---- For programs: helpers for a command line, as gprgnn itself uses them ---------------- */

/* Names come from files and servers, and may hold anything. These spell a text so that it harms no terminal and no
   file. They work as snprintf does: at most `size` bytes are written, with the NUL; the length of the whole is
   returned. out may be NULL if size is 0; a text that is NULL is empty. printable: for people. Control characters,
   bytes that are not UTF-8 and marks of direction become \x1b or \u202e. csv: a field, in quotes if it needs them (RFC
   4180). Line ends and tabs stay, and so do letters of other encodings. json: a string with its quotes. Nothing is
   lost, except that bytes which are not UTF-8 become '?'. */
GPR_API size_t gpr_text_printable(char *out, size_t size, const char *text);
GPR_API size_t gpr_text_csv(char *out, size_t size, const char *text);
GPR_API size_t gpr_text_json(char *out, size_t size, const char *text);
/* The known word nearest to `word` (edit distance), or NULL if none is near. words: `count` strings. */
GPR_API const char *gpr_nearest_word(const char *word, const char *const *words, int count);
/* Largest resident memory of this process so far, in bytes; 0 if unknown. */
GPR_API int64_t gpr_peak_memory(void);
/* Writes bytes to path, whole or not at all (temporary name, fsync, rename). Errors: GPR_ERROR_IO. */
GPR_API gpr_status gpr_write_file(const char *path, const void *bytes, size_t size);
/* The same for a file that is written piece by piece: it gets its name when it is committed. Since 0.2.0. */
typedef struct gpr_file gpr_file;
GPR_API gpr_status gpr_file_new(gpr_ctx *ctx, gpr_file **out, const char *path);
GPR_API gpr_status gpr_file_write(gpr_file *file, const void *bytes, size_t size);
/* Once, and nothing can be written afterwards. On failure there is no new file, and an old one is untouched. */
GPR_API gpr_status gpr_file_commit(gpr_file *file);
GPR_API void gpr_file_free(gpr_file *file); /* one that was not committed leaves nothing behind */
/* Fails with the reason if `dir` cannot be written to; creates it if missing. Call it before long work. Errors:
   GPR_ERROR_IO. */
GPR_API gpr_status gpr_check_output_dir(const char *dir);

#ifdef __cplusplus
}
#endif
#endif
