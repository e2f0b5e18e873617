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
 *  - A call that can fail returns a gpr_status: 0 is success, negative an error, positive a note
 *    (the work is valid, something is worth knowing). gpr_last_error() then holds the text for this thread.
 *    GPR_ERROR_ARGUMENT (NULL where none may be, a value out of bounds) and GPR_ERROR_MEMORY can come from any of them;
 *    "Errors:" names the others. GPR_ERROR_FORMAT can come from any call that reads a dataset of a .gpr file: it is
 *    looked through when it is first used.
 *  - The library never exits, aborts, prints or installs signal handlers, and has no global state.
 *  - Output handles are set to NULL on entry and written on success (or note) only.
 *  - Inputs are borrowed for the call. Returned strings and arrays belong to the handle they came from
 *    and live until it is freed, unless said otherwise. Every _free accepts NULL.
 *  - Arguments: a call that makes something has the context first, then what it makes, then what it is made from, then
 *    its options. A question has the thing that is asked first, and last what the answer is written to.
 *  - int64_t counts what comes from data (nodes, runs, bytes of files), size_t bytes in memory; int is for switches,
 *    threads, and places in the library's own tables.
 *  - A struct that begins with struct_size has it set to its sizeof by the caller, also where a call fills it in. So a
 *    program may be compiled with an older header than the library's, from 0.1.0 on, or with a newer one as long as
 *    what it sets beyond the library's struct is 0; else GPR_ERROR_ARGUMENT. A callback's struct has the library's
 *    size: look whether a field that is marked "since" lies within struct_size before reading it.
 *
 * Threads and lifetimes:
 *  - A gpr_ctx is for one thread at a time. Take one context for every thread that calls; they do not know each other.
 *  - All other handles may be used with any context, and read by any number of threads at once, each with a context of
 *    its own: one dataset and one model serve all threads of a server. Reading is every call that takes the handle as
 *    const; calls that take it otherwise (gpr_params_set, every _free) need it for themselves.
 *  - The context that a handle was made with must outlive it: its memory comes from there. It may be freed in any
 *    thread, while that context is in use elsewhere too.
 *  - A model and a result keep copies of what they need of data and parameters; a dataset copies the caller's arrays.
 *    Only what is said to belong to a handle ends with it.
 */
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

/* What is replaced stays until 1.0 and is marked so; GPR_NO_DEPRECATION_WARNINGS, defined before this header, keeps
   the compiler silent about it. */
#if defined(__GNUC__) && !defined(GPR_NO_DEPRECATION_WARNINGS)
#define GPR_DEPRECATED(instead) __attribute__((deprecated(instead)))
#else
#define GPR_DEPRECATED(instead)
#endif

/* Of this header; gpr_version() is the library's. A number such as 200 for 0.2.0 and 10203 for 1.2.3 compares well. */
#define GPR_VERSION_MAJOR 0
#define GPR_VERSION_MINOR 2
#define GPR_VERSION_PATCH 0
#define GPR_VERSION_NUMBER (GPR_VERSION_MAJOR * 10000 + GPR_VERSION_MINOR * 100 + GPR_VERSION_PATCH)
#define GPR_VERSION_STRING "0.2.0"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status --------------------------------------------------------------------------------------- */

/* Values are pinned: they are never reused for another meaning. */
typedef enum gpr_status {
    GPR_OK = 0,
    GPR_STOPPED = 1,          /* note: the progress callback asked to stop; the best model so far is returned */
    GPR_ERROR_ARGUMENT = -1,  /* a wrong call: unknown name, value out of bounds, NULL where none may be */
    GPR_ERROR_MEMORY = -2,    /* an allocation failed */
    GPR_ERROR_IO = -3,        /* the operating system refused a file operation */
    GPR_ERROR_FORMAT = -4,    /* a file is not what it should be */
    GPR_ERROR_MISMATCH = -5,  /* two things do not fit together, such as a model and a graph */
    GPR_ERROR_NOT_FOUND = -6, /* no file or dataset of that name */
    GPR_ERROR_NUMERIC = -7,   /* training left the finite numbers */
    GPR_ERROR_NETWORK = -8,   /* no server could be reached, or none answered as it should */
    GPR_ERROR_STOPPED = -9    /* the progress callback asked to stop and there is nothing to return */
} gpr_status;

/* Text of the last error or note on this thread; "" after a call that returned GPR_OK, or if there was none. Valid
   until the next call on this thread that can fail. */
GPR_API const char *gpr_last_error(void);
GPR_API const char *gpr_status_name(gpr_status status); /* "GPR_ERROR_IO"; never NULL */
GPR_API const char *gpr_version(void);                  /* "0.2.0" */

/* ---- Context: memory, threads, log and progress ---------------------------------------------------- */

