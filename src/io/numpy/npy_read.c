/* A whole .npy array from a file or a member of an archive. The sizes in its header are checked against the number of
 * bytes before memory is allocated. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "file/file.h"
#include "io/numpy/npy.h"

#define CHUNK 131072 /* bytes read at a time; also holds the longest header and the longest text */

/* chunk: (CHUNK). *left: the bytes of numbers that follow. */
static gpr_status read_header(const gpri_npy_input *input, gpri_npy *npy, unsigned char *chunk, int64_t *left) {
    int64_t text_at, text_size;
    if (input->size < GPRI_NPY_PREAMBLE)
        return gpri_fail(GPR_ERROR_FORMAT, "has %lld bytes: too few for an npy array", (long long)input->size);
    NEED(input->read(input->from, chunk, GPRI_NPY_PREAMBLE));
    NEED(gpri_npy_preamble(chunk, &text_at, &text_size));
    *left = input->size - text_at - text_size;
    if (*left < 0 || text_size < 2)
        return gpri_fail(GPR_ERROR_FORMAT, "the npy header announces %lld bytes of text in an array of %lld bytes",
                         (long long)text_size, (long long)input->size);
    NEED(input->read(input->from, chunk + GPRI_NPY_PREAMBLE, text_at + text_size - GPRI_NPY_PREAMBLE));
    chunk[text_at + text_size] = 0;
    if ((int64_t)strlen((char *)chunk + text_at) != text_size)
        return gpri_fail(GPR_ERROR_FORMAT, "the npy header holds a NUL byte");
    NEED(gpri_npy_parse(npy, (char *)chunk + text_at));
    if (npy->count * npy->itemsize != *left)
        return gpri_fail(GPR_ERROR_FORMAT, "the header announces %lld %s of %d bytes, but %lld bytes follow it",
                         (long long)npy->count, gpri_npy_is_text(npy) ? "texts" : "numbers", npy->itemsize,
                         (long long)*left);
    return GPR_OK;
}

gpr_status gpri_npy_read(const gpri_npy_input *input, gpri_array *out, gpri_number type, int dims, const char *what) {
    gpr_status status = GPR_OK;
    unsigned char *chunk = NULL;
    gpri_npy npy;
    int64_t left;
    *out = (gpri_array){0};
    TRY(gpri_alloc(input->ctx, &chunk, CHUNK, 1, "npy array"));
    TRY(read_header(input, &npy, chunk, &left));
    if (dims >= 0 && npy.dims != dims)
        THROW(GPR_ERROR_FORMAT, "the array has %d dimensions: expected %d", npy.dims, dims);
    TRY(gpri_alloc(input->ctx, &out->data, npy.count, gpri_number_size(type), what));
    const int64_t at_once = CHUNK / npy.itemsize;
    for (int64_t first = 0; first < npy.count; first += at_once) {
        const int64_t count = npy.count - first < at_once ? npy.count - first : at_once;
        TRY(input->read(input->from, chunk, count * npy.itemsize));
        TRY(gpri_npy_convert(out->data, type, &npy, first, count, chunk));
    }
    out->dims = npy.dims;
    out->count = npy.count;
    memcpy(out->shape, npy.shape, sizeof out->shape);
done:
    gpri_free(input->ctx, chunk);
    if (status != GPR_OK) {
        gpri_free(input->ctx, out->data);
        *out = (gpri_array){0};
    }
    return status;
}

/* What follows the header, `left` bytes, is read and dropped. */
static gpr_status read_through(const gpri_npy_input *input, unsigned char *chunk, int64_t left) {
    for (; left > 0; left -= CHUNK) NEED(input->read(input->from, chunk, left < CHUNK ? left : CHUNK));
    return GPR_OK;
}

