/* Reads the lines of an HTTP answer's head (RFC 9110). */
#include "fetch/answer.h"

#include <string.h>
#include <strings.h>

void gpri_answer_begin(gpri_answer *answer) {
    *answer = (gpri_answer){.length = -1, .start = -1, .last = -1, .total = -1};
}

/* A number of digits at *at, which moves behind it; -1: there is none, or it is too large. */
static int64_t take_number(const char **at, const char *end) {
    int64_t number = 0;
    if (*at == end || **at < '0' || **at > '9') return -1;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
        if (number > (INT64_MAX - 9) / 10) return -1;
        number = number * 10 + (**at - '0');
    }
    return number;
}

static bool take_length(gpri_answer *answer, const char *at, const char *end) {
    const int64_t length = take_number(&at, end);
    if (length < 0 || at != end) answer->fault = "its Content-Length is not a number of bytes";
    else if (answer->length >= 0 && answer->length != length) answer->fault = "it has two different Content-Lengths";
    answer->length = length;
    return !answer->fault;
}

/* "bytes 5-9/10", or an asterisk for the last number. One that makes no sense is as none. */
static void take_range(gpri_answer *answer, const char *at, const char *end) {
    int64_t start = -1, last = -1, total = -1;
    if (end - at < 6 || strncasecmp(at, "bytes ", 6) != 0) return;
    at += 6;
    if (at < end && *at == '*') {
        at++; /* of an answer 416 */
    } else {
        start = take_number(&at, end);
        if (start < 0 || at == end || *at++ != '-') return;
        last = take_number(&at, end);
        if (last < start) return;
    }
    if (at == end || *at++ != '/') return;
    if (at < end && *at == '*') {
        at++;
    } else {
        total = take_number(&at, end);
        if (total <= last) return;
    }
    if (at != end) return;
    answer->start = start;
    answer->last = last;
    answer->total = total;
}

static void keep(char *out, size_t room, const char *at, const char *end) {
    const size_t size = (size_t)(end - at);
    out[0] = 0;
    if (size >= room) return;
    for (size_t i = 0; i < size; i++)
        if (at[i] < 0x21 || at[i] > 0x7e) return; /* not a value that could be sent back */
    memcpy(out, at, size);
    out[size] = 0;
}

/* The value of the header `name`, without the blanks around it; NULL: the line is another header. */
static const char *value_of(const char *line, const char **end, const char *name) {
    const size_t size = strlen(name);
    if ((size_t)(*end - line) <= size || strncasecmp(line, name, size) != 0 || line[size] != ':') return NULL;
    const char *at = line + size + 1;
    while (at < *end && (*at == ' ' || *at == '\t')) at++;
    while (*end > at && strchr(" \t\r\n", (*end)[-1]) && (*end)[-1]) --*end;
    return at;
}

bool gpri_answer_line(gpri_answer *answer, const char *line, size_t size) {
    const char *end = line + size, *value;
    answer->head += (int64_t)size;
    if (answer->head > GPRI_MOST_HEAD) {
        answer->fault = "the head of its answer has no end";
        return false;
    }
    if (memchr(line, 0, size)) {
        answer->fault = "the head of its answer holds a NUL byte";
        return false;
    }
    if (size >= 5 && memcmp(line, "HTTP/", 5) == 0) {
        const int64_t head = answer->head;
        gpri_answer_begin(answer);
        answer->head = head;
    } else if ((value = value_of(line, &end, "Content-Length"))) {
        return take_length(answer, value, end);
    } else if ((value = value_of(line, &end, "Content-Range"))) {
        take_range(answer, value, end);
    } else if ((value = value_of(line, &end, "ETag"))) {
        keep(answer->tag, sizeof answer->tag, value, end);
        if (answer->tag[0] != '"') answer->tag[0] = 0; /* W/"...": a part cannot be asked for with a weak one */
    } else if ((value = value_of(line, &end, "Content-Type"))) {
        const char *stop = value;
        while (stop < end && *stop != ';' && *stop != ' ') stop++;
        keep(answer->type, sizeof answer->type, value, stop);
    } else if ((value = value_of(line, &end, "Content-Encoding"))) {
        keep(answer->encoding, sizeof answer->encoding, value, end);
        if (strcasecmp(answer->encoding, "identity") == 0) answer->encoding[0] = 0;
    }
    return true;
}
