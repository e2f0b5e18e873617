/* Reading dates, and numbers with a decimal comma. Days are counted in the Gregorian calendar, which is also used for
 * the time before it. */
#include "io/text/dates.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"

/* The digits at *at, at least `least` and at most `most` of them; -1: there are too few. */
static int digits(const char **at, const char *end, int least, int most) {
    int value = 0, count = 0;
    while (*at < end && count < most && **at >= '0' && **at <= '9') {
        value = 10 * value + *(*at)++ - '0';
        count++;
    }
    return count >= least ? value : -1;
}

static bool passes(const char **at, const char *end, char c) {
    if (*at == end || **at != c) return false;
    ++*at;
    return true;
}

static bool is_leap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int days_of_month(int64_t year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap(year));
}

static bool is_date(int year, int month, int day) {
    return year >= 1 && year <= 5999 && month >= 1 && month <= 12 && day >= 1 && day <= days_of_month(year, month);
}

/* Days since 1970-01-01. Years are counted from March, so that the leap day is the last one of its year. */
static int64_t day_number(int64_t year, int month, int day) {
    year -= month <= 2;
    const int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
    const int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int64_t year_of(int64_t day) {
    const int64_t shifted = day + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    const int64_t of_era = shifted - era * 146097;
    const int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year + year / 4 - year / 100); /* from March */
    return year + era * 400 + (of_year >= 306);
}

void gpri_day_of_year(int64_t day, int *number, int *days) {
    const int64_t year = year_of(day);
    *number = (int)(day - day_number(year, 1, 1));
    *days = is_leap(year) ? 366 : 365;
}

/* "", "Z", "+02:00", "+0200" or "+02". *offset: minutes before UTC. */
static bool passes_zone(const char **at, const char *end, int *offset) {
    *offset = 0;
    if (passes(at, end, 'Z') || passes(at, end, 'z')) return true;
    const bool west = passes(at, end, '-');
    if (!west && !passes(at, end, '+')) return true;
    const int hours = digits(at, end, 2, 2);
    if (passes(at, end, ':') && *at == end) return false;
    const int minutes = *at < end ? digits(at, end, 2, 2) : 0;
    *offset = (west ? -1 : 1) * (60 * hours + minutes);
    return hours >= 0 && hours <= 14 && minutes >= 0 && minutes <= 59;
}

/* ".25": a point and digits, if there is a point. */
static bool read_fraction(const char **at, const char *end, double *out) {
    double unit = 0.1;
    *out = 0;
    if (!passes(at, end, '.')) return true;
    const char *begin = *at;
    for (; *at < end && *at - begin < 9 && **at >= '0' && **at <= '9'; unit /= 10) *out += unit * (*(*at)++ - '0');
    return *at > begin;
}

/* The rest of a cell behind its date: nothing, or a time. *minutes: of the day; *seconds: of the minute;
   *offset: minutes before UTC. */
static bool read_time(const char *at, const char *end, int *minutes, double *seconds, int *offset) {
    *minutes = 0;
    *seconds = 0;
    *offset = 0;
    if (at == end) return true;
    if (!passes(&at, end, 'T') && !passes(&at, end, 't') && !passes(&at, end, ' ')) return false;
    const int hour = digits(&at, end, 1, 2);
    if (hour < 0 || hour > 23 || !passes(&at, end, ':')) return false;
    const int minute = digits(&at, end, 2, 2);
    if (minute < 0 || minute > 59) return false;
    if (passes(&at, end, ':')) {
        const int second = digits(&at, end, 2, 2);
        if (second < 0 || second > 60) return false; /* 60: a leap second */
        if (!read_fraction(&at, end, seconds)) return false;
        *seconds += second;
    }
    *minutes = 60 * hour + minute;
    passes(&at, end, ' ');
    return passes_zone(&at, end, offset) && at == end;
}

