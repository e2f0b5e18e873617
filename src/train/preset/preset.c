/* Presets. "paper" has settings for each model and dataset of the paper: those of gprgnn on real graphs are its
 * authors', the others were found by `gprgnn search` on the paper's grid, by the accuracy on validation nodes.
 * "filters" has settings with other bases and a gamma for each class, found in the same way (paper/search_filters.sh).
 * Any other preset is a file of `word = value` lines, as that search writes it. */
#include <math.h>
#include <string.h>

#include "base/params.h"
#include "data/dataset.h"
#include "io/config_file.h"

typedef struct {
    const char *model, *dataset; /* a name, or "csbm" */
    double phi;                  /* of a cSBM: the nearest row is taken */
    const char *split;
    const char *settings; /* "word=value word=value" */
} preset_row;

#define PRESET(model, dataset, phi, split, settings) {model, dataset, phi, split, settings},
static const preset_row paper[] = {
#include "train/preset/preset_paper.def"
#include "train/preset/preset_search.def"
};
static const preset_row filters[] = {
#include "train/preset/preset_filters.def"
};

typedef struct {
    const char *name;
    const preset_row *rows;
    int count;
    const char *known;
} preset_table;

static const preset_table tables[] = {
    {"paper", paper, sizeof paper / sizeof *paper,
     "cora, citeseer, pubmed, computers, photo, chameleon, actor, squirrel, texas, cornell and csbm"},
    {"filters", filters, sizeof filters / sizeof *filters,
     "cora, citeseer, pubmed, chameleon, actor, squirrel, texas and cornell"},
};

/* NULL: it is a file. */
static const preset_table *table_of(const char *preset) {
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(preset, tables[i].name) == 0) return &tables[i];
    return NULL;
}

/* Real graphs by name, for any split if there is no row for this one; a cSBM by split and the nearest phi. */
static const preset_row *find(const preset_table *table, const char *model, const gpr_params *params,
                              const char *dataset, double phi, const char *split) {
    const preset_row *best = NULL;
    const bool csbm = !isnan(phi);
    if (gpri_value_of(GPRI_PARAM_SPLIT, split) == GPRI_SPLIT_AUTO)
        split = "dense"; /* the paper's, where none is asked for */
    const bool asked = strcmp(gpr_params_source(params, "split"), "default") != 0;
    for (int i = 0; i < table->count; i++) {
        const preset_row *row = &table->rows[i];
        if (strcmp(row->model, model) != 0 || strcmp(row->dataset, csbm ? "csbm" : dataset) != 0) continue;
        const bool same_split = strcmp(row->split, split) == 0;
        if (csbm && !same_split) continue;
        if (!csbm && asked && same_split) return row;
        if (!best || (csbm && fabs(row->phi - phi) < fabs(best->phi - phi))) best = row;
    }
    return best;
}

/* What the rows call the model: gprgnn with random initial weights needs other settings. */
static const char *row_name(const gpr_params *params) {
    const bool random = gpri_params_is(params, GPRI_MODEL_GPRGNN) && gpri_params_is(params, GPRI_INIT_RANDOM);
    return random ? "gprgnn(random)" : gpri_params_text(params, GPRI_PARAM_MODEL);
}

static gpr_status apply(gpr_params *params, const char *settings) {
    gpr_status status = GPR_OK;
    char all[256], *rest = NULL;
    strncpy(all, settings, sizeof all - 1);
    all[sizeof all - 1] = 0;
    for (char *word = strtok_r(all, " ", &rest); status == GPR_OK && word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        if (!value) return gpri_fail(GPR_ERROR_ARGUMENT, "preset: '%s' has no value", word); /* a slip in the tables */
        *value++ = 0;
        status = gpri_params_set_from(params, GPRI_FROM_PRESET, word, value);
    }
    return status;
}

