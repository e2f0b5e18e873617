/* Reading .npz. A file is not trusted: the header of a member is checked against its size before memory is allocated,
 * and its size against that of the file. */
#include "io/numpy/npz.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

#include "base/text.h"
#include "file/file.h"

/* Deflate compresses at most 1032 to 1. A member with more than this is a zip bomb or damaged. */
#define MOST_RATIO 1000
#define FREE_BYTES 1000000

struct gpri_npz {
    gpr_ctx *ctx;
    zip_t *zip;
    char *path;
    int64_t file_size;
};

/* Shows the first bytes of the file, so that a person sees which kind of file it is. */
static gpr_status no_archive(const char *path, int fd, int64_t size, int zip_code) {
    unsigned char bytes[16];
    char shown[sizeof bytes * 4 + 1] = "";
    zip_error_t error;
    ssize_t got = pread(fd, bytes, sizeof bytes, 0);
    if (got >= 4 && memcmp(bytes, "PK\3\4", 4) == 0) {
        zip_error_init_with_code(&error, zip_code);
        gpri_fail(GPR_ERROR_FORMAT, "%s: a damaged or cut off .npz file of %lld bytes (%s): fetch or write it again",
                  path, (long long)size, zip_error_strerror(&error));
        zip_error_fini(&error);
        return GPR_ERROR_FORMAT;
    }
    for (ssize_t i = 0; i < got; i++) {
        char *end = shown + strlen(shown);
        if (isprint(bytes[i]) && bytes[i] != '\\') snprintf(end, 5, "%c", bytes[i]);
        else snprintf(end, 5, "\\x%02x", bytes[i]);
    }
    if (got <= 0)
        return gpri_fail(GPR_ERROR_FORMAT, "%s is empty: expected an .npz file (a zip archive of .npy arrays)", path);
    return gpri_fail(GPR_ERROR_FORMAT,
                     "%s is not an .npz file: it begins with '%s'; expected a zip archive of .npy arrays", path, shown);
}

gpr_status gpri_npz_open(gpr_ctx *ctx, gpri_npz **out, const char *path) {
    gpr_status status = GPR_OK;
    gpri_npz *npz = NULL;
    int64_t size;
    int fd;
    *out = NULL;
    TRY(gpri_open_regular(&fd, &size, path, "an .npz file"));
    TRY(gpri_calloc(ctx, &npz, 1, sizeof *npz, "npz file"));
    npz->ctx = ctx;
    npz->file_size = size;
    TRY(gpri_strdup(ctx, &npz->path, path));
    int code = 0;
    npz->zip = zip_open(path, ZIP_RDONLY, &code);
    if (!npz->zip)
        LEAVE(code == ZIP_ER_MEMORY ? gpri_fail(GPR_ERROR_MEMORY, "out of memory: reading %s", path)
                                    : no_archive(path, fd, npz->file_size, code));
    *out = npz;
    npz = NULL;
done:
    if (fd >= 0) close(fd);
    gpri_npz_close(npz);
    return status;
}

void gpri_npz_close(gpri_npz *npz) {
    if (!npz) return;
    if (npz->zip) zip_discard(npz->zip);
    gpri_free_all(npz->ctx, npz->path, npz);
}

int64_t gpri_npz_count(const gpri_npz *npz) { return zip_get_num_entries(npz->zip, 0); }

const char *gpri_npz_name(const gpri_npz *npz, int64_t index) {
    const char *name = zip_get_name(npz->zip, (zip_uint64_t)index, 0);
    return name ? name : "?";
}

static zip_int64_t locate(const gpri_npz *npz, const char *name) {
    char full[256];
    snprintf(full, sizeof full, "%s.npy", name);
    return zip_name_locate(npz->zip, full, 0);
}

bool gpri_npz_has(const gpri_npz *npz, const char *name) { return locate(npz, name) >= 0; }

int64_t gpri_npz_file_size(const gpri_npz *npz) { return npz->file_size; }

static gpr_status no_member(const gpri_npz *npz) {
    enum { SHOWN = 20 };
    gpri_text names = {.ctx = npz->ctx};
    int64_t count = gpri_npz_count(npz);
    gpri_text_add(&names, "not in the file, which holds %s", count > 0 ? "" : "nothing");
    for (int64_t i = 0; i < count && i < SHOWN; i++)
        gpri_text_add(&names, "%s%.80s", i ? ", " : "", gpri_npz_name(npz, i));
    if (count > SHOWN) gpri_text_add(&names, ", and %lld more", (long long)(count - SHOWN));
    return gpri_text_fail(GPR_ERROR_FORMAT, &names);
}

static gpr_status zip_failure(zip_error_t *error) {
    gpr_status status = zip_error_code_zip(error) == ZIP_ER_MEMORY ? GPR_ERROR_MEMORY
                        : zip_error_code_zip(error) == ZIP_ER_READ ? GPR_ERROR_IO
                                                                   : GPR_ERROR_FORMAT;
    return gpri_fail(status, "cannot be read: %s", zip_error_strerror(error));
}

