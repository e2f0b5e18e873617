/* Writes and reads the container; its numbers are little-endian, and so is the machine. */
#include "model/file/safetensors.h"

#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "file/sha256.h"
#include "model/file/metadata.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "safetensors are little-endian: this machine needs byte swaps here"
#endif

#define METADATA "__metadata__"
enum { HEADER_MOST = 100000000 }; /* the limit of safetensors itself */

/* Bytes of a number; 0: the type is not known. */
static int64_t size_of(const char *dtype) {
    if (strcmp(dtype, "U8") == 0) return 1;
    if (strcmp(dtype, "F32") == 0 || strcmp(dtype, "I32") == 0) return 4;
    return strcmp(dtype, "F64") == 0 || strcmp(dtype, "I64") == 0 ? 8 : 0;
}

static int64_t bytes_of(const gpri_stored_array *array) {
    return array->shape[0] * array->shape[1] * size_of(array->dtype);
}

/* ---- the digest ---- */

static const char no_digest[] = "0000000000000000000000000000000000000000000000000000000000000000";
enum { DIGITS = sizeof no_digest - 1 };

/* Where the digits of the digest are in the header; -1: nowhere. In JSON a text cannot hold these quotes as they are.
 */
static int64_t find_digest(const char *header, int64_t size) {
    static const char before[] = "\"" GPRI_DIGEST_KEY "\":\"";
    const int64_t length = sizeof before - 1;
    for (int64_t i = 0; i + length + DIGITS <= size; i++)
        if (memcmp(header + i, before, (size_t)length) == 0) return i + length;
    return -1;
}

/* The header and its length, the digits being `place` bytes after its beginning. */
static void begin_digest(gpri_sha256 *hash, const char *header, uint64_t length, int64_t place) {
    gpri_sha256_begin(hash);
    gpri_sha256_add(hash, &length, sizeof length);
    gpri_sha256_add(hash, header, (size_t)place);
    gpri_sha256_add(hash, no_digest, DIGITS);
    gpri_sha256_add(hash, header + place + DIGITS, (size_t)length - (size_t)place - DIGITS);
}

/* ---- writing ---- */

static json_t *entry_of(const gpri_stored_array *array, int64_t *offset) {
    int64_t begin = *offset;
    *offset += bytes_of(array);
    json_t *shape = array->axes == 2 ? json_pack("[II]", (json_int_t)array->shape[0], (json_int_t)array->shape[1])
                                     : json_pack("[I]", (json_int_t)array->shape[0]);
    return json_pack("{s:s, s:o, s:[II]}", "dtype", array->dtype, "shape", shape, "data_offsets", (json_int_t)begin,
                     (json_int_t)*offset);
}

/* Writes the digest of header and numbers into the header, if it has a place for it. */
static void seal(gpri_text *header, const gpri_stored_array *arrays, int count) {
    const int64_t place = find_digest(header->bytes, header->size);
    char hex[GPRI_SHA256_HEX];
    gpri_sha256 hash;
    if (place < 0) return;
    begin_digest(&hash, header->bytes, (uint64_t)header->size, place);
    for (int i = 0; i < count; i++) gpri_sha256_add(&hash, arrays[i].values, (size_t)bytes_of(&arrays[i]));
    gpri_sha256_end(&hash, hex);
    memcpy(header->bytes + place, hex, DIGITS);
}

/* *data_size: of all numbers. */
static gpr_status make_header(gpri_text *out, int64_t *data_size, json_t *metadata, const gpri_stored_array *arrays,
                              int count) {
    gpri_object header = gpri_object_new(), meta = {metadata, true};
    *data_size = 0;
    if (json_object_get(metadata, GPRI_DIGEST_KEY)) gpri_put_text(&meta, GPRI_DIGEST_KEY, no_digest);
    gpri_put(&header, METADATA, gpri_object_done(&meta));
    for (int i = 0; i < count; i++) gpri_put(&header, arrays[i].name, entry_of(&arrays[i], data_size));
    NEED(gpri_json_write(out, gpri_object_done(&header), JSON_COMPACT));
    gpri_text_add(out, "%*s", (int)(-out->size & 7), ""); /* so that the numbers are aligned */
    return gpri_text_status(out);
}

