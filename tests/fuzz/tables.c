/* Tables of nodes, edges and labels (members.h). The first two bytes choose among the options. */
#include "data/plan.h"
#include "members.h"
#include "text.h"
#include "use.h"

enum { CHOICES = 2, PARTS = 3 };

static const char plan_text[] =
    "{\"header\":true,\"weighted\":false,\"columns\":[{\"name\":\"id\",\"role\":\"id\",\"kind\":\"text\",\"distinct\":"
    "2,"
    "\"missing\":0,\"odd\":0,\"features\":0},{\"name\":\"x\",\"role\":\"feature\",\"kind\":\"number\",\"distinct\":2,"
    "\"missing\":1,\"odd\":0,\"features\":2,\"fill\":1.5,\"indicator\":true},{\"name\":\"city\",\"role\":\"feature\","
    "\"kind\":\"category\",\"distinct\":3,\"missing\":0,\"odd\":0,\"features\":3,\"other\":true,\"values\":[\"Oslo\","
    "\"Rome\"]},{\"name\":\"day\",\"role\":\"feature\",\"kind\":\"date\",\"distinct\":3,\"missing\":0,\"odd\":0,"
    "\"features\":7,\"fill\":9,\"times\":true,\"order\":2},{\"name\":\"label\",\"role\":\"label\",\"kind\":"
    "\"category\","
    "\"distinct\":2,\"missing\":0,\"odd\":0,\"features\":0}]}";

static void choose(gpr_open_options *options, const uint8_t *choice, const gpri_plan *plan) {
    static const char *const headers[] = {NULL, "yes", "no"}, *const columns[] = {NULL, "2", "3", "label"};
    static const char *const delimiters[] = {NULL, "comma", "tab", "semicolon", "space", "auto"};
    static const char *const weights[] = {NULL, "none", "3", "weight"}, *const ids[] = {NULL, "1", "2", "id"};
    static const char *const known[] = {"x", "city=Rome", "city=Oslo", "2"};
    options->labels = choice[0] & 16 ? links[2] : NULL;
    options->header = headers[choice[0] % 3];
    options->label = columns[choice[0] / 4 % 4];
    options->fill = choice[0] & 32 ? "1.5" : NULL;
    options->drop = choice[0] & 64 ? "2,3" : NULL;
    options->model_features = 4;
    options->model_names = choice[0] & 128 ? known : NULL;
    options->delimiter = delimiters[choice[1] % 6];
    options->weight = weights[choice[1] / 8 % 4];
    options->id = ids[choice[1] / 32 % 4];
    /* The same bytes choose these too, so that stored inputs keep their meaning otherwise. */
    static const char *const rules[] = {NULL, "sum", "first", "count"}, *const encodings[] = {NULL, "latin1", "utf-16"};
    options->duplicates = rules[(choice[0] ^ choice[1]) % 4];
    options->unknown = choice[0] % 5 == 1 ? "skip" : NULL;
    options->encoding = choice[1] % 7 < 3 ? encodings[choice[1] % 7] : NULL;
    if (choice[0] % 11 == 3) options->source = "2", options->target = "1";
    if (choice[0] % 7 == 2) options->relation = choice[1] & 8 ? "kind" : "3";
    options->default_features = choice[1] % 13 == 5 ? "spectral:1" : NULL;
    if (!(choice[1] & 128)) return;
    if (choice[0] & 128) options->plan = plan; /* of a model */
    options->max_values = 1;
    options->date = "2";
    options->numeric = choice[0] & 32 ? "3" : NULL;
    options->categorical = choice[0] & 32 ? NULL : "3";
    options->words = choice[0] & 64 ? "4" : NULL;
    options->fill = choice[0] & 32 ? "mean" : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char *const names[] = {"n.csv", "e.csv", "y.csv"};
    uint8_t choice[CHOICES] = {0};
    const size_t chosen = size < CHOICES ? size : CHOICES;
    gpr_ctx *ctx = fuzz_context();
    gpr_dataset *data;
    if (chosen) memcpy(choice, bytes, chosen);
    members_write(names, PARTS, bytes + chosen, size - chosen);
    gpr_open_options options = {.struct_size = sizeof options, .nodes = links[0], .edges = links[1]};
    gpri_plan *plan = NULL;
    if (choice[1] & 128 && gpri_plan_read(ctx, &plan, plan_text, "plan") != GPR_OK) abort();
    choose(&options, choice, plan);
    const gpr_status status = gpr_dataset_open_with(ctx, &data, &options);
    check_opened(status, data);
    if (data && use_dataset(ctx, data) == GPR_OK && gpr_dataset_class_name(data, 0) &&
        gpr_dataset_class_name(data, gpr_dataset_classes(data)))
        abort();
    for (int64_t j = 0; j < gpr_dataset_column_count(data); j++) {
        gpr_column_info info = {.struct_size = sizeof info};
        if (gpr_dataset_column(data, j, &info) != GPR_OK || !info.name || !info.done) abort();
    }
    gpri_plan_free(plan);
    gpr_dataset_free(data);
    fuzz_context_free(ctx);
    return 0;
}

static const dictionary words =
    DICTIONARY("id", "label", "node", "src", "dst", "weight", "x", "city", "Rome", "Oslo", "a", "b", "nan", "", "?",
               "day", "kind", "pay", "x y", "2024-01-31", "13/1/2024", "1.5", "0", "\"a b\"");
static const members_form form = {
    PARTS, CHOICES, {{mutate_text, &words}, {mutate_text, &words}, {mutate_text, &words}}};

FUZZ_MUTATOR(mutate_members, &form)
FUZZ_CROSSING(cross_members, &form)
