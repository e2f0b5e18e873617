/* Reads every member of an .npz to its end: the archive has a CRC-32 of each, which libzip compares. */
#include <unistd.h>
#include <zip.h>

#include "file/file.h"
#include "io/numpy/npz.h"

static gpr_status read_member(zip_t *zip, zip_int64_t index, const char *path) {
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
    status = gpri_open_regular(&fd, &size, path, "an .npz file");
    if (status != GPR_OK) return status;
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
    for (zip_int64_t i = 0; i < count && status == GPR_OK; i++) status = read_member(zip, i, path);
    zip_discard(zip);
    return status;
}