gpr_status gpri_safetensors_save(gpr_ctx *ctx, const char *path, json_t *metadata, const gpri_stored_array *arrays,
                                 int count) {
    gpr_status status = GPR_OK;
    gpri_output out = {.fd = -1};
    gpri_text header = {.ctx = ctx};
    int64_t data_size;
    TRY(make_header(&header, &data_size, metadata, arrays, count));
    seal(&header, arrays, count);
    uint64_t length = (uint64_t)header.size;
    TRY(gpri_output_open(&out, path));
    TRY(gpri_output_write(&out, &length, sizeof length));
    TRY(gpri_output_write(&out, header.bytes, (size_t)length));
    for (int i = 0; i < count; i++) TRY(gpri_output_write(&out, arrays[i].values, (size_t)bytes_of(&arrays[i])));
    status = gpri_output_commit(&out);
done:
    gpri_output_abandon(&out);
    gpri_text_free(&header);
    return status;
}

gpr_status gpri_safetensors_bytes(gpr_ctx *ctx, char **bytes, int64_t *size, json_t *metadata,
                                  const gpri_stored_array *arrays, int count) {
    gpr_status status = GPR_OK;
    gpri_text header = {.ctx = ctx};
    int64_t data_size;
    *bytes = NULL;
    TRY(make_header(&header, &data_size, metadata, arrays, count));
    seal(&header, arrays, count);
    uint64_t length = (uint64_t)header.size;
    *size = (int64_t)sizeof length + header.size + data_size;
    TRY(gpri_alloc(ctx, bytes, *size, 1, "bytes of a model"));
    char *at = *bytes;
    memcpy(at, &length, sizeof length);
    memcpy(at + sizeof length, header.bytes, (size_t)length);
    at += sizeof length + length;
    for (int i = 0; i < count; i++) {
        memcpy(at, arrays[i].values, (size_t)bytes_of(&arrays[i]));
        at += bytes_of(&arrays[i]);
    }
done:
    gpri_text_free(&header);
    return status;
}

/* ---- reading ---- */

gpr_status gpri_safetensors_open(gpri_safetensors *out, const char *bytes, int64_t size, const char *path,
                                 const char *kind, const char *noun) {
    json_error_t error;
    uint64_t length;
    *out = (gpri_safetensors){.bytes = bytes, .size = size, .path = path, .kind = kind, .noun = noun};
    if (size < 9)
        return gpri_fail(GPR_ERROR_FORMAT, "%s has %lld bytes: not a %s (safetensors)", path, (long long)size, kind);
    memcpy(&length, bytes, sizeof length);
    if (length > HEADER_MOST || bytes[8] != '{')
        return gpri_fail(GPR_ERROR_FORMAT, "%s: not a %s: it does not begin like safetensors", path, kind);
    if ((int64_t)length > size - 8)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s: its header of %llu bytes goes beyond the end of the file: it is truncated", path,
                         (unsigned long long)length);
    out->header = json_loadb(bytes + 8, (size_t)length, JSON_REJECT_DUPLICATES, &error);
    if (!out->header && gpri_json_no_memory(&error, (size_t)length))
        return gpri_fail(GPR_ERROR_MEMORY, "out of memory: the header of %s", path);
    if (!out->header)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: the header is not JSON: %s at byte %d", path, error.text,
                         error.position + 8);
    out->data = bytes + 8 + length;
    out->data_size = size - 8 - (int64_t)length;
    return GPR_OK;
}

gpr_status gpri_safetensors_verify(const gpri_safetensors *file, bool *found) {
    const char *header = file->bytes + sizeof(uint64_t);
    const uint64_t length = (uint64_t)(file->data - header);
    const int64_t place = find_digest(header, (int64_t)length);
    char hex[GPRI_SHA256_HEX];
    gpri_sha256 hash;
    *found = place >= 0 || json_object_get(gpri_safetensors_metadata(file), GPRI_DIGEST_KEY);
    if (!*found) return GPR_OK;
    if (place >= 0) {
        begin_digest(&hash, header, length, place);
        gpri_sha256_add(&hash, file->data, (size_t)file->data_size);
        gpri_sha256_end(&hash, hex);
        if (memcmp(hex, header + place, DIGITS) == 0) return GPR_OK;
    }
    return gpri_fail(
        GPR_ERROR_FORMAT,
        "%s: its digest (%s) does not fit its content: the %s is damaged, or was changed by another program",
        file->path, GPRI_DIGEST_KEY, file->kind);
}

void gpri_safetensors_close(gpri_safetensors *file) {
    json_decref(file->header);
    file->header = NULL;
}

const json_t *gpri_safetensors_metadata(const gpri_safetensors *file) {
    return json_object_get(file->header, METADATA);
}

