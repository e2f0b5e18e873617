/* .npy: magic, version, a Python dict as text, then the raw numbers. Headers of versions 1, 2 and 3; bool, integers and
 * floats of either byte order. Python objects and structured types are refused: they are pickles. */
#include "io/numpy/npy.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

size_t gpri_number_size(gpri_number type) {
    switch (type) {
    case GPRI_AS_BOOL:
    case GPRI_AS_UINT8: return 1;
    case GPRI_AS_INT32:
    case GPRI_AS_FLOAT: return 4;
    case GPRI_AS_INT64:
    case GPRI_AS_DOUBLE: break;
    }
    return 8;
}

/* ---- Header --------------------------------------------------------------------------------------- */

gpr_status gpri_npy_preamble(const unsigned char *bytes, int64_t *text_at, int64_t *text_size) {
    if (memcmp(bytes, "\x93NUMPY", 6) != 0)
        return gpri_fail(GPR_ERROR_FORMAT, "not an npy array (it must begin with \\x93NUMPY)");
    int version = bytes[6];
    if (version < 1 || version > 3)
        return gpri_fail(GPR_ERROR_FORMAT, "npy version %d.%d is not known: expected 1, 2 or 3", version, bytes[7]);
    *text_at = version == 1 ? 10 : 12;
    *text_size = bytes[8] | bytes[9] << 8;
    if (version > 1) *text_size |= (int64_t)bytes[10] << 16 | (int64_t)bytes[11] << 24;
    if (*text_size > GPRI_NPY_MOST_HEADER)
        return gpri_fail(GPR_ERROR_FORMAT, "the npy header announces %lld bytes of text: at most %d are supported",
                         (long long)*text_size, GPRI_NPY_MOST_HEADER);
    return GPR_OK;
}

static const char *skip_space(const char *at) {
    while (isspace((unsigned char)*at)) at++;
    return at;
}

/* A quoted word of less than 32 characters; NULL if there is none. */
static const char *read_word(const char *at, char word[32]) {
    char quote = *at;
    size_t size = 0;
    if (quote != '\'' && quote != '"') return NULL;
    for (at++; *at && *at != quote && size < 31; at++) word[size++] = *at;
    word[size] = 0;
    return *at == quote ? at + 1 : NULL;
}

/* (), (5,), (5, 3); NULL if it is no tuple. dims counts all, only the first two are kept. -1: a size too large. */
static const char *read_shape(const char *at, gpri_npy *npy) {
    if (*at++ != '(') return NULL;
    for (at = skip_space(at); *at != ')'; at = skip_space(at)) {
        int64_t size = 0;
        if (!isdigit((unsigned char)*at)) return NULL;
        for (; isdigit((unsigned char)*at); at++)
            size = size < 0 || size > INT64_MAX / 10 - 1 ? -1 : size * 10 + (*at - '0');
        if (*at == 'L') at++; /* Python 2 writes 5L */
        if (npy->dims < 2) npy->shape[npy->dims] = size;
        if (npy->dims < 100) npy->dims++;
        at = skip_space(at);
        if (*at == ',') at++;
        else if (*at != ')') return NULL;
    }
    return at + 1;
}

static gpr_status decode_type(gpri_npy *npy) {
    const char *const descr = npy->descr, *at = descr;
    int itemsize = 0, used = 0;
    npy->big_endian = *at == '>' || (*at != '<' && !GPRI_LITTLE_ENDIAN);
    if (*at && strchr("<>|=", *at)) at++;
    npy->kind = *at;
    if (*at == 'O')
        return gpri_fail(GPR_ERROR_FORMAT, "the array holds Python objects (dtype '%s'): save it as numbers", descr);
    if (*at == 'U' || *at == 'S') {
        const int letter = *at == 'U' ? 4 : 1;
        if (sscanf(at + 1, "%6d%n", &itemsize, &used) == 1 && !at[1 + used] && itemsize > 0 &&
            itemsize <= GPRI_NPY_MOST_HEADER / letter) {
            npy->itemsize = itemsize * letter;
            return GPR_OK;
        }
    }
    bool number = *at && strchr("biuf", *at) && sscanf(at + 1, "%2d%n", &itemsize, &used) == 1 && !at[1 + used];
    switch (npy->kind) {
    case 'b': number = number && itemsize == 1; break;
    case 'f': number = number && (itemsize == 2 || itemsize == 4 || itemsize == 8); break;
    default: number = number && (itemsize == 1 || itemsize == 2 || itemsize == 4 || itemsize == 8);
    }
    if (!number)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "dtype '%s' cannot be read: expected bool, or int, uint or float of up to "
                         "8 bytes",
                         descr);
    npy->itemsize = itemsize;
    return GPR_OK;
}

