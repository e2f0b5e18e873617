/* What gprgnn explain prints. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "common.h"

/* Why each of `count` nodes got its class. */
void print_explanation(FILE *out, const gpr_explanation *explanation, int64_t count, const gpr_model *model);
/* Which columns matter. */
void print_importance(FILE *out, const gpr_importance *importance);

#endif
