/* The preset "paper": settings for each dataset of the paper. Those for real graphs are from its authors' program;
 * those for the cSBM were chosen by validation accuracy on the paper's grid (K 10, 64 hidden, dropout .5; lr, weight
 * decay, gamma, dprate). */
#include <math.h>
#include <string.h>

#include "base/params.h"
#include "data/dataset.h"

enum { MOST_SETTINGS = 5 };

typedef struct {
    const char *model, *dataset; /* a name, or "csbm" */
    double phi;                  /* of a cSBM: the nearest row is taken */
    const char *split;
    const char *settings[MOST_SETTINGS][2]; /* word and value; NULL after the last */
} preset_row;

#define GPRGNN(dataset, phi, split, lr, decay, init, alpha, dprate) \
    {"gprgnn",                                                      \
     dataset,                                                       \
     phi,                                                           \
     split,                                                         \
     {{"lr", lr}, {"weight-decay", decay}, {"init", init}, {"alpha", alpha}, {"dprate", dprate}}},
#define GEOMGCN(dataset, split, hidden, decay) \
    {"geomgcn", dataset, 0, split, {{"hidden", hidden}, {"weight-decay", decay}}},

static const preset_row paper[] = {
#include "train/preset_paper.def"
};
enum { PAPER_ROWS = sizeof paper / sizeof paper[0] };

/* Real graphs by name, for any split; a cSBM by split and the nearest phi. */
static const preset_row *find(const char *model, const gpr_params *params, const gpr_dataset *data) {
    const preset_row *best = NULL;
    bool csbm = !isnan(data->phi);
    for (int i = 0; i < PAPER_ROWS; i++) {
        const preset_row *row = &paper[i];
        if (strcmp(row->model, model) != 0) continue;
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
        THROW(GPR_ERROR_ARGUMENT, "preset '%s' is not known: the only preset is 'paper'", preset);
    const char *model = gpri_params_text(params, GPRI_PARAM_MODEL);
    const preset_row *own = find(model, params, data), *row = own ? own : find("gprgnn", params, data);
    if (!row && !isnan(data->phi))
        THROW(GPR_ERROR_ARGUMENT, "preset 'paper' knows a cSBM with split 'sparse' or 'dense', not with '%s'",
              gpri_params_text(params, GPRI_PARAM_SPLIT));
    if (!row)
        THROW(GPR_ERROR_ARGUMENT,
              "preset 'paper' has no settings for '%s': it knows cora, citeseer, pubmed, computers, photo, chameleon, "
              "actor, squirrel, texas, cornell and csbm",
              data->name);
    TRY(gpri_params_set_from(params, GPRI_FROM_PRESET, "split", row->split));
    if (!own)
        gpri_log(gpri_params_ctx(params), GPR_LOG_WARNING,
                 "preset 'paper' has settings for gprgnn only: %s gets its split (%s) and keeps its own defaults",
                 model, row->split);
    for (int i = 0; own && i < MOST_SETTINGS && own->settings[i][0]; i++)
        TRY(gpri_params_set_from(params, GPRI_FROM_PRESET, own->settings[i][0], own->settings[i][1]));
done:
    return gpri_finish(status);
}
