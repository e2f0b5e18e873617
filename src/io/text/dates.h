/* Dates, times and decimal commas in cells of a table.
 *
 * Dates are ISO 8601 (2024-01-31, with a time behind T or a blank: 09:30, 09:30:15, 09:30:15.250, with Z or +02:00),
 * 31.01.2024, and 1/31/2024 or 31/1/2024 where the order is known. Columns of dates keep a time to the minute. */
#ifndef GPRI_DATES_H
#define GPRI_DATES_H

#include "io/text/delimited.h"

/* The order of day and month in dates with slashes. */
typedef enum gpri_date_order { GPRI_DATE_NO_ORDER, GPRI_DATE_MONTH_FIRST, GPRI_DATE_DAY_FIRST } gpri_date_order;

/* What one cell says about it. */
typedef enum gpri_slash_date {
    GPRI_SLASH_NONE, /* it is no such date */
    GPRI_SLASH_EITHER,
    GPRI_SLASH_MONTH_FIRST,
    GPRI_SLASH_DAY_FIRST
} gpri_slash_date;

/* *minutes: since 1970-01-01 00:00, by the clock that the cell shows (an offset from UTC is read and not used). Years
   from 1 to 5999. With GPRI_DATE_NO_ORDER a date with slashes is none. */
bool gpri_parse_date(gpri_field field, gpri_date_order order, int32_t *minutes);
/* The same with the seconds: since 1970-01-01 00:00 of UTC, by the offset of the cell; without one it is UTC. */
bool gpri_parse_time(gpri_field field, gpri_date_order order, double *seconds);
gpri_slash_date gpri_slash_evidence(gpri_field field);
/* The day of the year, from 0, and the days of that year, of a day since 1970. */
void gpri_day_of_year(int64_t day, int *number, int *days);

/* A number with a decimal comma: "0,5", "-1,25e3". One comma, no point. */
bool gpri_comma_real(gpri_field field, double *out);

/* Stands for "not known" in tables of numbers: an empty text, NA, N/A, nan, null, none, in any case of letters. */
bool gpri_is_missing(const char *text, int64_t size);

#endif
