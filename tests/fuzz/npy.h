/* Mutations of .npy arrays: header and numbers, of which the header says the type. */
#ifndef FUZZ_NPY_H
#define FUZZ_NPY_H

#include "mutate.h"

typedef struct {
    char descr[24]; /* "<i8" */
    bool fortran;
    int version, dims;
    int64_t shape[4];
} array_header;

/* Where the numbers begin; 0: it is no array. */
static inline size_t npy_split(array_header *out, const blob *b) {
    *out = (array_header){.descr = "<i8", .version = 1, .dims = 1};
    if (b->size < 12 || memcmp(b->bytes, "\x93NUMPY", 6) != 0) return 0;
    const int wide = b->bytes[6] == 1 ? 2 : 4;
    const size_t text = 8 + (size_t)wide, length = (size_t)read_number(b->bytes + 8, wide);
    char header[512], *at;
    if (length > b->size - text || length >= sizeof header) return 0;
    memcpy(header, b->bytes + text, length);
    header[length] = 0;
    out->version = b->bytes[6];
    at = strstr(header, "'descr': '");
    if (at) sscanf(at + 10, "%23[^']", out->descr);
    out->fortran = strstr(header, "True") != NULL;
    at = strchr(header, '(');
    for (out->dims = 0; at && *at && *at != ')' && out->dims < 4;) {
        char *end;
        const long long size = strtoll(at + 1, &end, 10);
        if (end == at + 1) break;
        out->shape[out->dims++] = size;
        at = end + strspn(end, " L");
        while (*at == ' ') at++;
        if (at[0] == ',' && (at[1] == ')' || !at[1])) break;
    }
    return text + length;
}

static inline void npy_write_header(blob *out, const array_header *h) {
    char text[256], shape[128] = "";
    for (int i = 0; i < h->dims; i++)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%lld%s", i ? ", " : "", (long long)h->shape[i],
                 h->dims == 1 ? "," : "");
    const int wide = h->version == 1 ? 2 : 4;
    const int used = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", h->descr,
                              h->fortran ? "True" : "False", shape);
    const size_t padding = 64 - (size_t)(8 + wide + used + 1) % 64;
    blob_put(out, "\x93NUMPY", 6);
    blob_number(out, (uint64_t)h->version, 1);
    blob_number(out, 0, 1);
    blob_number(out, (size_t)used + padding + 1, wide);
    blob_text(out, text);
    for (size_t i = 0; i < padding; i++) blob_text(out, " ");
    blob_text(out, "\n");
}

static inline int npy_itemsize(const array_header *h) {
    const char *at = h->descr + strspn(h->descr, "<>|=");
    const int size = *at ? atoi(at + 1) : 0;
    return size < 1 || size > 64 ? 1 : *at == 'U' ? 4 * size : size;
}

/* A number of that type into its place. */
static inline void npy_store(uint8_t *at, const array_header *h, chance *c) {
    const int size = npy_itemsize(h);
    const char kind = h->descr[strspn(h->descr, "<>|=")];
    uint64_t bits = kind == 'U' || kind == 'S' ? 'a' + below(c, 4) : (uint64_t)draw_integer(c);
    if (kind == 'f') {
        const double real = draw_real(c);
        const float single = (float)real;
        uint32_t low;
        memcpy(&bits, &real, sizeof bits);
        memcpy(&low, &single, sizeof low);
        if (size == 4) bits = low;
    }
    if (kind == 'b') bits = one_in(c, 12) ? bits : bits & 1;
    for (int i = 0; i < size && i < 8; i++) at[h->descr[0] == '>' ? size - 1 - i : i] = (uint8_t)(bits >> 8 * i);
}