typedef struct gpr_ctx gpr_ctx;

typedef enum gpr_log_level { GPR_LOG_WARNING = 1, GPR_LOG_INFO = 2, GPR_LOG_DEBUG = 3 } gpr_log_level;

/* One whole line without its newline. */
typedef void (*gpr_log_fn)(void *user, gpr_log_level level, const char *line);

typedef struct gpr_progress {
    size_t struct_size;                                       /* the library's */
    int64_t run, runs;                                        /* this run (from 0) of how many */
    int64_t epoch, epochs;                                    /* training steps done in this run, of at most how many */
    double train_loss, val_loss, val_accuracy, test_accuracy; /* of the weights after `epoch` steps */
    int64_t best_epoch; /* lowest validation loss so far; 0 before the first step */
    const char *stage;  /* "training"; or "embedding", while geomgcn's is made, for a prediction too:
                           all above is 0 then */
    double share;       /* how much of the embedding is made, 0 to 1 */
} gpr_progress;

/* Called after every epoch and now and then during an embedding, never from two threads at once. Non-zero stops all
   runs cleanly. */
typedef int (*gpr_progress_fn)(void *user, const gpr_progress *progress);

/* All memory of the library goes through these (third-party readers and writers of files excepted).
   resize(user, NULL, n) allocates, resize(user, p, n) grows or shrinks; NULL on failure. May be called from
   several threads at once. The struct has these three fields for ever. */
typedef struct gpr_allocator {
    void *(*resize)(void *user, void *block, size_t size);
    void (*release)(void *user, void *block);
    void *user;
} gpr_allocator;

typedef struct gpr_ctx_options {
    size_t struct_size; /* sizeof(gpr_ctx_options) */
    int threads;        /* 0: as many as the machine has */
    const char *cpu;    /* NULL or "auto": the best the CPU has; "ref", "base", "avx2", "avx512" */
    gpr_log_fn log;     /* NULL: silence */
    gpr_progress_fn progress;
    void *user;              /* handed to log and progress */
    gpr_allocator allocator; /* all NULL: malloc */
    const char *device;      /* since 0.2.0. Where to compute: NULL or "cpu" */
} gpr_ctx_options;

/* `options` may be NULL. Costs little: threads are started when they are first needed. The context must outlive every
   handle made with it. */
GPR_API gpr_status gpr_ctx_new(gpr_ctx **out, const gpr_ctx_options *options);
GPR_API void gpr_ctx_free(gpr_ctx *ctx);                           /* ends its threads */
GPR_API gpr_status gpr_ctx_set_threads(gpr_ctx *ctx, int threads); /* 0: as many as the machine has */
GPR_API int gpr_ctx_threads(const gpr_ctx *ctx);
/* JSON: version, compiler, kernels chosen for this CPU, threads. Belongs to ctx, valid until the next such call. */
GPR_API const char *gpr_build_info(gpr_ctx *ctx);

/* ---- Parameters: every option by its word ----------------------------------------------------------- */

typedef struct gpr_params gpr_params;

typedef struct gpr_param_info {
    size_t struct_size;
    const char *name;     /* the word: flag, config key, API and Python name ("weight-decay" = "weight_decay") */
    const char *type;     /* "int", "real", "choice", "text" */
    const char *fallback; /* the default, as text; some models have another: gpr_param_default */
    const char *range;    /* bounds such as "[0, 1)", choices such as "auto|row|none", or a form such as "ppr|..." */
    const char *models;   /* those it applies to: "all", "all but A B", or "A B" */
    const char *group;    /* "model", "training", "data", "run" */
    const char *help;     /* one line */
} gpr_param_info;

GPR_API int gpr_param_count(void);
/* The option at `index`, from 0. Its texts are constants. */
GPR_API gpr_status gpr_param_describe(int index, gpr_param_info *out);
/* 1 if the option means anything to a model, by its word; else 0. */
GPR_API int gpr_param_applies(int index, const char *model);
/* Its default for a model, as text; NULL if there is no such option. */
GPR_API const char *gpr_param_default(int index, const char *model);

/* All options at their defaults; the caller's, to be freed with gpr_params_free. What is said about them goes to the
   log of ctx. */
GPR_API gpr_status gpr_params_new(gpr_ctx *ctx, gpr_params **out);
GPR_API void gpr_params_free(gpr_params *params);
/* Errors name the nearest known word, or the bounds. A value set here wins over file, preset and default,
   whichever is applied first. */