static gpr_status read_shape(const gpri_safetensors *file, gpri_stored_array *out, const json_t *shape) {
    out->axes = (int)json_array_size(shape);
    out->shape[0] = out->shape[1] = 1;
    for (int i = 0; i < out->axes; i++) {
        const json_t *axis = json_array_get(shape, (size_t)i);
        out->shape[i] = json_integer_value(axis);
        if (!json_is_integer(axis) || out->shape[i] < 1)
            return gpri_fail(GPR_ERROR_FORMAT, "%s: %s %s: axis %d of its shape is not a whole number above 0",
                             file->path, file->noun, out->name, i);
    }
    return GPR_OK;
}

/* Checks the entry against the size of the data before it is used. */
static gpr_status read_entry(const gpri_safetensors *file, gpri_stored_array *out, const json_t *entry,
                             const char *dtype) {
    const json_t *shape = json_object_get(entry, "shape"), *offsets = json_object_get(entry, "data_offsets");
    out->dtype = json_string_value(json_object_get(entry, "dtype"));
    if (!out->dtype || (dtype ? strcmp(out->dtype, dtype) != 0 : size_of(out->dtype) == 0))
        return gpri_fail(GPR_ERROR_FORMAT, "%s: %s %s has type %s: %s was expected", file->path, file->noun, out->name,
                         out->dtype ? out->dtype : "none", dtype ? dtype : "F32, F64, I64, I32 or U8");
    if (!json_is_array(shape) || json_array_size(shape) < 1 || json_array_size(shape) > 2 ||
        json_array_size(offsets) != 2)
        return gpri_fail(GPR_ERROR_FORMAT, "%s: %s %s: a shape of one or two axes and two data_offsets were expected",
                         file->path, file->noun, out->name);
    NEED(read_shape(file, out, shape));
    const int64_t each = size_of(out->dtype), begin = json_integer_value(json_array_get(offsets, 0)),
                  end = json_integer_value(json_array_get(offsets, 1));
    int64_t count;
    if (!gpri_mul_size(out->shape[0], out->shape[1], &count) || count > INT64_MAX / each || begin < 0 ||
        end > file->data_size || end < begin || end - begin != count * each)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s: %s %s lies at bytes %lld to %lld of %lld: the file is truncated or damaged", file->path,
                         file->noun, out->name, (long long)begin, (long long)end, (long long)file->data_size);
    out->values = file->data + begin;
    return GPR_OK;
}

const char *gpri_safetensors_name(const gpri_safetensors *file, void **at) {
    *at = *at ? json_object_iter_next(file->header, *at) : json_object_iter(file->header);
    if (*at && strcmp(json_object_iter_key(*at), METADATA) == 0) *at = json_object_iter_next(file->header, *at);
    return *at ? json_object_iter_key(*at) : NULL;
}

gpr_status gpri_safetensors_read(const gpri_safetensors *file, void *at, gpri_stored_array *out, const char *dtype) {
    out->name = json_object_iter_key(at);
    return read_entry(file, out, json_object_iter_value(at), dtype);
}

gpr_status gpri_safetensors_next(const gpri_safetensors *file, void **at, gpri_stored_array *out, const char *dtype) {
    return gpri_safetensors_name(file, at) ? gpri_safetensors_read(file, *at, out, dtype) : GPR_OK;
}

static int by_place(const void *a, const void *b) {
    const gpri_stored_array *left = a, *right = b;
    return (const char *)left->values < (const char *)right->values ? -1 : left->values > right->values;
}

gpr_status gpri_safetensors_cover(const gpri_safetensors *file, gpri_stored_array *arrays, int count) {
    int64_t end = 0;
    qsort(arrays, (size_t)count, sizeof *arrays, by_place);
    for (int i = 0; i < count; i++) {
        const int64_t begin = (const char *)arrays[i].values - file->data;
        if (begin != end)
            return gpri_fail(GPR_ERROR_FORMAT,
                             "%s: %s %s begins at byte %lld of the data, and what is before it ends at %lld: "
                             "the %s is damaged",
                             file->path, file->noun, arrays[i].name, (long long)begin, (long long)end, file->kind);
        end += bytes_of(&arrays[i]);
    }
    if (end == file->data_size) return GPR_OK;
    return gpri_fail(GPR_ERROR_FORMAT, "%s: its %ss end at byte %lld of the data, which has %lld: the %s is damaged",
                     file->path, file->noun, (long long)end, (long long)file->data_size, file->kind);
}
