/* Writes JSON to a stream, member by member: commas and quotes are put by themselves. */
#ifndef CLI_JSON_OUT_H
#define CLI_JSON_OUT_H

#include <stdbool.h>
#include <stdio.h>

#include "common.h"

typedef struct json_out {
    FILE *out;
    bool comma; /* something stands before the next member */
} json_out;

/* key NULL: an element of a list. bracket: '{' or '['. */
void json_open(json_out *json, const char *key, char bracket);
void json_close(json_out *json, char bracket);
void json_text(json_out *json, const char *key, const char *format, ...) CLI_PRINTF(3, 4);
void json_real(json_out *json, const char *key, double value); /* null if it is not finite */
void json_integer(json_out *json, const char *key, long long value);
void json_bool(json_out *json, const char *key, bool value);

#endif
