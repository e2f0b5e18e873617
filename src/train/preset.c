/* The preset "paper": settings for each dataset of the paper, from its authors' program for the real graphs; for the
 * cSBM chosen on validation accuracy within the paper's grid (K 10, 64 hidden, dropout .5; lr, weight decay, gamma,
 * dprate). */
#include <math.h>
#include <string.h>

#include "base/params.h"
#include "data/dataset.h"

typedef struct {
    const char *dataset; /* name, or "csbm" */
    double phi;          /* of a cSBM: the nearest row is taken */
    const char *split, *lr, *decay, *init, *alpha, *dprate;
} preset_row;

static const preset_row paper[] = {
#include "train/preset_paper.def"
};
enum { PAPER_ROWS = sizeof paper / sizeof paper[0] };

/* Of Geom-GCN its own authors' settings: hidden units of a division, weight decay; lr and dropout are the defaults. */
static const struct {
    const char *dataset, *hidden, *decay;
} geomgcn[] = {
    {"cora", "16", "0.000005"},      {"citeseer", "16", "0.000005"}, {"pubmed", "64", "0.000005"},
    {"chameleon", "48", "0.000005"}, {"actor", "32", "0.000005"},    {"squirrel", "48", "0.000005"},
    {"texas", "32", "0.00005"},      {"cornell", "32", "0.00005"},
};

static gpr_status set_geomgcn(gpr_params *params, const gpr_dataset *data, bool *known) {
    gpr_status status = GPR_OK;
    *known = false;
    for (size_t i = 0; i < sizeof geomgcn / sizeof *geomgcn && !*known; i++) {
        if (strcmp(geomgcn[i].dataset, data->name) != 0 || !isnan(data->phi)) continue;
        *known = true;
        TRY(gpri_params_set_from(params, GPRI_FROM_PRESET, "hidden", geomgcn[i].hidden));
        TRY(gpri_params_set_from(params, GPRI_FROM_PRESET, "weight-decay", geomgcn[i].decay));
    }
done:
    return status;
}

/* Real graphs by name, whatever the split; a cSBM by split and the nearest phi. */
static const preset_row *find(const gpr_params *params, const gpr_dataset *data) {
    const preset_row *best = NULL;
    bool csbm = !isnan(data->phi);
    for (int i = 0; i < PAPER_ROWS; i++) {
        const preset_row *row = &paper[i];
        if (!csbm && strcmp(row->dataset, data->name) == 0) return row;
        if (!csbm || strcmp(row->dataset, "csbm") != 0) continue;
        if (strcmp(row->split, gpri_params_text(params, GPRI_PARAM_SPLIT)) != 0) continue;
        if (!best || fabs(row->phi - data->phi) < fabs(best->phi - data->phi)) best = row;
    }
    return best;
}

gpr_status gpr_params_preset(gpr_params *params, const char *preset, const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    if (!params || !preset || !data) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_params_preset: a NULL argument");
    if (strcmp(preset, "paper") != 0)
        THROW(GPR_ERROR_ARGUMENT, "preset '%s' is not known: the one there is is 'paper'", preset);
    const char *model = gpri_params_text(params, GPRI_PARAM_MODEL);
    const preset_row *row = find(params, data);
    if (!row && !isnan(data->phi))
        THROW(GPR_ERROR_ARGUMENT, "preset 'paper' knows a cSBM with split 'sparse' or 'dense', not with '%s'",
              gpri_params_text(params, GPRI_PARAM_SPLIT));
    if (!row)
        THROW(GPR_ERROR_ARGUMENT,
              "preset 'paper' has no settings for '%s': it knows cora, citeseer, pubmed, computers, photo, chameleon, "
              "actor, "
              "squirrel, texas, cornell and csbm",
              data->name);
    TRY(gpri_params_set_from(params, GPRI_FROM_PRESET, "split", row->split));
    if (strcmp(model, "geomgcn") == 0) {
        bool known;
        TRY(set_geomgcn(params, data, &known));
        if (known) goto done;
    }
    if (gpri_params_choice(params, GPRI_PARAM_MODEL) != 0) { /* the first is gprgnn */
        gpri_log(data->ctx, GPR_LOG_WARNING,
                 "preset 'paper' has settings for gprgnn: %s gets its split (%s), and its defaults for the rest", model,
                 row->split);
        return GPR_OK;
    }
    TRY(gpri_params_set_from(params, GPRI_FROM_PRESET, "lr", row->lr));
    TRY(gpri_params_set_from(params, GPRI_FROM_PRESET, "weight-decay", row->decay));
    TRY(gpri_params_set_from(params, GPRI_FROM_PRESET, "init", row->init));
    TRY(gpri_params_set_from(params, GPRI_FROM_PRESET, "alpha", row->alpha));
    TRY(gpri_params_set_from(params, GPRI_FROM_PRESET, "dprate", row->dprate));
done:
    return status;
}