/* gpri_npy_input.read of a member. */
static gpr_status read_exactly(void *from, void *to, int64_t size) {
    zip_file_t *file = from;
    for (int64_t got = 0; got < size;) {
        zip_int64_t more = zip_fread(file, (char *)to + got, (zip_uint64_t)(size - got));
        if (more < 0) return zip_failure(zip_file_get_error(file));
        if (more == 0)
            return gpri_fail(GPR_ERROR_FORMAT, "ends %lld bytes too early: the file is damaged",
                             (long long)(size - got));
        got += more;
    }
    return GPR_OK;
}

static gpr_status check_size(const gpri_npz *npz, zip_uint64_t index, int64_t *size) {
    zip_stat_t info;
    if (zip_stat_index(npz->zip, index, 0, &info) != 0) return zip_failure(zip_get_error(npz->zip));
    if (!(info.valid & ZIP_STAT_SIZE) || info.size > INT64_MAX) return gpri_fail(GPR_ERROR_FORMAT, "has no size");
    *size = (int64_t)info.size;
    if ((*size - FREE_BYTES) / MOST_RATIO > npz->file_size)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "announces %lld bytes in a file of %lld: more than %d times as much is refused",
                         (long long)*size, (long long)npz->file_size, MOST_RATIO);
    return GPR_OK;
}

/* After the array: libzip compares the checksum at the end only. */
static gpr_status check_end(zip_file_t *file, int64_t size) {
    char byte;
    const zip_int64_t more = zip_fread(file, &byte, 1);
    if (more < 0) return zip_failure(zip_file_get_error(file));
    if (more == 0) return GPR_OK;
    return gpri_fail(GPR_ERROR_FORMAT, "is longer than the %lld bytes announced: the file is damaged", (long long)size);
}

/* One of `out` and `names` is not NULL. */
static gpr_status read_member(gpri_npz *npz, gpri_array *out, gpri_names *names, bool *other, const char *name,
                              gpri_number type, int dims) {
    gpr_status status = GPR_OK;
    zip_file_t *file = NULL;
    int64_t size = 0;
    const zip_int64_t index = locate(npz, name);
    if (index < 0) LEAVE(no_member(npz));
    TRY(check_size(npz, (zip_uint64_t)index, &size));
    file = zip_fopen_index(npz->zip, (zip_uint64_t)index, 0);
    if (!file) LEAVE(zip_failure(zip_get_error(npz->zip)));
    const gpri_npy_input input = {npz->ctx, read_exactly, file, size};
    if (out) TRY(gpri_npy_read(&input, out, type, dims, name));
    else TRY(gpri_npy_read_names(&input, names, other, name));
    TRY(check_end(file, size));
done:
    if (file) zip_fclose(file);
    return status;
}

gpr_status gpri_npz_read(gpri_npz *npz, gpri_array *out, const char *name, gpri_number type, int dims) {
    *out = (gpri_array){0};
    gpr_status status = read_member(npz, out, NULL, NULL, name, type, dims);
    if (status == GPR_OK) return GPR_OK;
    gpri_free(npz->ctx, out->data);
    *out = (gpri_array){0};
    return gpri_fail_prefix(status, "%s: member '%s'", npz->path, name);
}

gpr_status gpri_npz_read_names(gpri_npz *npz, gpri_names *out, bool *other, const char *name) {
    *out = (gpri_names){0};
    gpr_status status = read_member(npz, NULL, out, other, name, GPRI_AS_BOOL, 1);
    if (status == GPR_OK) return GPR_OK;
    gpri_names_free(npz->ctx, out);
    return gpri_fail_prefix(status, "%s: member '%s'", npz->path, name);
}

/* ---- Reading to the end: the archive has a CRC-32 of each member, which libzip compares ---- */

static gpr_status check_member(zip_t *zip, zip_int64_t index, const char *path) {
    char block[1 << 16];
    zip_file_t *file = zip_fopen_index(zip, (zip_uint64_t)index, 0);
    zip_int64_t got = file ? zip_fread(file, block, sizeof block) : -1;
    while (got > 0) got = zip_fread(file, block, sizeof block);
    gpr_status status = GPR_OK;
    if (got < 0) {
        const char *name = zip_get_name(zip, (zip_uint64_t)index, ZIP_FL_ENC_RAW);
        status = gpri_fail(GPR_ERROR_FORMAT, "%s: member %s is damaged: %s", path, name ? name : "without a name",
                           file ? zip_file_strerror(file) : zip_strerror(zip));
    }
    if (file) zip_fclose(file);
    return status;
}

gpr_status gpri_npz_check(const char *path) {
    gpr_status status = GPR_OK;
    int code = 0, fd;
    int64_t size;
    zip_error_t error;
    NEED(gpri_open_regular(&fd, &size, path, "an .npz file"));
    zip_t *zip = zip_fdopen(fd, 0, &code); /* it owns the descriptor then */
    if (!zip) {
        close(fd);
        zip_error_init_with_code(&error, code);
        status = gpri_fail(GPR_ERROR_FORMAT, "%s: not a whole .npz file: %s", path, zip_error_strerror(&error));
        zip_error_fini(&error);
        return status;
    }
    const zip_int64_t count = zip_get_num_entries(zip, 0);
    if (count == 0) status = gpri_fail(GPR_ERROR_FORMAT, "%s: an archive without members", path);
    for (zip_int64_t i = 0; i < count && status == GPR_OK; i++) status = check_member(zip, i, path);
    zip_discard(zip);
    return status;
}