GPR_API gpr_status gpr_params_set(gpr_params *params, const char *name, const char *value);
/* The resolved value as text; NULL if the word is unknown. Valid until params changes. */
GPR_API const char *gpr_params_get(const gpr_params *params, const char *name);
/* Where the value came from: "flag", "file", "preset" or "default"; NULL if the word is unknown. */
GPR_API const char *gpr_params_source(const gpr_params *params, const char *name);
/* A config file: `word = value` lines, # comments. Errors: GPR_ERROR_NOT_FOUND, GPR_ERROR_IO, GPR_ERROR_FORMAT (with
   the line); what stood before the bad line is set. */
GPR_API gpr_status gpr_params_load(gpr_params *params, const char *path);
/* Fails if an option was set that means nothing to the chosen model; gpr_train asks the same. */
GPR_API gpr_status gpr_params_check(const gpr_params *params);

/* ---- Data ------------------------------------------------------------------------------------------- */

typedef struct gpr_dataset gpr_dataset;

/* A graph with features and labels in the caller's arrays; all are copied. Edges are in src and dst, or in adj_*;
   features are dense, or in indptr and indices, or in feature_*, or there are none. */
typedef struct gpr_dataset_desc {
    size_t struct_size;
    const char *name; /* may be NULL */
    int64_t nodes;
    int64_t edges; /* length of src and dst; either or both directions, duplicates, loops are fine */
    const int64_t *src, *dst;
    const float *weights;  /* NULL: all 1; else positive; weights of merged duplicates are those of the largest */
    int64_t features;      /* columns; 0, with dense and indptr NULL: a graph without features */
    const float *dense;    /* nodes x features, row after row; or NULL and CSR below */
    const int64_t *indptr; /* nodes + 1 */
    const int32_t *indices;
    const float *values;              /* NULL: all 1 */
    const int32_t *labels;            /* nodes; -1: not labelled */
    int64_t classes;                  /* 0: largest label + 1 */
    const char *const *class_names;   /* classes; NULL: they are numbers */
    const char *const *node_ids;      /* nodes; NULL: they are numbers */
    const char *const *feature_names; /* features; NULL: they are numbers */
    /* All that follows: since 0.2.0. */
    int64_t indptr_length;       /* of indptr or feature_indptr: nodes + 1. With indptr it may be 0: neither length is
                                    known, and indptr is believed, as in 0.1.0 */
    int64_t indices_length;      /* of indices or feature_indices, and of values */
    int index_bits;              /* of the four arrays of indices below: 32 or 64 */
    const void *adj_indptr;      /* nodes + 1; row i of this CSR matrix has the neighbours of node i; src, dst: NULL */
    const void *adj_indices;     /* adj_indices_length */
    const float *adj_values;     /* adj_indices_length weights, as `weights`; NULL: all 1 */
    int64_t adj_indptr_length;   /* nodes + 1 */
    int64_t adj_indices_length;  /* no less than the last number of adj_indptr; an indptr beyond it is refused */
    const void *feature_indptr;  /* nodes + 1; in place of indptr, with index_bits */
    const void *feature_indices; /* indices_length; in place of indices; its numbers are in `values` */
} gpr_dataset_desc;

/* Takes time and memory proportional to the arrays. Edges become undirected. Errors tell which entry is wrong:
   GPR_ERROR_ARGUMENT. */
GPR_API gpr_status gpr_dataset_new(gpr_ctx *ctx, gpr_dataset **out, const gpr_dataset_desc *desc);

/* DATA as on the command line: "csbm", "csbm:phi=-0.5,n=5000,f=2000,d=5,eps=3.25,seed=1", a dataset's name
   (looked up in data_dir, $GPRGNN_DATA, the user's cache folder), or a path. data_dir may be NULL. Errors:
   GPR_ERROR_NOT_FOUND, GPR_ERROR_IO, GPR_ERROR_FORMAT. A .gpr file is mapped, not read: it must stay as it is until the
   dataset is freed. */
GPR_API gpr_status gpr_dataset_open(gpr_ctx *ctx, gpr_dataset **out, const char *spec, const char *data_dir);
/* The same for files of one format. format: NULL or "auto": seen from the files; "gpr": the program's own; "npz"
   (gnn-benchmark or heterophilous-graphs); "planetoid": spec is the common beginning of the files, ".../ind.cora";
   "geom-gcn": a folder with out1_graph_edges.txt and out1_node_feature_label.txt; "ogb": a folder with raw/edge.csv.gz;
   "edges": a text with an edge in every line, and "mtx": Matrix Market, both without features and labels. Of what a
   published file lacks or has wrong the log says what was done. */
GPR_API gpr_status gpr_dataset_open_as(gpr_ctx *ctx, gpr_dataset **out, const char *spec, const char *data_dir,
                                       const char *format);

/* A dataset from several files. All but struct_size may be NULL (or 0); give `data`, or `edges`. A column is named by
   the header's word, or by its number from 1. docs/files.md says what the files may look like. */
