/* Files that people give where a table of text is expected: recognised by their first bytes, and what to do. */
#ifndef GPRI_FOREIGN_H
#define GPRI_FOREIGN_H

#include "base/context.h"

/* Is it a zip archive of a spreadsheet or another document? */
bool gpri_is_office(const void *bytes, int64_t size);
/* GPR_ERROR_FORMAT, "PATH is a parquet file: ..."; GPR_OK if it is nothing that is known here. With as_text: also
   texts that are no tables (JSON, HTML, XML). */
gpr_status gpri_refuse_foreign(const char *path, const void *bytes, int64_t size, bool as_text) GPRI_MUST_CHECK;

#endif
