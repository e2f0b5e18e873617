/* report.html: all settings, the command that repeats the training, where the time went, and the machine. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "io/data_options.h"
#include "io/text/edge_kinds.h"
#include "report/run_page/run_page.h"
#include "tensor/device.h"

/* A word of a command line: in single quotes where the shell would change it. */
static void add_word(gpri_text *out, const char *word) {
    const char *safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+%@";
    if (*word && !word[strspn(word, safe)]) {
        gpri_text_add(out, "%s", word);
        return;
    }
    gpri_text_add(out, "'");
    for (; *word; word++) {
        if (*word == '\'') gpri_text_add(out, "'\\''");
        else gpri_text_add(out, "%c", *word);
    }
    gpri_text_add(out, "'");
}

/* A file without its folder; where it is a kind of edges, with the name of this: NAME=FILE. */
static void add_file(gpri_text *out, const char *given, bool edges) {
    gpri_text text = {.ctx = out->ctx};
    int64_t name = 0;
    const char *path = edges ? gpri_edge_path(given, &name) : given, *slash = strrchr(path, '/');
    gpri_text_add(&text, "%.*s%s%s", (int)name, given, name ? "=" : "", slash ? slash + 1 : path);
    if (text.bytes) add_word(out, text.bytes);
    if (gpri_text_status(&text) != GPR_OK) out->status = gpri_text_status(&text);
    gpri_text_free(&text);
}

/* How tables were opened; files without their folders, which are nobody else's. False: the data are no tables. */
static bool add_table_flags(gpri_text *out, const gpri_names *origin) {
    bool found = false;
    for (int64_t i = 0; i + 1 < origin->count; i += 2) found = found || strcmp(gpri_name(origin, i), "edges") == 0;
    for (int64_t i = 0; found && i + 1 < origin->count; i += 2) {
        const char *word = gpri_name(origin, i), *value = gpri_name(origin, i + 1);
        const size_t length = strcspn(word, "."); /* "edges.2" is the second of its kind */
        bool is_file = false;
        for (int k = 0; k < GPRI_DATA_ROWS; k++) {
            const gpri_data_row *row = gpri_data_row_at(k);
            if (strlen(row->word) == length && strncmp(word, row->word, length) == 0)
                is_file = row->value && strcmp(row->value, "FILE") == 0;
        }
        gpri_text_add(out, "%s--%.*s ", i ? " " : "", (int)length, word);
        if (is_file) add_file(out, value, strncmp(word, "edges", length) == 0);
        else add_word(out, value);
    }
    return found;
}

/* How a command names the data. Of a cSBM, phi and the sizes are known. */
static void add_data_name(gpri_text *out, const gpr_dataset *data, const char *name) {
    gpr_csbm_options usual;
    if (add_table_flags(out, &data->origin)) return;
    gpr_csbm_options_init(&usual, sizeof usual);
    if (isnan(data->phi)) {
        add_word(out, *name ? name : "DATA");
        return;
    }
    gpri_text_add(out, "csbm:phi=%g", data->phi);
    if (data->graph.nodes != usual.nodes) gpri_text_add(out, ",n=%lld", (long long)data->graph.nodes);
    if (data->features.cols != usual.features) gpri_text_add(out, ",f=%lld", (long long)data->features.cols);
}

/* Every option that has another value than its default. `threads` and `device` do not change results. */
static bool is_special(const gpr_params *params, gpri_param id) {
    if (gpri_param_is_way(id) || !gpri_params_applies(params, id)) return false;
    if (id == GPRI_PARAM_SPLIT && strcmp(gpr_params_source(params, "split"), "default") == 0)
        return false; /* what auto means for this data */
    return !gpri_params_is_default(params, id);
}

static void add_command(gpri_run_page *page) {
    gpri_document *doc = &page->doc;
    const gpr_params *params = page->result->params;
    gpri_text text = {.ctx = page->ctx};
    gpri_text_add(&text, "gprgnn train ");
    add_data_name(&text, page->data, page->result->dataset);
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) {
        if (!is_special(params, (gpri_param)i)) continue;
        gpri_text_add(&text, " --%s ", gpri_param_word((gpri_param)i));
        add_word(&text, gpri_params_text(params, (gpri_param)i));
    }
    json_t *code = gpri_document_block(doc, "code");
    gpri_document_put(doc, code, "title", json_string("Repeat this training"));
    gpri_document_put(doc, code, "text", text.bytes ? gpri_json_string(text.bytes) : NULL);
    gpri_document_put(doc, code, "caption",
                      json_string(isnan(page->data->phi)
                                      ? "The same version gives the same numbers, on any number of threads. Data that "
                                        "was read from files of your own is named by those files instead; check it by "
                                        "its fingerprint."
                                      : "The same version gives the same numbers, on any number of threads. Where the "
                                        "graph was drawn with other d, eps or seed than the usual ones, add them to "
                                        "its name; check it by its fingerprint."));
    if (gpri_text_status(&text) != GPR_OK) doc->good = false;
    gpri_text_free(&text);
}