/* One key and its value. NULL: not as numpy writes it. */
static const char *read_entry(const char *at, gpri_npy *npy, int *seen) {
    char key[32];
    at = read_word(skip_space(at), key);
    if (!at) return NULL;
    at = skip_space(at);
    if (*at++ != ':') return NULL;
    at = skip_space(at);
    if (strcmp(key, "descr") == 0) {
        *seen |= 1;
        if (*at == '[') { /* a list of fields */
            strcpy(npy->descr, "[...]");
            at = strchr(at, ']');
            return at ? at + 1 : NULL;
        }
        return read_word(at, npy->descr);
    }
    if (strcmp(key, "fortran_order") == 0) {
        *seen |= 2;
        npy->fortran = strncmp(at, "True", 4) == 0;
        return npy->fortran ? at + 4 : strncmp(at, "False", 5) == 0 ? at + 5 : NULL;
    }
    if (strcmp(key, "shape") != 0) return NULL;
    *seen |= 4;
    npy->dims = 0;
    return read_shape(at, npy);
}

gpr_status gpri_npy_parse(gpri_npy *out, const char *text) {
    int seen = 0;
    *out = (gpri_npy){.shape = {1, 1}};
    const char *at = skip_space(text);
    if (*at++ != '{') goto garbage;
    for (at = skip_space(at); *at != '}';) {
        at = read_entry(at, out, &seen);
        if (!at) goto garbage;
        at = skip_space(at);
        if (*at == ',') at = skip_space(at + 1);
        else if (*at != '}') goto garbage;
    }
    if (*skip_space(at + 1) || seen != 7) goto garbage;
    NEED(decode_type(out));
    if (out->dims > 2)
        return gpri_fail(GPR_ERROR_FORMAT, "the array has %d dimensions: at most 2 are supported", out->dims);
    int64_t bytes;
    if (!gpri_mul_size(out->shape[0], out->shape[1], &out->count) || !gpri_mul_size(out->count, out->itemsize, &bytes))
        return gpri_fail(GPR_ERROR_FORMAT, "the npy header announces a shape that does not fit in memory: %.100s",
                         text);
    return GPR_OK;
garbage:
    return gpri_fail(GPR_ERROR_FORMAT,
                     "the npy header is not as numpy writes it (descr, fortran_order, shape): '%.100s'", text);
}

void gpri_npy_write_header(char out[GPRI_NPY_WRITTEN], gpri_number type, int dims, const int64_t *shape) {
    static const char *const codes[] = {"|b1", "|u1", "i4", "i8", "f4", "f8"}; /* in the order of gpri_number */
    gpri_npy_write_header_of(out, codes[type], dims, shape);
}

void gpri_npy_write_header_of(char out[GPRI_NPY_WRITTEN], const char *code, int dims, const int64_t *shape) {
    const char *order = *code == '|' ? "" : !GPRI_LITTLE_ENDIAN ? ">" : "<";
    char tuple[64] = "()";
    if (dims == 1) snprintf(tuple, sizeof tuple, "(%lld,)", (long long)shape[0]);
    if (dims == 2) snprintf(tuple, sizeof tuple, "(%lld, %lld)", (long long)shape[0], (long long)shape[1]);
    memset(out, ' ', GPRI_NPY_WRITTEN);
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    out[8] = GPRI_NPY_WRITTEN - 10;
    out[9] = 0;
    int used = snprintf(out + 10, GPRI_NPY_WRITTEN - 10, "{'descr': '%s%s', 'fortran_order': False, 'shape': %s, }",
                        order, code, tuple);
    out[10 + used] = ' '; /* in place of the NUL */
    out[GPRI_NPY_WRITTEN - 1] = '\n';
}

/* ---- Numbers -------------------------------------------------------------------------------------- */

static uint64_t load_bits(const unsigned char *at, const gpri_npy *npy) {
    uint64_t bits = 0;
    for (int b = 0; b < npy->itemsize; b++) bits |= (uint64_t)at[npy->big_endian ? npy->itemsize - 1 - b : b] << 8 * b;
    return bits;
}