typedef struct gpr_open_options {
    size_t struct_size;
    const char *data, *data_dir, *format; /* as for gpr_dataset_open_as */
    const char *edges;                    /* a table with a row per edge: two ids, and perhaps a weight */
    const char *weight;                   /* its column of weights; NULL: the one called weight or w, or the third of
                                             numbers without a header; "none": no weights */
    const char *nodes;                    /* a table with a row per node: id, features, label */
    const char *id;                       /* its column of ids; NULL: the first */
    const char *label;                    /* its column of labels, or that of `labels`; NULL: no labels */
    const char *drop;                     /* its columns to be left out, with commas between them */
    const char *fill;                     /* a number for feature cells that are empty; NULL: they are an error */
    const char *features;                 /* .npy, .npz, .svm or a table of numbers: a row per node, in their order */
    const char *labels;                   /* .npy, or a table: a label per node in their order, or id and label */
    const char *delimiter;                /* of tables: "comma", "tab", "semicolon", "space"; NULL or "auto": guessed */
    const char *header;                   /* of tables: "yes", "no"; NULL or "auto": guessed */
    int64_t model_features;               /* of the model that will predict on it: svmlight has at least so many */
    const char *const *model_names;       /* (model_features) their names: columns of nodes are text or numbers as they
                                             were for the model; NULL: as the table shows */
} gpr_open_options;

/* Errors: as gpr_dataset_open; GPR_ERROR_MISMATCH where two files do not fit together. */
GPR_API gpr_status gpr_dataset_open_with(gpr_ctx *ctx, gpr_dataset **out, const gpr_open_options *options);

/* Writes .npz (gnn-benchmark convention: adj_*, attr_*, labels) or .gpr (the program's own format, which opens in a
   moment at any size), as the ending of path says; whole or not at all. Errors: GPR_ERROR_IO. */
GPR_API gpr_status gpr_dataset_save(gpr_ctx *ctx, const gpr_dataset *data, const char *path);
/* The same under any name. format: "npz", "gpr"; NULL or "auto": as path ends. */
GPR_API gpr_status gpr_dataset_save_as(gpr_ctx *ctx, const gpr_dataset *data, const char *path, const char *format);
GPR_API void gpr_dataset_free(gpr_dataset *data);

/* Sizes, without any work; -1 where data is NULL. Edges are undirected, without self loops. */
GPR_API int64_t gpr_dataset_nodes(const gpr_dataset *data);
GPR_API int64_t gpr_dataset_edges(const gpr_dataset *data);
GPR_API int64_t gpr_dataset_features(const gpr_dataset *data);
GPR_API int64_t gpr_dataset_classes(const gpr_dataset *data);

/* ---- Conversion -------------------------------------------------------------------------------------- */

typedef struct gpr_convert_progress {
    size_t struct_size; /* the library's */
    const char *stage; /* "reading", "sorting", "writing" */
    double share;      /* of it that is done, 0 to 1; negative: not known */
} gpr_convert_progress;

/* Called again and again from the thread that converts. Non-zero stops: nothing is left behind. */
typedef int (*gpr_convert_progress_fn)(void *user, const gpr_convert_progress *progress);

typedef struct gpr_convert_options {
    size_t struct_size;
    const char *to; /* "npz", "gpr"; NULL or "auto": as the name of the output ends */
    int64_t memory; /* from a table of edges to gpr: bytes to be taken at once, beside those per node; 0: 1 GiB */
    gpr_convert_progress_fn progress; /* may be NULL */
    void *user;                       /* handed to progress */
} gpr_convert_options;

typedef struct gpr_convert_result {
    size_t struct_size;
    int64_t nodes, edges, features, classes; /* as in gpr_dataset_info */
    int64_t bytes;                           /* of the file */
    int streamed;                            /* the edges were never in memory all at once */
    char fingerprint[33];
} gpr_convert_result;

/* Writes the data as one file, whole or not at all. From a table of edges to gpr it takes no more memory than
   options->memory and what the nodes, their features and labels need, however many edges there are; those lie in files
   without a name beside `path` meanwhile. The bytes are those that gpr_dataset_save writes. result and options may be
   NULL. GPR_ERROR_STOPPED: by the progress callback; there is no file then. Other errors: as gpr_dataset_open_with. */
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

/* What docs/measures.md explains. Measures with labels are over labelled nodes and the edges between them; NaN where
   nothing can be measured. */