static void add_settings(gpri_run_page *page) {
    gpri_document *doc = &page->doc;
    const gpr_params *params = page->result->params;
    json_t *table = gpri_document_block(doc, "table");
    gpri_document_put(doc, table, "title", json_string("All settings"));
    gpri_document_put(doc, table, "caption", json_string("Bold: not the default of this model."));
    gpri_document_column(doc, table, "Option", "word");
    gpri_document_column(doc, table, "Value", "text");
    gpri_document_column(doc, table, "Default", "text");
    gpri_document_column(doc, table, "Meaning", "long");
    json_t *rows = gpri_document_list(doc, table, "rows");
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) {
        const gpri_param id = (gpri_param)i;
        if (!gpri_params_applies(params, id)) continue;
        gpri_document_add(doc, rows, json_array());
        json_t *row = json_array_get(rows, json_array_size(rows) - 1);
        gpri_document_add(doc, row, gpri_json_string(gpri_param_word(id)));
        json_t *value = gpri_document_object(doc, row);
        gpri_document_put(doc, value, "text", gpri_json_string(gpri_params_text(params, id)));
        gpri_document_put(doc, value, "strong", json_boolean(is_special(params, id)));
        const char *usual = gpr_param_default(i, gpri_params_text(params, GPRI_PARAM_MODEL));
        gpri_document_add(doc, row, gpri_json_string(usual ? usual : ""));
        gpri_document_add(doc, row, gpri_json_string(gpri_param_row_of(id)->help));
    }
}

/* ---- time and machine ---- */

static json_t *seconds(double value) {
    if (value < 1) return gpri_json_format("%.0f ms", value * 1e3);
    if (value < 120) return gpri_json_format("%.2f s", value);
    return gpri_json_format("%.1f min", value / 60);
}

static void add_times(gpri_run_page *page) {
    gpri_document *doc = &page->doc;
    const gpr_result *result = page->result;
    double epochs = 0, runs = 0;
    for (int64_t r = 0; r < result->count; r++) {
        epochs += (double)result->runs[r].info.epochs;
        runs += result->runs[r].info.seconds;
    }
    json_t *facts = gpri_document_block(doc, "facts");
    gpri_document_put(doc, facts, "title", json_string("Where the time went"));
    gpri_document_fact(doc, facts, "Whole training", seconds(result->seconds), "after the data was read");
    if (result->relates)
        gpri_document_fact(doc, facts, "Embedding", seconds(result->found.seconds), "of the latent space, once");
    if (result->count == 1 && result->seconds > runs) {
        const bool more = result->choice.count > 0 || result->refit_nodes > 0;
        gpri_document_fact(doc, facts, more ? "The rest" : "Preparing", seconds(result->seconds - runs),
                           more ? "other candidates, refit, features, graph and split" : "features, graph and split");
    }
    gpri_document_fact(doc, facts, result->count > 1 ? "Mean run" : "Epochs",
                       seconds(result->count ? runs / (double)result->count : 0),
                       result->count > 1 ? "several run at once, one per thread" : "steps and evaluations");
    gpri_document_fact(doc, facts, "One epoch",
                       gpri_json_format("%.3g ms", gpri_result_mean(result, GPRI_FIELD_MS_PER_EPOCH).mean),
                       "step and evaluation, mean");
    gpri_document_fact(doc, facts, "All epochs", gpri_json_count((int64_t)epochs), NULL);
    gpri_document_fact(doc, facts, "Peak memory", gpri_json_format("%.1f MB", (double)gpr_peak_memory() / 1e6),
                       "of the whole program");
}

/* The CPU's name as Linux tells it; "" if it is not known. */
static void find_cpu(char *name, size_t size) {
    char line[256];
    FILE *info = fopen("/proc/cpuinfo", "re");
    *name = 0;
    while (info && !*name && fgets(line, sizeof line, info)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        snprintf(name, size, "%s", colon + 1 + strspn(colon + 1, " "));
        name[strcspn(name, "\n")] = 0;
    }
    if (info) fclose(info);
}

static void add_machine(gpri_run_page *page) {
    gpri_document *doc = &page->doc;
    struct utsname machine;
    char cpu[128];
    json_t *facts = gpri_document_block(doc, "facts");
    find_cpu(cpu, sizeof cpu);
    gpri_document_put(doc, facts, "title", json_string("Machine and version"));
    gpri_document_fact(doc, facts, "gprgnn", json_string(gpr_version()), "version");
    gpri_document_fact(doc, facts, "Threads", gpri_json_count(page->result->threads), NULL);
    gpri_document_fact(doc, facts, "Kernels", gpri_json_string(page->ctx->job.device->ops->name),
                       "instructions of the CPU that were used");
    if (*cpu) gpri_document_fact(doc, facts, "CPU", gpri_json_string(cpu), NULL);
    if (uname(&machine) == 0)
        gpri_document_fact(doc, facts, "System", gpri_json_format("%.60s %.60s", machine.sysname, machine.machine),
                           NULL);
}

void gpri_run_page_settings(gpri_run_page *page) {
    gpri_document_section(&page->doc, "settings", "Settings", "Everything that is needed to get these numbers again.");
    add_command(page);
    add_settings(page);
    add_times(page);
    add_machine(page);
}