/* Rows at the end, as many as the shape has then. */
static inline void npy_resize(blob *numbers, array_header *h, chance *c) {
    const int axis = h->dims > 1 && one_in(c, 3);
    const int64_t more = (int64_t)below(c, 5) - 2;
    if (h->dims < 1 || h->shape[axis] < 0 || h->shape[axis] > 4096 || h->shape[axis] + more < 0) return;
    h->shape[axis] += more;
    int64_t count = npy_itemsize(h);
    for (int i = 0; i < h->dims; i++) {
        if (h->shape[i] < 0 || h->shape[i] > 4096) return;
        count *= h->shape[i];
        if (count > 1 << 14) return;
    }
    if ((int64_t)numbers->size > count) numbers->size = (size_t)count;
    while ((int64_t)numbers->size < count) {
        blob_put(numbers, NULL, (size_t)npy_itemsize(h));
        if (one_in(c, 2)) npy_store(numbers->bytes + numbers->size - npy_itemsize(h), h, c);
    }
}

/* The same numbers in another type of the same kind of use: those that are small stay what they are. */
static inline void npy_retype(blob *numbers, array_header *h, chance *c) {
    static const char *const types[] = {"|b1", "|u1", "<i4", "<i8", "<f4", "<f8", ">i4", ">i8",
                                        ">f4", "<f2", "<u8", "<u2", "|i1", "<U3", "|S2", "|O"};
    const int old = npy_itemsize(h);
    const bool was_float = h->descr[1] == 'f' && h->descr[0] == '<', whole = h->descr[0] != '>' && !was_float;
    array_header new = *h;
    snprintf(new.descr, sizeof new.descr, "%s", types[below(c, sizeof types / sizeof *types)]);
    const int size = npy_itemsize(&new);
    const size_t count = numbers->size / (size_t)old;
    blob made = {0};
    blob_reserve(&made, 1);
    for (size_t k = 0; k < count; k++) {
        const uint8_t *from = numbers->bytes + k * (size_t)old;
        uint64_t bits = read_number(from, old < 8 ? old : 8);
        float single;
        double real = (double)(int64_t)bits;
        if (was_float && old == 4) {
            memcpy(&single, from, sizeof single);
            real = (double)single;
        } else if (was_float && old == 8) {
            memcpy(&real, from, sizeof real);
        }
        if (!whole) bits = real > -1e9 && real < 1e9 ? (uint64_t)(int64_t)real : 0;
        single = (float)real;
        if (new.descr[1] == 'f' && size == 4) memcpy(&bits, &single, sizeof single);
        if (new.descr[1] == 'f' && size == 8) memcpy(&bits, &real, sizeof real);
        blob_put(&made, NULL, (size_t)size);
        uint8_t *to = made.bytes + made.size - size;
        for (int i = 0; i < size && i < 8; i++) to[new.descr[0] == '>' ? size - 1 - i : i] = (uint8_t)(bits >> 8 * i);
    }
    blob_move(numbers, &made);
    *h = new;
}

static inline void mutate_npy(blob *b, chance *c, const void *how) {
    array_header h;
    const size_t start = npy_split(&h, b);
    (void)how;
    if (start == 0 && !one_in(c, 4)) {
        mutate_bytes(b, c);
        return;
    }
    blob numbers = blob_copy(b->bytes + start, b->size - start), made = {0};
    const size_t item = (size_t)npy_itemsize(&h), count = numbers.size / item;
    switch (below(c, 10)) {
    case 0: npy_retype(&numbers, &h, c); break;
    case 1: npy_resize(&numbers, &h, c); break;
    case 2: h.version = 1 + (int)below(c, 3); break;
    case 3: h.fortran = !h.fortran; break;
    case 4: h.shape[below(c, 2)] = draw_integer(c); break;
    case 5: h.dims = (int)below(c, 4); break;
    case 6: mutate_bytes(&numbers, c); break;
    default:
        if (count > 0) npy_store(numbers.bytes + below(c, count) * item, &h, c);
    }
    npy_write_header(&made, &h);
    blob_put(&made, numbers.bytes, numbers.size);
    blob_move(b, &made);
    blob_free(&numbers);
}

#endif
