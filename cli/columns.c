/* Prints the plan of the columns. Names come from a header, which may hold anything. */
#include "columns.h"

#include <string.h>

#include "json_out.h"
#include "names.h"
#include "terminal.h"

enum { NARROWEST = 6, WIDEST = 24 };

static bool read_column(gpr_column_info *info, const gpr_dataset *data, int64_t number) {
    *info = (gpr_column_info){.struct_size = sizeof *info};
    return gpr_dataset_column(data, number, info) == GPR_OK;
}

/* "12", or "" where nobody counted. */
static const char *count_text(char text[24], int64_t count, const char *unknown) {
    if (count < 0) return unknown;
    snprintf(text, 24, "%lld", (long long)count);
    return text;
}

void print_columns(FILE *out, const gpr_dataset *data, int64_t most) {
    const int64_t count = gpr_dataset_column_count(data), shown = count < most ? count : most;
    gpr_column_info info;
    char values[24], missing[24];
    int width = NARROWEST;
    if (count == 0) return;
    for (int64_t j = 0; j < shown; j++)
        if (read_column(&info, data, j) && name_width(info.name) > width) width = name_width(info.name);
    if (width > WIDEST) width = WIDEST;
    fputs("columns   ", out);
    print_name(out, "column", -width, true);
    fputs("  role     kind      values  missing  what was done\n", out);
    for (int64_t j = 0; j < shown; j++) {
        if (!read_column(&info, data, j)) continue;
        const bool counts = strcmp(info.kind, "unknown") != 0;
        fputs("          ", out);
        print_name(out, info.name, -width, terminal_is_utf8());
        fprintf(out, "  %-7s  %-8s  %6s  %7s", info.role, counts ? info.kind : "",
                count_text(values, info.distinct, counts && info.features > 0 ? ">1000" : ""),
                count_text(missing, info.missing, ""));
        if (info.done[0]) fputs("  ", out);
        put_text(out, info.done);
        if (info.odd > 0) fprintf(out, "; %lld odd cell%s", (long long)info.odd, info.odd == 1 ? "" : "s");
        fputc('\n', out);
    }
    if (shown < count) fprintf(out, "          and %lld more (--json lists them all)\n", (long long)(count - shown));
}

static void emit_count(json_out *json, const char *key, int64_t count) {
    if (count < 0) emit_real(json, key, 0.0 / 0.0);
    else emit_integer(json, key, count);
}

void put_json_columns(FILE *out, const gpr_dataset *data) {
    const int64_t count = gpr_dataset_column_count(data);
    json_out json = {.out = out};
    gpr_column_info info;
    if (count == 0) {
        fputs("null", out);
        return;
    }
    fputs("[\n", out);
    for (int64_t j = 0; j < count; j++) {
        if (!read_column(&info, data, j)) continue;
        fputs(j ? ",\n    " : "    ", out);
        json.comma = false;
        emit_open(&json, NULL, '{');
        emit_text(&json, "name", "%s", info.name);
        emit_text(&json, "role", "%s", info.role);
        emit_text(&json, "kind", "%s", info.kind);
        emit_count(&json, "distinct", info.distinct);
        emit_count(&json, "missing", info.missing);
        emit_integer(&json, "odd", info.odd);
        emit_integer(&json, "features", info.features);
        emit_text(&json, "done", "%s", info.done);
        emit_close(&json, '}');
    }
    fputs("\n  ]", out);
}
