/* Pages: one HTML file with everything in it. Its JSON says what to show (docs/report.md). */
#ifndef GPRI_PAGE_H
#define GPRI_PAGE_H

#include "base/json.h"

/* The page without its data, compressed with gzip: made from src/report/page/ when the library is built. */
extern const unsigned char gpri_page_gzip[];
extern const size_t gpri_page_gzip_size, gpri_page_length;

/* Writes the page with this document, whole or not at all. kind: "run" or "paper". */
gpr_status gpri_page_write(gpr_ctx *ctx, const char *path, const char *kind, json_t *document) GPRI_MUST_CHECK;

/* A document that grows: sections, and blocks in them. A member that jansson cannot store (no memory) clears `good`,
   which is checked once at the end; all functions accept the NULL that follows. Free it with json_decref(tree). */
typedef struct gpri_document {
    json_t *tree;
    json_t *sections, *blocks; /* of tree; of the present section */
    bool good;
} gpri_document;

void gpri_document_begin(gpri_document *doc, const char *title, const char *subtitle);
void gpri_document_section(gpri_document *doc, const char *id, const char *title, const char *text);
/* The present section has this name in the navigation, where its title is too long. */
void gpri_document_short(gpri_document *doc, const char *name);
/* An object of this type at the end of the present section. It belongs to the document. */
json_t *gpri_document_block(gpri_document *doc, const char *type);
/* A block with a figure: the figure. */
json_t *gpri_document_figure(gpri_document *doc, const char *id, const char *type, const char *title,
                             const char *caption);
/* The present section's last block takes half of the width, where the screen is wide. */
void gpri_document_half(gpri_document *doc);
void gpri_document_axis(gpri_document *doc, json_t *figure, const char *axis, const char *label);
/* A new series of the figure, with an empty list `values`. */
json_t *gpri_document_series(gpri_document *doc, json_t *figure, const char *name, const char *style);

/* Members and elements; `value` is taken. */
void gpri_document_put(gpri_document *doc, json_t *object, const char *key, json_t *value);
void gpri_document_add(gpri_document *doc, json_t *list, json_t *value);
/* A new list or object inside; it belongs to the document. */
json_t *gpri_document_list(gpri_document *doc, json_t *object, const char *key);
json_t *gpri_document_object(gpri_document *doc, json_t *list);
json_t *gpri_json_format(const char *format, ...) GPRI_PRINTF(1, 2); /* at most 1023 bytes */
/* Rounded to this many digits; null if it is not finite. */
json_t *gpri_json_rounded(double value, int digits);
json_t *gpri_json_count(int64_t count); /* 12345 as "12,345" */
/* A fact of a list of facts; note may be NULL. */
void gpri_document_fact(gpri_document *doc, json_t *facts, const char *label, json_t *value, const char *note);
/* A column of a table. kind: "text", or "number", which goes to the right. */
void gpri_document_column(gpri_document *doc, json_t *table, const char *name, const char *kind);

#endif
