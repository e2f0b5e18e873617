/* Pages and figures as files, and the data of a page read back. */
#include "report/page/page.h"

#include <string.h>
#include <zlib.h>

#include "file/file.h"
#include "file/path.h"
#include "report/page/figure.h"

#define DATA_BEGIN "<script type=\"application/json\" id=\"data\">"
#define DATA_END "</script>"

enum { LARGEST_PAGE = 1 << 28, LONGEST_ID = 64 };

/* ---- Writing ---- */

/* As JSON in which no HTML can begin or end: < > & become \u003c and so on. gpri_json_write does the same for U+2028.
 */
static gpr_status add_data(gpri_text *out, gpr_ctx *ctx, json_t *document) {
    gpri_text json = {.ctx = ctx};
    gpr_status status = GPR_OK;
    TRY(gpri_json_write(&json, json_incref(document), JSON_COMPACT | JSON_REAL_PRECISION(9)));
    for (const char *at = json.bytes, *end; *at; at = end) {
        end = at + strcspn(at, "<>&");
        gpri_text_add(out, "%.*s", (int)(end - at), at);
        if (*end) gpri_text_add(out, "\\u%04x", (unsigned)*end++);
    }
    status = gpri_text_status(out);
done:
    gpri_text_free(&json);
    return status;
}

/* Ids become names of files, and of places in the page. */
static bool is_id(const char *id) {
    const size_t length = strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-_.");
    return length > 0 && length <= LONGEST_ID && !id[length] && id[0] != '.';
}

/* The figures of a document, one after the other: NULL after the last one. */
typedef struct {
    const json_t *sections;
    size_t section, block;
} figure_walk;

static const json_t *next_figure(figure_walk *walk) {
    for (; walk->section < json_array_size(walk->sections); walk->section++, walk->block = 0) {
        const json_t *blocks = json_object_get(json_array_get(walk->sections, walk->section), "blocks");
        while (walk->block < json_array_size(blocks)) {
            const json_t *block = json_array_get(blocks, walk->block++);
            if (strcmp(gpri_figure_text(block, "type"), "figure") == 0) return json_object_get(block, "figure");
        }
    }
    return NULL;
}

/* Of all figures of a document: an id is right, and no other figure has it. */
static gpr_status check_figures(const json_t *document) {
    gpr_status status = GPR_OK;
    figure_walk walk = {.sections = json_object_get(document, "sections")};
    json_t *seen = json_object(); /* a member for each id */
    if (!seen) THROW(GPR_ERROR_MEMORY, "out of memory: JSON");
    for (const json_t *figure; (figure = next_figure(&walk));) {
        const char *id = gpri_figure_text(figure, "id");
        if (!is_id(id))
            THROW(GPR_ERROR_ARGUMENT,
                  "the id of a figure is '%s': it must have 1 to %d of a-z, 0-9, - _ . and not begin with .", id,
                  LONGEST_ID);
        if (json_object_get(seen, id)) THROW(GPR_ERROR_ARGUMENT, "two figures have the id '%s'", id);
        if (json_object_set_new(seen, id, json_true()) != 0) THROW(GPR_ERROR_MEMORY, "out of memory: JSON");
    }
done:
    json_decref(seen);
    return status;
}

/* One <template> per figure: the page shows it where it has no chart, prints it, and offers it as a file. */
static gpr_status add_figures(gpri_text *out, const json_t *document) {
    figure_walk walk = {.sections = json_object_get(document, "sections")};
    for (const json_t *figure; (figure = next_figure(&walk));) {
        gpri_text_add(out, "<template id=\"svg-%s\">", gpri_figure_text(figure, "id"));
        NEED(gpri_figure_svg(out, figure));
        gpri_text_add(out, "</template>\n");
    }
    return gpri_text_status(out);
}

/* The page without its data, with a NUL at its end; free it with gpri_free. */
static gpr_status inflate_page(gpr_ctx *ctx, char **out) {
    gpr_status status = gpri_alloc(ctx, out, (int64_t)gpri_page_length + 1, 1, "page");
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)gpri_page_gzip, .avail_in = (uInt)gpri_page_gzip_size};
    if (status != GPR_OK) return status;
    stream.next_out = (Bytef *)*out;
    stream.avail_out = (uInt)gpri_page_length;
    const bool began = inflateInit2(&stream, 15 + 16) == Z_OK; /* gzip */
    const bool good = began && inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
    if (began) inflateEnd(&stream);
    (*out)[gpri_page_length] = 0;
    if (good) return GPR_OK;
    gpri_free(ctx, *out);
    *out = NULL;
    return gpri_fail(GPR_ERROR_MEMORY, "out of memory: page");
}

/* Everything up to `mark`, which is left out. */
static const char *add_until(gpri_text *out, const char *page, const char *mark) {
    const char *at = strstr(page, mark);
    if (!at) return page; /* the page of this library has all marks: tests/unit/test_page.c */
    gpri_text_add(out, "%.*s", (int)(at - page), page);
    return at + strlen(mark);
}

