/* JSON, member by member. */
#include "json_out.h"

#include <stdarg.h>

static void begin(json_out *json, const char *key) {
    if (json->comma) fputs(",", json->out);
    if (key) {
        put_json_text(json->out, key);
        fputc(':', json->out);
    }
    json->comma = true;
}

void emit_open(json_out *json, const char *key, char bracket) {
    begin(json, key);
    fputc(bracket, json->out);
    json->comma = false;
}

void emit_close(json_out *json, char bracket) {
    fputc(bracket, json->out);
    json->comma = true;
}

void emit_text(json_out *json, const char *key, const char *format, ...) {
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    begin(json, key);
    put_json_text(json->out, text);
}

void emit_real(json_out *json, const char *key, double value) {
    begin(json, key);
    put_json_real(json->out, value);
}

void emit_integer(json_out *json, const char *key, long long value) {
    begin(json, key);
    fprintf(json->out, "%lld", value);
}

void emit_bool(json_out *json, const char *key, bool value) {
    begin(json, key);
    fputs(value ? "true" : "false", json->out);
}