typedef struct gpr_dataset_info {
    size_t struct_size;
    const char *name;
    int64_t nodes, edges; /* undirected edges, without self loops */
    int64_t features, feature_nnz, classes;
    int64_t isolated, self_loops, duplicates; /* self loops and duplicates: found in the input and merged away */
    int64_t labelled;                         /* nodes that have a label */
    double node_homophily;                    /* H(G) of the paper: mean over nodes that have neighbours */
    double edge_homophily;                    /* share of edges within a class */
    double mean_degree;
    int64_t max_degree;
    int sparse_features, weighted;
    int64_t min_degree;
    double median_degree;
    int64_t components, largest_component; /* connected ones; the nodes of the largest */
    int64_t zero_feature_rows;             /* nodes whose features are all 0 */
    double feature_density;                /* share of the features that are not 0; NaN without features */
    double class_homophily;                /* class-insensitive (Lim et al.): 0 .. 1 */
    double adjusted_homophily;             /* corrected for chance (Platonov et al.): 0 as by chance, at most 1 */
    double label_informativeness;          /* what a neighbour's class tells of a node's (Platonov et al.): 0 .. 1 */
    double chernoff_hellinger;  /* least divergence of two classes' neighbours; NaN for more than 256 classes */
    int64_t closest_classes[2]; /* the two classes of that least divergence; -1 if there are none */
    char fingerprint[33];       /* 128 bits in hex, of graph, weights, features and labels whatever their source */
} gpr_dataset_info;

/* Takes time proportional to nodes + edges + features, and to the cube of the classes: not for a quick look at sizes.
   out->name belongs to data. */
GPR_API gpr_status gpr_dataset_describe(gpr_ctx *ctx, const gpr_dataset *data, gpr_dataset_info *out);
/* Logs a warning for everything in the data that a careful user would ask about: merged duplicates, one class only,
   features that are all 0, few labels, classes that a dense split takes whole. */
GPR_API gpr_status gpr_dataset_check(gpr_ctx *ctx, const gpr_dataset *data);
/* sizes: (classes) the caller's; how many labelled nodes each class has. */
GPR_API gpr_status gpr_dataset_class_sizes(gpr_ctx *ctx, const gpr_dataset *data, int64_t *sizes);
/* edges: (classes x classes) the caller's. Row i, column j: how many neighbours of class j the nodes of class i have in
   all; symmetric, and an edge within a class counts twice. */
GPR_API gpr_status gpr_dataset_class_edges(gpr_ctx *ctx, const gpr_dataset *data, int64_t *edges);
/* (count), -1 for none. Belongs to data. NULL where a mapped file turns out to be damaged; gpr_last_error() then says
 * how. */
GPR_API const int32_t *gpr_dataset_labels(const gpr_dataset *data, int64_t *count);
/* Their names in the input; NULL where it has none (they are numbers), or out of range. Belong to data. */
GPR_API const char *gpr_dataset_class_name(const gpr_dataset *data, int64_t class_id);
GPR_API const char *gpr_dataset_node_id(const gpr_dataset *data, int64_t node);
GPR_API const char *gpr_dataset_feature_name(const gpr_dataset *data, int64_t feature);

/* ---- Downloads -------------------------------------------------------------------------------------- */

/* A public dataset that can be fetched by its name. Its texts are constants. */
typedef struct gpr_fetch_info {
    size_t struct_size;
    const char *name;
    const char *source;  /* the public repository */
    const char *licence; /* that it states */
    const char *note;    /* what one should know of it; may be "" */
    int64_t files;       /* how many it has */
    int64_t bytes;       /* of all of them; 0: not known */
} gpr_fetch_info;

typedef struct gpr_fetch_file_info {
    size_t struct_size;
    const char *path;   /* below the folder, and below a mirror's address */
    const char *url;    /* the public address */
    const char *sha256; /* 64 hex digits; NULL: not known, and the content is compared */
    int64_t bytes;      /* 0: not known */
} gpr_fetch_file_info;

GPR_API int gpr_fetch_count(void);
/* *index: of the dataset of that name; the error names the nearest. */
GPR_API gpr_status gpr_fetch_find(const char *name, int *index);
GPR_API gpr_status gpr_fetch_describe(int index, gpr_fetch_info *out);
GPR_API gpr_status gpr_fetch_file(int index, int file, gpr_fetch_file_info *out);
/* *files: how many of its files are in the folder and right; data_dir as below. Reads each of them whole. Errors:
   GPR_ERROR_IO. */
GPR_API gpr_status gpr_fetch_present(gpr_ctx *ctx, int index, const char *data_dir, int64_t *files);
/* Writes the folder that files are fetched to into the caller's `out` of `size` bytes: data_dir, or where it is NULL
   the user's cache folder, $XDG_CACHE_HOME/gprgnn or ~/.cache/gprgnn. */
GPR_API gpr_status gpr_fetch_folder(gpr_ctx *ctx, char *out, size_t size, const char *data_dir);