gpr_status gpri_page_write(gpr_ctx *ctx, const char *path, const char *kind, json_t *document) {
    gpr_status status = GPR_OK;
    gpri_text text = {.ctx = ctx};
    char *page = NULL;
    if (strcmp(kind, "run") != 0 && strcmp(kind, "paper") != 0)
        THROW(GPR_ERROR_ARGUMENT, "there is no kind of page '%s': it must be run or paper", kind);
    if (!json_is_array(json_object_get(document, "sections")))
        THROW(GPR_ERROR_ARGUMENT, "the document of a page needs a list `sections`");
    TRY(check_figures(document));
    if (json_object_set_new(document, "kind", json_string(kind)) != 0) THROW(GPR_ERROR_MEMORY, "out of memory: JSON");
    TRY(inflate_page(ctx, &page));
    const char *rest = add_until(&text, page, "<!-- title -->");
    gpri_markup_text(&text, gpri_figure_text(document, "title"), 0);
    rest = add_until(&text, rest, "<!-- data -->");
    gpri_text_add(&text, DATA_BEGIN);
    TRY(add_data(&text, ctx, document));
    gpri_text_add(&text, DATA_END "\n");
    TRY(add_figures(&text, document));
    gpri_text_add(&text, "%s", rest);
    TRY(gpri_text_status(&text));
    TRY(gpri_write_whole(path, text.bytes, (size_t)text.size));
done:
    gpri_free(ctx, page);
    gpri_text_free(&text);
    return status;
}

/* ---- The public functions ---- */

static gpr_status parse(json_t **out, const char *json) {
    json_error_t error;
    *out = json_loads(json, 0, &error);
    if (*out && json_is_object(*out)) return GPR_OK;
    json_decref(*out);
    *out = NULL;
    return gpri_fail(GPR_ERROR_ARGUMENT, "the JSON is not right: line %d: %s", error.line,
                     *error.text ? error.text : "it must be an object");
}

gpr_status gpr_page_save(gpr_ctx *ctx, const char *path, const char *kind, const char *json) {
    gpr_status status = GPR_OK;
    json_t *document = NULL;
    if (!ctx || !path || !kind || !json) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_page_save: a NULL argument");
    TRY(parse(&document, json));
    TRY(gpri_page_write(ctx, path, kind, document));
done:
    json_decref(document);
    return gpri_finish(status);
}

static gpr_status save_figure(gpr_ctx *ctx, const char *path, const json_t *figure) {
    gpr_status status = GPR_OK;
    gpri_text svg = {.ctx = ctx};
    gpri_text_add(&svg, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    TRY(gpri_figure_svg(&svg, figure));
    TRY(gpri_write_whole(path, svg.bytes, (size_t)svg.size));
done:
    gpri_text_free(&svg);
    return status;
}

gpr_status gpr_figure_save(gpr_ctx *ctx, const char *path, const char *json) {
    gpr_status status = GPR_OK;
    json_t *figure = NULL;
    if (!ctx || !path || !json) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_figure_save: a NULL argument");
    TRY(parse(&figure, json));
    TRY(save_figure(ctx, path, figure));
done:
    json_decref(figure);
    return gpri_finish(status);
}

gpr_status gpr_page_figures_save(gpr_ctx *ctx, const char *dir, const char *json, int64_t *count) {
    gpr_status status = GPR_OK;
    json_t *document = NULL;
    gpri_text path = {.ctx = ctx};
    if (count) *count = 0;
    if (!ctx || !dir || !json) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_page_figures_save: a NULL argument");
    TRY(parse(&document, json));
    TRY(check_figures(document));
    TRY(gpri_make_folders(dir, NULL));
    figure_walk walk = {.sections = json_object_get(document, "sections")};
    for (const json_t *figure; (figure = next_figure(&walk));) {
        gpri_text_free(&path);
        gpri_text_add(&path, "%s/%s.svg", dir, gpri_figure_text(figure, "id"));
        TRY(gpri_text_status(&path));
        TRY(save_figure(ctx, path.bytes, figure));
        if (count) ++*count;
    }
done:
    gpri_text_free(&path);
    json_decref(document);
    return gpri_finish(status);
}

gpr_status gpr_page_load(gpr_ctx *ctx, char **json, const char *path) {
    gpr_status status = GPR_OK;
    char *page = NULL;
    int64_t size;
    json_error_t error;
    json_t *document = NULL;
    if (json) *json = NULL;
    if (!ctx || !json || !path) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_page_load: a NULL argument");
    TRY(gpri_read_whole(ctx, &page, &size, path, LARGEST_PAGE));
    char *begin = strstr(page, DATA_BEGIN), *end = begin ? strstr(begin, DATA_END) : NULL;
    if (!end) THROW(GPR_ERROR_FORMAT, "%s is no page of gprgnn: it has no data in it", path);
    begin += strlen(DATA_BEGIN);
    *end = 0;
    document = json_loads(begin, 0, &error);
    if (!json_is_object(document)) THROW(GPR_ERROR_FORMAT, "%s: its data is damaged", path);
    memmove(page, begin, (size_t)(end - begin) + 1);
    *json = page;
    page = NULL;
done:
    json_decref(document);
    gpri_free(ctx, page);
    return gpri_finish(status);
}