/* "31/1/2024": its two first numbers, and the year. *at: behind it. */
static bool read_slashes(gpri_field field, int out[3], const char **at) {
    const char *end = field.text + field.size;
    *at = field.text;
    out[0] = digits(at, end, 1, 2);
    if (out[0] < 0 || !passes(at, end, '/')) return false;
    out[1] = digits(at, end, 1, 2);
    if (out[1] < 0 || !passes(at, end, '/')) return false;
    out[2] = digits(at, end, 4, 4);
    return out[2] >= 0;
}

/* *minutes: since 1970, by the clock of the cell; *seconds: of the minute; *offset: minutes before UTC. */
static bool parse(gpri_field field, gpri_date_order order, int64_t *minutes, double *seconds, int *offset) {
    const char *at = field.text, *end = field.text + field.size;
    int year, month, day, time, parts[3];
    if (field.size < 8 || field.size > 40 || *at < '0' || *at > '9') return false;
    if (field.size >= 10 && at[4] == '-') {
        year = digits(&at, end, 4, 4);
        month = passes(&at, end, '-') ? digits(&at, end, 2, 2) : -1;
        day = passes(&at, end, '-') ? digits(&at, end, 2, 2) : -1;
    } else if (at[1] == '.' || at[2] == '.') {
        day = digits(&at, end, 1, 2);
        month = passes(&at, end, '.') ? digits(&at, end, 1, 2) : -1;
        year = passes(&at, end, '.') ? digits(&at, end, 4, 4) : -1;
    } else {
        if (order == GPRI_DATE_NO_ORDER || !read_slashes(field, parts, &at)) return false;
        month = parts[order == GPRI_DATE_DAY_FIRST];
        day = parts[order == GPRI_DATE_MONTH_FIRST];
        year = parts[2];
    }
    if (!is_date(year, month, day) || !read_time(at, end, &time, seconds, offset)) return false;
    *minutes = day_number(year, month, day) * 1440 + time;
    return true;
}

bool gpri_parse_date(gpri_field field, gpri_date_order order, int32_t *minutes) {
    int64_t whole;
    double seconds;
    int offset;
    if (!parse(field, order, &whole, &seconds, &offset)) return false;
    *minutes = (int32_t)whole;
    return true;
}

bool gpri_parse_time(gpri_field field, gpri_date_order order, double *seconds) {
    int64_t minutes;
    int offset;
    if (!parse(field, order, &minutes, seconds, &offset)) return false;
    *seconds += 60 * (double)(minutes - offset);
    return true;
}

gpri_slash_date gpri_slash_evidence(gpri_field field) {
    int32_t minutes;
    const bool month_first = gpri_parse_date(field, GPRI_DATE_MONTH_FIRST, &minutes);
    const bool day_first = gpri_parse_date(field, GPRI_DATE_DAY_FIRST, &minutes);
    if ((!month_first && !day_first) || gpri_parse_date(field, GPRI_DATE_NO_ORDER, &minutes)) return GPRI_SLASH_NONE;
    return month_first && day_first ? GPRI_SLASH_EITHER : month_first ? GPRI_SLASH_MONTH_FIRST : GPRI_SLASH_DAY_FIRST;
}

bool gpri_is_missing(const char *text, int64_t size) {
    static const char *const words[] = {"", "NA", "N/A", "nan", "null", "none"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (size == (int64_t)strlen(words[i]) && strncasecmp(text, words[i], (size_t)size) == 0) return true;
    return false;
}

bool gpri_comma_real(gpri_field field, double *out) {
    char text[64];
    const char *comma = field.size > 0 && field.size < 64 ? memchr(field.text, ',', (size_t)field.size) : NULL;
    if (!comma || memchr(field.text, '.', (size_t)field.size)) return false;
    const int64_t behind = comma + 1 - field.text;
    if (behind == field.size || field.text[behind] < '0' || field.text[behind] > '9') return false;
    memcpy(text, field.text, (size_t)field.size);
    text[behind - 1] = '.';
    return gpri_span_real(text, field.size, out); /* fails at a second comma */
}
