/* Paths: what lies at one, and the name that it gives. */
#ifndef GPRI_PATH_H
#define GPRI_PATH_H

#include "base/memory.h"

bool gpri_is_file(const char *path);
bool gpri_is_folder(const char *path);
/* Does the name end with this, perhaps with .gz after it? */
bool gpri_name_ends(const char *path, const char *ending);

/* The last part of a path: "texas" of "data/texas/", "web.edges.gz" of "data/web.edges.gz". Free with gpri_free. */
gpr_status gpri_path_name(gpr_ctx *ctx, char **out, const char *path) GPRI_MUST_CHECK;
/* The same without ".gz" and without the extension before it: "web". */
gpr_status gpri_path_stem(gpr_ctx *ctx, char **out, const char *path) GPRI_MUST_CHECK;

/* Copies `path`, or where it leads to if it is a symbolic link; what is there need not exist. Links of folders stay. */
gpr_status gpri_follow_links(char *out, size_t size, const char *path) GPRI_MUST_CHECK;

#endif
