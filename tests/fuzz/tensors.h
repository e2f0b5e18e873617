/* Mutations of safetensors: the texts and arrays of the header, and the numbers, with right offsets. What is sealed
 * with a checksum is sealed again. */
#ifndef FUZZ_TENSORS_H
#define FUZZ_TENSORS_H

#include <jansson.h>

#include "file/checksum.h"
#include "file/sha256.h"
#include "text.h"

/* What a file of this kind is sealed with, after all else was written. The bytes are a whole container. */
typedef void (*tensor_seal)(blob *b);

/* A model: where its metadata has a SHA-256, it is that of the file with zeros in its place. */
static inline void seal_model(blob *b) {
    static const char before[] = "\"sha256\":\"";
    enum { BEFORE = sizeof before - 1, DIGITS = GPRI_SHA256_HEX - 1 };
    char hex[GPRI_SHA256_HEX];
    gpri_sha256 hash;
    uint8_t *place = memmem(b->bytes, b->size, before, BEFORE);
    if (!place || (size_t)(b->bytes + b->size - place) < BEFORE + DIGITS) return;
    memset(place + BEFORE, '0', DIGITS);
    gpri_sha256_begin(&hash);
    gpri_sha256_add(&hash, b->bytes, b->size);
    gpri_sha256_end(&hash, hex);
    memcpy(place + BEFORE, hex, DIGITS);
}

/* A training state: the last 8 bytes are the CRC-32 of all before them. */
static inline void seal_state(blob *b) {
    const size_t place = sizeof(int64_t);
    if (b->size < place) return;
    const int64_t sum = gpri_checksum(0, b->bytes, (int64_t)(b->size - place));
    memcpy(b->bytes + b->size - place, &sum, place);
}

typedef struct {
    tensor_seal seal;
    dictionary words; /* names of arrays and values of options */
} tensors_form;

/* The entry of that index in an object. */
static inline const char *any_key(json_t *object, chance *c) {
    size_t left = below(c, json_object_size(object));
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        if (left-- == 0) return key;
    }
    return NULL;
}

/* An option or another text of the metadata. */
static inline void change_metadata(json_t *header, chance *c, const dictionary *words) {
    json_t *meta = json_object_get(header, "__metadata__");
    const char *key = any_key(meta, c);
    if (!key) return;
    const char *old = json_string_value(json_object_get(meta, key));
    blob value = blob_copy(old ? old : "", old ? strlen(old) : 0);
    char number[64];
    switch (below(c, 6)) {
    case 0: json_object_del(meta, key); goto done;
    case 1:
        number_text(c, number);
        value.size = 0;
        blob_text(&value, number);
        break;
    case 2: {
        const char *word = words->words[below(c, words->count)];
        value.size = 0;
        blob_text(&value, word);
        break;
    }
    default: mutate_text(&value, c, words);
    }
    json_t *text = json_stringn((const char *)value.bytes, value.size); /* NULL: no UTF-8 */
    if (text && json_object_set_new(meta, key, text) != 0) abort();
done:
    blob_free(&value);
}

/* The arrays get new offsets, one behind the other, in the order of the header; numbers: (their bytes), those that are
   not there are 0. */
static inline void place_arrays(json_t *header, blob *numbers) {
    const char *key;
    json_t *entry;
    blob made = {0};
    blob_reserve(&made, 1);
    json_object_foreach(header, key, entry) {
        if (strcmp(key, "__metadata__") == 0) continue;
        json_t *offsets = json_object_get(entry, "data_offsets"), *shape = json_object_get(entry, "shape");
        const json_int_t begin = json_integer_value(json_array_get(offsets, 0)),
                         end = json_integer_value(json_array_get(offsets, 1));
        const char *type = json_string_value(json_object_get(entry, "dtype"));
        const bool is_4 = type && (strcmp(type, "F32") == 0 || strcmp(type, "I32") == 0);
        json_int_t size = is_4 ? 4 : type && strcmp(type, "U8") == 0 ? 1 : 8;
        for (size_t i = 0; i < json_array_size(shape); i++) {
            const json_int_t axis = json_integer_value(json_array_get(shape, i));
            size = axis < 0 || axis > 1 << 16 || size > 1 << 16 ? 0 : size * axis;
        }
        json_int_t there = begin >= 0 && end >= begin && end <= (json_int_t)numbers->size ? end - begin : 0;
        if (there > size) there = size;
        json_object_set_new(entry, "data_offsets",
                            json_pack("[II]", (json_int_t)made.size, (json_int_t)made.size + size));
        if (there > 0) blob_put(&made, numbers->bytes + begin, (size_t)there);
        blob_put(&made, NULL, (size_t)(size - there));
    }
    blob_move(numbers, &made);
}

