/* gprgnn explain: why a node got its class, and which columns of the features matter. */
#include "explain.h"

#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "data_flags.h"
#include "seeds.h"
#include "signals.h"

static const cli_flag flags[] = {
    {"node", 'n', "ID", "explain this node: its id, or its number; several with commas, or give the flag again"},
    {"class", 0, "NAME", "explain the score of this class; default: of the predicted one"},
    {"importance", 0, NULL, "measure which columns matter, on the test nodes: for every model"},
    {"top", 0, "N",
     "how many nodes and columns to list, default 10; with --importance: how many columns to try, default 50"},
    {"repeats", 0, "N", "how often --importance shuffles a column; default 5"},
    {"seed", 0, "N", "of --importance; default 0"},
    {"json", 0, "FILE", "write everything as JSON; - is standard output, instead of the text"},
    {"cpu", 0, "NAME=auto|ref|base|avx2|avx512", "kernels: auto, ref, base, avx2, avx512; default auto"},
    {"quiet", 'q', NULL, "print warnings only on standard error, and no text if there is --json"},
    {"verbose", 'v', NULL, "print more messages on standard error"},
    {0},
};

/* The handles of one call. */
typedef struct explaining {
    gpr_model *model;
    gpr_dataset *data;
    gpr_split *split; /* NULL: none is known */
    cli_seeds seeds;
    int64_t top, repeats, seed;
    gpr_explanation *explanation;
    gpr_importance *importance;
    bool is_run;
} explaining;

/* ---- Model and data ----------------------------------------------------------------------------------- */

static int find_data(const cli_arguments *args, cli_session *session, explaining *e) {
    gpr_status status = GPR_OK;
    int code = EXIT_OK;
    if (args->operands[1] || flag_given(args, "edges"))
        code = open_data(&e->data, session, args, args->operands[1], e->model);
    else if (e->is_run) status = gpr_run_folder_data(session->ctx, &e->data, e->model, flag_value(args, "data-dir"));
    if (code != EXIT_OK) return code;
    if (status < 0) return failed_with(args, status);
    if (!e->data) return wrong_call("explain", "name the data too: gprgnn explain %s DATA", args->operands[0]);
    status = gpr_model_split(session->ctx, &e->split, e->model, e->data, e->is_run ? args->operands[0] : NULL);
    return status < 0 ? failed_with(args, status) : EXIT_OK;
}

/* The class that --class names. */
static int find_class(const cli_arguments *args, const explaining *e, int64_t *out) {
    const char *wanted = flag_value(args, "class"), *near = NULL;
    const int64_t count = gpr_model_classes(e->model);
    char number[24];
    *out = -1;
    for (int64_t c = 0; wanted && c < count; c++) {
        const char *name = gpr_model_class_name(e->model, c);
        snprintf(number, sizeof number, "%lld", (long long)c);
        if (strcmp(name ? name : number, wanted) == 0) *out = c;
    }
    if (!wanted || *out >= 0) return EXIT_OK;
    if (!gpr_model_class_name(e->model, 0))
        return wrong_call("explain", "class is '%s': the classes are the numbers 0 to %lld", wanted,
                          (long long)count - 1);
    const char **names = calloc((size_t)count, sizeof *names);
    for (int64_t c = 0; names && c < count; c++) names[c] = gpr_model_class_name(e->model, c);
    if (names) near = gpr_nearest_word(wanted, names, (int)count);
    free(names);
    if (near) return wrong_call("explain", "the model has no class '%s': did you mean '%s'?", wanted, near);
    return wrong_call("explain", "the model has no class '%s'; its first class is '%s'", wanted,
                      gpr_model_class_name(e->model, 0));
}

/* ---- The work ----------------------------------------------------------------------------------------- */

static int explain_nodes(const cli_arguments *args, const cli_session *session, explaining *e) {
    gpr_explain_options options = {.struct_size = sizeof options, .top = e->top};
    int code = find_class(args, e, &options.class_id);
    if (code == EXIT_OK) code = read_seeds(&e->seeds, args, session->ctx, e->data);
    if (code != EXIT_OK) return code;
    const gpr_status status =
        gpr_explanation_new(session->ctx, &e->explanation, e->model, e->data, e->seeds.nodes, e->seeds.count, &options);
    return status < 0 ? failed_with(args, status) : EXIT_OK;
}

static int on_progress(void *user, int64_t done, int64_t passes) {
    cli_session *session = user;
    char tail[64];
    snprintf(tail, sizeof tail, " %lld of %lld passes", (long long)done, (long long)passes);
    show_share(&session->bar, "", (double)done / (double)passes, tail);
    return interrupted();
}