typedef struct gpr_fetch_progress {
    size_t struct_size;         /* the library's */
    const char *dataset, *path; /* the file, below the folder */
    int64_t file, files;        /* this one (from 0) of how many */
    int64_t bytes, total;       /* of this file so far, with what an earlier fetch left; total 0: not known */
} gpr_fetch_progress;

/* Called some times a second from the thread that fetches. Non-zero stops. */
typedef int (*gpr_fetch_progress_fn)(void *user, const gpr_fetch_progress *progress);

typedef struct gpr_fetch_options {
    size_t struct_size;
    const char *data_dir; /* where to; NULL: the user's cache folder */
    const char *mirror;   /* take the files from mirror/PATH, http or https; NULL: from the public addresses */
    int retries;          /* attempts after the first for each file, when it stalls or breaks off or the server fails */
    int timeout;          /* seconds without connection, or with hardly a byte, that are a stall */
    double pause;         /* seconds before the first of the retries; doubled for each further one */
    int force;            /* fetch what is there and right, too */
    gpr_fetch_progress_fn progress;
    void *user; /* handed to progress */
} gpr_fetch_options;

typedef struct gpr_fetch_result {
    size_t struct_size;
    int64_t files;  /* of the dataset */
    int64_t loaded; /* of these: fetched now; the others were there */
    int64_t bytes;  /* that came over the network */
} gpr_fetch_result;

/* The defaults, and struct_size, which is sizeof *options. */
GPR_API void gpr_fetch_options_init(gpr_fetch_options *options, size_t struct_size);
GPR_API void gpr_fetch_defaults(gpr_fetch_options *options) GPR_DEPRECATED("use gpr_fetch_options_init");
/* Downloads the files of a dataset that are missing or wrong; gpr_dataset_open then finds it by its name. A file is
   loaded as PATH.part and moved into place when all files of the dataset are whole and have the right SHA-256; where
   none is known, when it opens as a dataset (the log warns if that is not the one expected). What is left of a part is
   continued the next time. options and result may be NULL. GPR_ERROR_STOPPED: by the progress callback; the dataset is
   not there then, but what came is kept. Other errors: GPR_ERROR_NOT_FOUND, GPR_ERROR_NETWORK, GPR_ERROR_IO,
   GPR_ERROR_FORMAT. */
GPR_API gpr_status gpr_fetch(gpr_ctx *ctx, gpr_fetch_result *result, const char *name,
                             const gpr_fetch_options *options);

/* ---- Splits ----------------------------------------------------------------------------------------- */

typedef struct gpr_split gpr_split;
typedef enum gpr_part { GPR_UNUSED = 0, GPR_TRAIN = 1, GPR_VAL = 2, GPR_TEST = 3 } gpr_part;

/* spec: "sparse", "dense", fractions "60/20/20" or ".6/.2/.2", "planetoid" or "planetoid:20/500/1000",
   or the path of an .npz with train_mask, val_mask and test_mask (or train_masks.. with a row per run: row
   run % rows is taken). The same seed and run give the same split. Errors: GPR_ERROR_MISMATCH where no labelled node is
   left to train on or a file is of another graph; of a file GPR_ERROR_NOT_FOUND, GPR_ERROR_IO, GPR_ERROR_FORMAT. */
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
/* How many nodes of a class a part holds; -1 for arguments out of range. */
GPR_API int64_t gpr_split_count(const gpr_split *split, gpr_part part, int64_t class_id);

/* ---- Training ------------------------------------------------------------------------ */

typedef struct gpr_model gpr_model;
typedef struct gpr_result gpr_result;

/* Fills in a preset ("paper") below flags and file. Which row of the preset: by the dataset and the split. It has
   settings for gprgnn; for other models the paper's split alone, and a warning says so (in the log of the context that
   params were made with). */
GPR_API gpr_status gpr_params_preset(gpr_params *params, const char *preset, const gpr_dataset *data);

/* Trains `runs` models, each on its own split and initial weights (run r uses seed + r), in parallel over the
   context's threads (the option `threads` is for programs to set them by). `model` is the one of the run with the
   lowest validation loss; its own options have that run's seed and runs = 1, and so make it again. GPR_STOPPED: stopped
   by the progress callback; model and result are those of the best epoch so far, and gpr_train_resume can go on.
   GPR_ERROR_STOPPED: the same before the first epoch. Errors: GPR_ERROR_NUMERIC; those of gpr_split_new. Takes time
   proportional to runs x epochs, and memory for as many runs at once as there are threads. Model and result are the
   caller's, each to be freed on its own. */
GPR_API gpr_status gpr_train(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                             const gpr_params *params);

/* The same on the caller's splits: run r, of `count`, on splits[r] with seed + r; the options `split` and `runs` play
   no part. splits: made for this data, borrowed for the call. Errors: GPR_ERROR_MISMATCH where one has another number
   of nodes, or no labelled node to train on. */
