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
void emit_open(json_out *json, const char *key, char bracket);
void emit_close(json_out *json, char bracket);
void emit_text(json_out *json, const char *key, const char *format, ...) CLI_PRINTF(3, 4);
void emit_real(json_out *json, const char *key, double value); /* null if it is not finite */
void emit_integer(json_out *json, const char *key, long long value);
void emit_bool(json_out *json, const char *key, bool value);

#endif