static double half_to_double(uint64_t bits) {
    int exponent = (int)(bits >> 10 & 31);
    double fraction = (double)(bits & 1023);
    double size = exponent == 31  ? (fraction > 0 ? NAN : INFINITY)
                  : exponent == 0 ? ldexp(fraction, -24)
                                  : ldexp(fraction + 1024, exponent - 25);
    return bits >> 15 & 1 ? -size : size;
}

static double load_float(const unsigned char *at, const gpri_npy *npy) {
    uint64_t bits = load_bits(at, npy);
    uint32_t low = (uint32_t)bits;
    float single;
    double value;
    if (npy->itemsize == 2) return half_to_double(bits);
    memcpy(&single, &low, sizeof single);
    memcpy(&value, &bits, sizeof value);
    return npy->itemsize == 4 ? (double)single : value;
}

/* false: below INT64_MIN or above INT64_MAX, or not whole. */
static bool load_int(const unsigned char *at, const gpri_npy *npy, int64_t *out) {
    if (npy->kind == 'f') {
        double value = load_float(at, npy);
        if (!(value >= -0x1.0p63 && value < 0x1.0p63) || value != floor(value)) return false;
        *out = (int64_t)value;
        return true;
    }
    uint64_t bits = load_bits(at, npy);
    if (npy->kind == 'b') bits = bits != 0;
    if (npy->kind == 'i' && npy->itemsize < 8 && bits >> (8 * npy->itemsize - 1))
        bits |= UINT64_MAX << 8 * npy->itemsize; /* the sign */
    if (npy->kind == 'u' && bits > INT64_MAX) return false;
    memcpy(out, &bits, sizeof *out);
    return true;
}

/* Number as double, for any kind. */
static double load_real(const unsigned char *at, const gpri_npy *npy) {
    int64_t whole;
    if (npy->kind == 'f') return load_float(at, npy);
    return load_int(at, npy, &whole) ? (double)whole : (double)load_bits(at, npy);
}

static bool store(void *to, gpri_number type, int64_t place, const gpri_npy *npy, const unsigned char *at) {
    int64_t whole;
    switch (type) {
    case GPRI_AS_FLOAT: ((float *)to)[place] = (float)load_real(at, npy); return true;
    case GPRI_AS_DOUBLE: ((double *)to)[place] = load_real(at, npy); return true;
    case GPRI_AS_INT64: return load_int(at, npy, &((int64_t *)to)[place]);
    case GPRI_AS_INT32:
        if (!load_int(at, npy, &whole) || whole < INT32_MIN || whole > INT32_MAX) return false;
        ((int32_t *)to)[place] = (int32_t)whole;
        return true;
    case GPRI_AS_UINT8:
    case GPRI_AS_BOOL:
        if (!load_int(at, npy, &whole) || whole < 0 || whole > (type == GPRI_AS_BOOL ? 1 : 255)) return false;
        ((uint8_t *)to)[place] = (uint8_t)whole;
        return true;
    }
    return false;
}

gpr_status gpri_npy_convert(void *to, gpri_number type, const gpri_npy *npy, int64_t first, int64_t count,
                            const unsigned char *bytes) {
    static const char *const names[] = {
        "0 or 1",   "from 0 to 255", "a whole number of 32 bits", "a whole number of 64 bits",
        "a number", "a number"}; /* in the order of gpri_number */
    const bool by_column = npy->fortran && npy->dims == 2;
    const bool same_float = npy->kind == 'f' && ((type == GPRI_AS_FLOAT && npy->itemsize == 4) ||
                                                 (type == GPRI_AS_DOUBLE && npy->itemsize == 8));
    if (!by_column && same_float && npy->big_endian == !GPRI_LITTLE_ENDIAN) {
        memcpy((char *)to + first * npy->itemsize, bytes, (size_t)(count * npy->itemsize));
        return GPR_OK;
    }
    if (gpri_npy_is_text(npy))
        return gpri_fail(GPR_ERROR_FORMAT, "the array holds text (dtype '%s'): expected numbers", npy->descr);
    for (int64_t k = first; k < first + count; k++, bytes += npy->itemsize) {
        int64_t place = by_column ? k % npy->shape[0] * npy->shape[1] + k / npy->shape[0] : k;
        if (!store(to, type, place, npy, bytes))
            return gpri_fail(GPR_ERROR_FORMAT, "element %lld is %.17g: expected %s", (long long)place,
                             load_real(bytes, npy), names[type]);
    }
    return GPR_OK;
}