static inline void change_array(json_t *header, blob *numbers, chance *c, const dictionary *words) {
    const char *key = any_key(header, c);
    if (!key || strcmp(key, "__metadata__") == 0) return;
    json_t *entry = json_object_get(header, key), *shape = json_object_get(entry, "shape");
    const size_t axis = below(c, json_array_size(shape));
    const json_int_t old = json_integer_value(json_array_get(shape, axis));
    switch (below(c, 7)) {
    case 0: json_object_del(header, key); break;
    case 1: json_object_set(header, words->words[below(c, words->count)], entry); break;
    case 2: json_array_set_new(shape, axis, json_integer((json_int_t)((uint64_t)old + below(c, 5) - 2))); break;
    case 3: json_array_append_new(shape, json_integer((json_int_t)below(c, 3))); break;
    case 4: {
        static const char *const types[] = {"F64", "F64", "I64", "F32", "I32", "U8"};
        json_object_set_new(entry, "dtype", json_string(types[below(c, sizeof types / sizeof *types)]));
        break;
    }
    case 5: json_array_set_new(shape, axis, json_integer(draw_integer(c))); break;
    default:
        json_array_set_new(json_object_get(entry, "data_offsets"), below(c, 2), json_integer(draw_integer(c)));
        return;
    }
    if (!one_in(c, 6)) place_arrays(header, numbers);
}

static inline void change_number(blob *numbers, chance *c) {
    const size_t wide = one_in(c, 2) ? 4 : 8;
    if (numbers->size < wide) return;
    uint8_t *at = numbers->bytes + below(c, numbers->size / wide) * wide;
    const double real = draw_real(c);
    const float single = (float)real;
    const int64_t whole = draw_integer(c);
    if (wide == 4) memcpy(at, &single, wide);
    else if (one_in(c, 2)) memcpy(at, &real, wide);
    else memcpy(at, &whole, wide);
}

/* how: a tensors_form. */
static inline void mutate_tensors(blob *b, chance *c, const void *how) {
    const tensors_form *form = how;
    const uint64_t length = b->size > 8 ? read_number(b->bytes, 8) : 0;
    json_t *header = length > 0 && length <= b->size - 8 ? json_loadb((char *)b->bytes + 8, length, 0, NULL) : NULL;
    if (!header || !json_is_object(header)) {
        json_decref(header);
        mutate_bytes(b, c);
        form->seal(b);
        return;
    }
    blob numbers = blob_copy(b->bytes + 8 + length, b->size - 8 - length), made = {0};
    switch (below(c, 8)) {
    case 0:
    case 1:
    case 2: change_metadata(header, c, &form->words); break;
    case 3:
    case 4: change_array(header, &numbers, c, &form->words); break;
    case 5: mutate_bytes(&numbers, c); break;
    default:
        for (size_t times = 1 + below(c, 4); times > 0; times--) change_number(&numbers, c);
    }
    char *text = json_dumps(header, JSON_COMPACT);
    if (!text) abort();
    const size_t size = strlen(text), padded = (size + 7) / 8 * 8;
    blob_number(&made, padded, 8);
    blob_text(&made, text);
    for (size_t i = size; i < padded; i++) blob_text(&made, " ");
    blob_put(&made, numbers.bytes, numbers.size);
    form->seal(&made);
    blob_move(b, &made);
    blob_free(&numbers);
    free(text);
    json_decref(header);
}

#endif