/* phi: NaN for a real graph. */
static gpr_status apply_table(gpr_params *params, const preset_table *table, const char *dataset, double phi,
                              const char *split) {
    const char *model = gpri_params_text(params, GPRI_PARAM_MODEL);
    if (gpri_params_is(params, GPRI_MODEL_AUTO))
        return gpri_fail(GPR_ERROR_ARGUMENT, "preset '%s' has settings for one model each: name it, in place of auto",
                         table->name);
    const preset_row *own = find(table, row_name(params), params, dataset, phi, split);
    if (!own) own = find(table, model, params, dataset, phi, split);
    const preset_row *row = own ? own : find(table, "gprgnn", params, dataset, phi, split);
    if (!row && !isnan(phi) && find(table, "gprgnn", params, dataset, phi, "dense"))
        return gpri_fail(GPR_ERROR_ARGUMENT, "preset '%s' knows a cSBM with split 'sparse' or 'dense', not with '%s'",
                         table->name, gpri_params_text(params, GPRI_PARAM_SPLIT));
    if (!row)
        return gpri_fail(GPR_ERROR_ARGUMENT, "preset '%s' has no settings for '%s': it knows %s", table->name, dataset,
                         table->known);
    NEED(gpri_params_set_from(params, GPRI_FROM_PRESET, "split", row->split));
    if (own) NEED(apply(params, own->settings));
    else
        gpri_log(gpri_params_ctx(params), GPR_LOG_WARNING,
                 "preset '%s' has no settings for %s on this data: it gets the split (%s) and keeps its own defaults",
                 table->name, model, row->split);
    return GPR_OK;
}

gpr_status gpr_params_preset(gpr_params *params, const char *preset, const gpr_dataset *data) {
    if (!params || !preset || !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_params_preset: a NULL argument");
    const preset_table *table = table_of(preset);
    if (!table) return gpr_params_load_preset(params, preset);
    return gpri_finish(apply_table(params, table, data->name, data->phi, gpri_params_text(params, GPRI_PARAM_SPLIT)));
}

gpr_status gpr_params_preset_named(gpr_params *params, const char *preset, const char *dataset) {
    if (!params || !preset || !dataset)
        return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_params_preset_named: a NULL argument");
    const preset_table *table = table_of(preset);
    if (!table) return gpr_params_load_preset(params, preset);
    return gpri_finish(apply_table(params, table, dataset, NAN, gpri_params_text(params, GPRI_PARAM_SPLIT)));
}

/* A preset may choose the model, and must not be for another one than the caller's. */
gpr_status gpr_params_load_preset(gpr_params *params, const char *path) {
    gpr_status status = GPR_OK;
    gpr_params *trial = NULL;
    if (!params || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_params_load_preset: a NULL argument");
    const char *model = gpri_params_text(params, GPRI_PARAM_MODEL);
    const bool chosen = strcmp(gpr_params_source(params, "model"), "default") != 0;
    TRY(gpr_params_new(gpri_params_ctx(params), &trial));
    status = gpri_params_read(trial, GPRI_FROM_FILE, path);
    if (status == GPR_ERROR_NOT_FOUND)
        THROW(GPR_ERROR_NOT_FOUND,
              "preset '%s' is not known: it must be 'paper', 'filters', or a file that 'gprgnn search' has written",
              path);
    if (status != GPR_OK) goto done;
    if (chosen && strcmp(gpri_params_text(trial, GPRI_PARAM_MODEL), model) != 0)
        THROW(GPR_ERROR_MISMATCH, "%s is a preset for the model %s, and `model` is %s: give one of them", path,
              gpri_params_text(trial, GPRI_PARAM_MODEL), model);
    status = gpri_params_check_model(trial);
    if (status != GPR_OK) {
        gpri_fail_prefix(status, "%s", path);
        goto done;
    }
    TRY(gpri_params_read(params, GPRI_FROM_PRESET, path));
done:
    gpr_params_free(trial);
    return gpri_finish(status);
}
