/* report.html: all settings, the command that repeats the training, where the time went, and the machine. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

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

/* How a command names the data. Of a cSBM, phi and the sizes are known. */
static void add_data_name(gpri_text *out, const gpr_dataset *data, const char *name) {
    gpr_csbm_options usual;
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
static bool is_special(const gpr_params *params, int option, const gpr_param_info *info) {
    const char *model = gpri_params_text(params, GPRI_PARAM_MODEL);
    const char *usual = gpr_param_default(option, model);
    if (gpri_param_is_way((gpri_param)option) || !gpri_params_applies(params, (gpri_param)option)) return false;
    if (option == GPRI_PARAM_SPLIT && strcmp(gpr_params_source(params, "split"), "default") == 0)
        return false; /* what auto means for this data */
    return !usual || strcmp(usual, gpr_params_get(params, info->name)) != 0;
}

static void add_command(gpri_run_page *page) {
    gpri_document *doc = &page->doc;
    const gpr_params *params = page->result->params;
    gpri_text text = {.ctx = page->ctx};
    gpri_text_add(&text, "gprgnn train ");
    add_data_name(&text, page->data, page->result->dataset);
    for (int i = 0; i < GPRI_PARAM_COUNT; i++) {
        gpr_param_info info = {.struct_size = sizeof info};
        if (gpr_param_describe(i, &info) != GPR_OK || !is_special(params, i, &info)) continue;
        gpri_text_add(&text, " --%s ", info.name);
        add_word(&text, gpr_params_get(params, info.name));
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
        gpr_param_info info = {.struct_size = sizeof info};
        if (gpr_param_describe(i, &info) != GPR_OK || !gpri_params_applies(params, (gpri_param)i)) continue;
        gpri_document_add(doc, rows, json_array());
        json_t *row = json_array_get(rows, json_array_size(rows) - 1);
        gpri_document_add(doc, row, gpri_json_string(info.name));
        json_t *value = gpri_document_object(doc, row);
        gpri_document_put(doc, value, "text", gpri_json_string(gpr_params_get(params, info.name)));
        gpri_document_put(doc, value, "strong", json_boolean(is_special(params, i, &info)));
        const char *usual = gpr_param_default(i, gpri_params_text(params, GPRI_PARAM_MODEL));
        gpri_document_add(doc, row, gpri_json_string(usual ? usual : ""));
        gpri_document_add(doc, row, gpri_json_string(info.help));
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
    if (result->count == 1 && result->seconds > runs)
        gpri_document_fact(doc, facts, "Preparing", seconds(result->seconds - runs), "features, graph and split");
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
    gpri_document_fact(doc, facts, "Kernels", gpri_json_string(page->ctx->device->ops->name),
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