GPR_API gpr_status gpr_train_splits(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                                    const gpr_params *params, const gpr_split *const *splits, int64_t count);

typedef struct gpr_run_info {
    size_t struct_size;
    uint64_t seed;
    int64_t epochs;     /* steps trained */
    int64_t best_epoch; /* the one with the lowest validation loss; all that follows is of that epoch */
    double train_loss, val_loss;
    double train_accuracy, val_accuracy, test_accuracy; /* percent; NaN where the part is empty */
    double initial_accuracy;                            /* test accuracy before the first step */
    double seconds, ms_per_epoch;
    const float *gamma; /* K + 1, learned or fixed; NULL if the model has no filter */
    int64_t gamma_count;
} gpr_run_info;

GPR_API void gpr_result_free(gpr_result *result);
GPR_API int64_t gpr_result_runs(const gpr_result *result);     /* finished or stopped runs with at least one epoch */
GPR_API int64_t gpr_result_best_run(const gpr_result *result); /* the one whose model was returned */
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
/* A run's curve: (*count) numbers from the initial weights on, so that values[e] is of the weights after e steps. what:
   "train_loss", "val_loss", "test_loss", "train_accuracy", "val_accuracy", "test_accuracy". NaN where the part is
   empty. *values belongs to result. count may be NULL. */
GPR_API gpr_status gpr_result_history(const gpr_result *result, int64_t run, const char *what, const double **values,
                                      int64_t *count);
/* The model of any run; NULL out of range. Belongs to result, which keeps them all: each costs what its file has bytes,
   until the result is freed. That of the best run is equal to the one that the training returned, which is the
   caller's own copy. */
GPR_API const gpr_model *gpr_result_model(const gpr_result *result, int64_t run);

typedef struct gpr_embedding_info {
    size_t struct_size;
    const char *name; /* "isomap", ..., or a file; NULL: the model has none, and all else is 0. Belongs to result */
    double seconds;   /* that it took */
    double rho;       /* the radius of a neighbourhood; NaN where there is none */
    double latent_neighbours; /* of a node, on average: in the latent space */
    double graph_neighbours;  /* and in the graph */
} gpr_embedding_info;

/* Of a geomgcn: what it took to find the latent space. */
GPR_API gpr_status gpr_result_embedding(const gpr_result *result, gpr_embedding_info *out);
/* The whole state of a training that was stopped (GPR_STOPPED), for gpr_train_resume: all runs, those that are finished
   and those that did not begin among them. *bytes is the caller's, to keep or to write to a file, and to be freed with
   gpr_bytes_free and the same ctx. Where the training was not stopped nothing is left to do: GPR_ERROR_ARGUMENT. A
   result that was stopped keeps what this needs: about three times the weights for every run that is not finished. */
GPR_API gpr_status gpr_result_state(gpr_ctx *ctx, const gpr_result *result, void **bytes, size_t *size);
/* Goes on with a training that was stopped. Model and result end with the bits of one that never was, on any number of
   threads; it may be stopped and resumed again. The splits are in the state, those of gpr_train_splits too. Seconds add
   up. data and params are the same as before (`threads` and `device` may differ), and so are files that options name.
   state: of gpr_result_state; not trusted, and not needed afterwards. Errors: as gpr_train; GPR_ERROR_FORMAT where the
   bytes are damaged; GPR_ERROR_MISMATCH where data or an option is another. */
GPR_API gpr_status gpr_train_resume(gpr_ctx *ctx, gpr_model **model, gpr_result **result, const gpr_dataset *data,
                                    const gpr_params *params, const void *state, size_t size);
/* Every result as JSON text, made with the first call. Belongs to result. */
GPR_API gpr_status gpr_result_json(gpr_ctx *ctx, const gpr_result *result, const char **json);
/* Writes config.json, model.safetensors, history.csv, gamma.csv, predictions.csv, split.npz and result.json into
   `dir` (made if missing, with those above it), each whole or not at all. Predicts, for predictions.csv. Errors:
   GPR_ERROR_IO. */
GPR_API gpr_status gpr_result_save(gpr_ctx *ctx, const gpr_result *result, const gpr_model *model,
                                   const gpr_dataset *data, const char *dir);

/* ---- Models ----------------------------------------------------------------------------------------- */

/* Writes safetensors, whole or not at all. The same model gives the same bytes, whatever threads made it. Errors:
   GPR_ERROR_IO. */
GPR_API gpr_status gpr_model_save(gpr_ctx *ctx, const gpr_model *model, const char *path);
/* Errors: GPR_ERROR_NOT_FOUND, GPR_ERROR_IO, GPR_ERROR_FORMAT; GPR_ERROR_MISMATCH where weights and options do not fit
   together. */