gpr_status gpri_npy_read_names(const gpri_npy_input *input, gpri_names *out, bool *other, const char *what) {
    gpr_status status = GPR_OK;
    unsigned char *chunk = NULL;
    gpri_npy npy = {.kind = 0};
    int64_t left = 0, capacity = 0;
    *out = (gpri_names){0};
    TRY(gpri_alloc(input->ctx, &chunk, CHUNK, 1, "npy array"));
    status = read_header(input, &npy, chunk, &left);
    if (other) *other = status == GPR_OK ? !gpri_npy_is_text(&npy) || npy.dims > 1 : *npy.descr && !npy.itemsize;
    if (other && *other) LEAVE(read_through(input, chunk, left));
    TRY(status);
    if (!gpri_npy_is_text(&npy))
        THROW(GPR_ERROR_FORMAT, "the array holds numbers (dtype '%s'): expected text", npy.descr);
    if (npy.dims > 1) THROW(GPR_ERROR_FORMAT, "the array has %d dimensions: expected 1", npy.dims);
    TRY(gpri_alloc(input->ctx, &out->start, npy.count + 1, sizeof *out->start, what));
    out->start[0] = 0;
    const int64_t at_once = CHUNK / npy.itemsize;
    for (int64_t first = 0; first < npy.count; first += at_once) {
        const int64_t count = npy.count - first < at_once ? npy.count - first : at_once;
        TRY(input->read(input->from, chunk, count * npy.itemsize));
        TRY(gpri_grow(input->ctx, &out->bytes, &capacity, out->start[first] + count * (npy.itemsize + 1), 1, what));
        gpri_npy_texts(out, &npy, first, count, chunk);
    }
    out->count = npy.count;
done:
    gpri_free(input->ctx, chunk);
    if (status != GPR_OK) gpri_names_free(input->ctx, out);
    return status;
}

/* ---- .npy files ----------------------------------------------------------------------------------- */

/* gpri_npy_input.read of a file. */
static gpr_status read_exactly(void *from, void *to, int64_t size) {
    const int fd = *(int *)from;
    for (int64_t got = 0; got < size;) {
        const ssize_t more = read(fd, (char *)to + got, (size_t)(size - got));
        if (more < 0 && errno == EINTR) continue;
        if (more < 0) return gpri_fail(GPR_ERROR_IO, "cannot be read: %s", strerror(errno));
        if (more == 0)
            return gpri_fail(GPR_ERROR_FORMAT, "ends %lld bytes too early: it is cut short", (long long)(size - got));
        got += more;
    }
    return GPR_OK;
}

/* One of them is not NULL. */
static gpr_status read_file(gpr_ctx *ctx, gpri_array *out, gpri_names *names, bool *text, const char *path,
                            gpri_number type, int dims) {
    gpr_status status = GPR_OK;
    unsigned char *chunk = NULL;
    int fd = -1;
    gpri_npy_input input = {ctx, read_exactly, &fd, 0};
    gpri_npy npy;
    int64_t left;
    TRY(gpri_open_regular(&fd, &input.size, path, "an .npy file"));
    if (out) {
        status = gpri_npy_read(&input, out, type, dims, path);
    } else if (names) {
        status = gpri_npy_read_names(&input, names, NULL, path);
    } else {
        TRY(gpri_alloc(ctx, &chunk, CHUNK, 1, "npy array"));
        status = read_header(&input, &npy, chunk, &left);
        if (status == GPR_OK) *text = gpri_npy_is_text(&npy);
    }
    if (status != GPR_OK) gpri_fail_prefix(status, "%s", path);
done:
    gpri_free(ctx, chunk);
    if (fd >= 0) close(fd);
    return status;
}

gpr_status gpri_npy_file_read(gpr_ctx *ctx, gpri_array *out, const char *path, gpri_number type, int dims) {
    *out = (gpri_array){0};
    return read_file(ctx, out, NULL, NULL, path, type, dims);
}

gpr_status gpri_npy_file_read_names(gpr_ctx *ctx, gpri_names *out, const char *path) {
    *out = (gpri_names){0};
    return read_file(ctx, NULL, out, NULL, path, GPRI_AS_BOOL, 1);
}

gpr_status gpri_npy_file_is_text(gpr_ctx *ctx, bool *text, const char *path) {
    *text = false;
    return read_file(ctx, NULL, NULL, text, path, GPRI_AS_BOOL, 1);
}
