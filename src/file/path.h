/* Paths: what lies at one, and the name that it gives. */
#ifndef GPRI_PATH_H
#define GPRI_PATH_H

#include "base/memory.h"
#include "base/text.h"

bool gpri_is_file(const char *path);
bool gpri_is_folder(const char *path);
/* Is there a file of that name with one of these endings? The last is NULL. */
bool gpri_any_file(const char *path, const char *const *endings);
/* That one can tell what is there: GPR_ERROR_IO with the reason, such as "Permission denied", where that is not known.
   What is not there is fine. */
gpr_status gpri_may_look(const char *path) GPRI_MUST_CHECK;
/* Does the name end with this, and begin with something else? */
bool gpri_ends_with(const char *path, const char *ending);
/* The same, perhaps with .gz after it. */
bool gpri_name_ends(const char *path, const char *ending);

/* The last part of a path: "texas" of "data/texas/", "web.edges.gz" of "data/web.edges.gz". Free with gpri_free. */
gpr_status gpri_path_name(gpr_ctx *ctx, char **out, const char *path) GPRI_MUST_CHECK;
/* The same without ".gz" and without the extension before it: "web". */
gpr_status gpri_path_stem(gpr_ctx *ctx, char **out, const char *path) GPRI_MUST_CHECK;
/* The name of data that lies in tables: what their files are called, without words such as "nodes" and "edges" in them;
   where nothing is left, the name of their folder. "twitch" of "data/twitch/edges.csv", "musae" of "musae_nodes.csv".
   Either may be NULL: it has no name. several: `edges` is one of several tables, and what it is called is not what the
   data is. Free with gpri_free. */
gpr_status gpri_path_data_name(gpr_ctx *ctx, char **out, const char *edges, const char *nodes,
                               bool several) GPRI_MUST_CHECK;

/* Copies `path`, or where it leads to if it is a symbolic link; what is there need not exist. Links of folders stay. */
gpr_status gpri_follow_links(char *out, size_t size, const char *path) GPRI_MUST_CHECK;

/* *path: folder/name.csv.gz, or without .gz; empty if neither is there. */
gpr_status gpri_look_for_csv(gpri_text *path, const char *folder, const char *name) GPRI_MUST_CHECK;
/* The same; fails if neither is there. */
gpr_status gpri_find_csv(gpri_text *path, const char *folder, const char *name) GPRI_MUST_CHECK;

#endif