static int measure_columns(const cli_arguments *args, cli_session *session, explaining *e) {
    const gpr_importance_options options = {.struct_size = sizeof options,
                                            .most = e->top,
                                            .repeats = e->repeats,
                                            .seed = (uint64_t)e->seed,
                                            .progress = on_progress,
                                            .user = session};
    if (gpr_model_refit_nodes(e->model) > 0 && !session->quiet && strcmp(gpr_model_task(e->model), "classes") == 0)
        fprintf(stderr,
                "gprgnn: the model was trained once more on all %lld labelled nodes, the test nodes among them "
                "(--refit): the losses of accuracy below are not those of new nodes\n",
                (long long)gpr_model_refit_nodes(e->model));
    catch_interrupts();
    start_share(&session->bar, 0);
    const gpr_status status = gpr_importance_new(session->ctx, &e->importance, e->model, e->data, e->split, &options);
    wipe_progress(&session->bar);
    if (status == GPR_ERROR_STOPPED) return failed("interrupted before the first column was finished");
    if (status == GPR_STOPPED) fputs("gprgnn: interrupted: only the columns that were finished are shown\n", stderr);
    return status < 0 ? failed_with(args, status) : EXIT_OK;
}

static int write_json(const cli_session *session, const explaining *e, const char *path, const cli_arguments *args) {
    const char *json;
    const gpr_status status = e->importance ? gpr_importance_json(session->ctx, e->importance, &json)
                                            : gpr_explanation_json(session->ctx, e->explanation, &json);
    return status < 0 ? failed_with(args, status) : write_target(path, json);
}

static int read_call(const cli_arguments *args, explaining *e) {
    const bool nodes = flag_given(args, "node"), importance = flag_given(args, "importance");
    const char *json = flag_value(args, "json");
    int code = read_integer(args, "top", &e->top);
    if (code == EXIT_OK) code = read_integer(args, "repeats", &e->repeats);
    if (code == EXIT_OK) code = read_integer(args, "seed", &e->seed);
    if (code != EXIT_OK) return code;
    if (nodes == importance) return wrong_call("explain", "give either --node ID or --importance");
    if (flag_given(args, "top") && e->top < 1)
        return wrong_call("explain", "top is %lld: it must be 1 or more", (long long)e->top);
    if (flag_given(args, "repeats") && e->repeats < 1)
        return wrong_call("explain", "repeats is %lld: it must be 1 or more", (long long)e->repeats);
    if (e->seed < 0) return wrong_call("explain", "seed is %lld: it must not be negative", (long long)e->seed);
    if (nodes && (flag_given(args, "repeats") || flag_given(args, "seed")))
        return wrong_call("explain", "--repeats and --seed belong to --importance");
    if (importance && flag_given(args, "class")) return wrong_call("explain", "--class belongs to --node");
    return json ? check_target(json) : EXIT_OK;
}

static int run(const cli_arguments *args) {
    const char *json = flag_value(args, "json");
    explaining e = {.model = NULL};
    cli_session session;
    int code = read_call(args, &e);
    if (code == EXIT_OK) code = open_session(&session, args, NULL);
    if (code != EXIT_OK) return code;
    code = open_model(args, &session, &e.model, &e.is_run);
    if (code == EXIT_OK) code = find_data(args, &session, &e);
    if (code == EXIT_OK)
        code = flag_given(args, "node") ? explain_nodes(args, &session, &e) : measure_columns(args, &session, &e);
    if (code == EXIT_OK && !(json && (session.quiet || is_stdout(json)))) {
        if (e.importance) print_importance(stdout, e.importance);
        else print_explanation(stdout, e.explanation, e.seeds.count, e.model);
    }
    if (code == EXIT_OK && json) code = write_json(&session, &e, json, args);
    gpr_explanation_free(e.explanation);
    gpr_importance_free(e.importance);
    free_seeds(&e.seeds);
    gpr_split_free(e.split);
    gpr_dataset_free(e.data);
    gpr_model_free(e.model);
    close_session(&session);
    return code;
}

const cli_command explain_command = {
    .name = "explain",
    .operands = "MODEL|RUN [DATA]",
    .operand_count = 2,
    .optional_operands = 1,
    .about = "why a node got its class: hops, other nodes, its own columns; which columns matter",
    .details = "With --node, shows what the lead of a node's class over the next one is made of: an\n"
               "exact sum over hops and over nodes, for gprgnn, appnp and sgc; for gprdeep gradients of\n"
               "its hops; and the columns of the node itself by gradient times input. For trees, exact\n"
               "shares of their columns (SHAP). With\n"
               "--importance, shows how much accuracy is lost and log-loss gained if a column is\n"
               "shuffled among the nodes, for every model, on the test nodes of a run folder, else on\n"
               "all labelled nodes. The data is DATA, or for a run folder the public dataset it was\n"
               "trained on, if that is here.\n"
               "\n"
               "  gprgnn explain run cora --node 5\n"
               "  gprgnn explain run cora --node 5 --class 3 --json why.json\n"
               "  gprgnn explain run --edges e.csv --nodes n.csv --label y --importance",
    .params = " threads ",
    .flags = flags,
    .takes_data = true,
    .run = run,
};