GPR_API gpr_status gpr_model_load(gpr_ctx *ctx, gpr_model **out, const char *path);
/* The bytes of that file in memory. *bytes is the caller's, to be freed with gpr_bytes_free and the same ctx. */
GPR_API gpr_status gpr_model_to_bytes(gpr_ctx *ctx, void **bytes, size_t *size, const gpr_model *model);
GPR_API void gpr_bytes_free(gpr_ctx *ctx, void *bytes);
/* bytes: of a file, or of gpr_model_to_bytes; not trusted, and not needed afterwards. Errors: as gpr_model_load. */
GPR_API gpr_status gpr_model_from_bytes(gpr_ctx *ctx, gpr_model **out, const void *bytes, size_t size);
GPR_API void gpr_model_free(gpr_model *model);
GPR_API const char *gpr_model_name(const gpr_model *model); /* "gprgnn", "gcn", ... */
GPR_API int64_t gpr_model_features(const gpr_model *model);
GPR_API int64_t gpr_model_classes(const gpr_model *model);
/* An option that it was trained with, by its word, as text: "64" for "hidden". NULL where the model has no such option;
   `threads` and `device` are none of a model. Belongs to model. */
GPR_API const char *gpr_model_param(const gpr_model *model, const char *name);

typedef struct gpr_weight_info {
    size_t struct_size;
    const char *name;    /* of the authors' PyTorch program: "lin1.weight" */
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
/* The weights of the graph filter, learned (gprgnn) or fixed (appnp, sgc); NULL, 0 if the model has none. */
GPR_API const float *gpr_model_gamma(const gpr_model *model, int64_t *count);
/* As in the data it was trained on; NULL where that had none, or out of range. Belong to model. */
GPR_API const char *gpr_model_class_name(const gpr_model *model, int64_t class_id);
GPR_API const char *gpr_model_feature_name(const gpr_model *model, int64_t feature);
/* gpr_dataset_info.fingerprint of the data it was trained on; NULL in files that are older than it. */
GPR_API const char *gpr_model_fingerprint(const gpr_model *model);

#define GPR_UNKNOWN_CLASS (-2)
/* labels: (nodes) the caller's; the data's labels as classes of the model: by their names, or by number where neither
   has names. -1: no label; GPR_UNKNOWN_CLASS: one that the model does not know, named in a warning. */
GPR_API gpr_status gpr_model_labels(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *labels);

/* ---- Prediction ------------------------------------------------------------------------------------- */

/* classes (nodes) and proba (nodes x classes of the model) are the caller's; either may be NULL. Features that have
   names on both sides are matched by them. Takes one forward pass, and the memory of it. Errors:
   GPR_ERROR_MISMATCH where the data does not have the model's features; GPR_ERROR_STOPPED by the progress callback,
   while the embedding of a geomgcn is made. */
GPR_API gpr_status gpr_predict(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *classes,
                               float *proba);
/* logits: (nodes x classes of the model) the caller's; the scores that softmax makes probabilities of. */
GPR_API gpr_status gpr_predict_logits(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, float *logits);

typedef struct gpr_predict_options {
    size_t struct_size;
    const char *embedding; /* of a geomgcn, in place of the one that it was trained with: "isomap", "poincare",
                              "struc2vec", or a file; NULL: that one. Any other model has none: GPR_ERROR_ARGUMENT */
} gpr_predict_options;

/* All of it, from one pass: each of the three arrays may be NULL, and so may options. */
GPR_API gpr_status gpr_predict_with(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *classes,
                                    float *proba, float *logits, const gpr_predict_options *options);
/* Writes node,class[,p0,p1,...] as CSV, whole or not at all; nodes and classes by their names where they have any
   (then p_NAME for p0). Errors: as gpr_predict; GPR_ERROR_IO. */
GPR_API gpr_status gpr_predictions_save(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, const char *path,
                                        int with_proba);

/* ---- For programs: what a command line around the library needs, and gprgnn itself uses ---------------- */

/* The known word nearest to `word` (edit distance), or NULL if none is near. words: `count` strings. */
GPR_API const char *gpr_nearest_word(const char *word, const char *const *words, int count);
/* Largest resident memory of this process so far, in bytes; 0 if unknown. */
GPR_API int64_t gpr_peak_memory(void);
/* Writes bytes to path, whole or not at all (temporary name, fsync, rename). Errors: GPR_ERROR_IO. */
GPR_API gpr_status gpr_write_file(const char *path, const void *bytes, size_t size);
/* Fails with the reason if `dir` could not be written; makes it if missing. To be called before long work. Errors:
   GPR_ERROR_IO. */
GPR_API gpr_status gpr_check_output_dir(const char *dir);

#ifdef __cplusplus
}
#endif
#endif
