/* Numbers as people write them: 1,234,567.5 and 1.234.567,5 and 1'234'567, $1,200 and 1.200 EUR, 12.5%.
 *
 * One mark stands between thousands and another before decimals, and a column uses them in one way, its style. It comes
 * from the cells:
 *
 * - two marks of a kind, or a mark of the other kind behind it, show that a mark stands between thousands;
 * - a mark that cannot (0,5 or 12.75) shows that it is the decimal one; the other one then is not;
 * - where there are only marks such as that of 1,234, they stand between thousands if cells have a currency (money has
 *   no three decimals), or if whole numbers of three digits stand without one, and none of more.
 *
 * (1,200) is -1200, as in accounts, unless most cells are in parentheses: then they are lists.
 *
 * Addresses of computers, 192.168.100.200, show nothing.
 *
 * Where that shows nothing, or cells contradict each other and not nine of ten agree, the style is the plain one: a
 * point or a comma before decimals, no mark between thousands. */
#ifndef GPRI_AMOUNTS_H
#define GPRI_AMOUNTS_H

#include "io/text/delimited.h"
#include "io/text/ids.h"

/* Whether the cell is a number in this style, which is not the plain one. Its unit is that of the style, or none. */
bool gpri_styled_real(gpri_number_style style, gpri_field field, double *out);
/* The style of a column by its different texts and how often each occurs. */
gpri_number_style gpri_find_style(const gpri_ids *texts, const int64_t *counts);

#endif
