/* Writing .npz: whole or not at all.
 *
 * libzip's own file source writes a second temporary file and renames it; the descriptor of gpri_output would then
 * belong to a removed file. The sink below lets libzip write to that descriptor: no copy in memory, one temporary file,
 * and the operating system's own reason when a disk is full. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
#include <zip.h>

#include "file/file.h"
#include "io/numpy/npz.h"

#define DEFLATE_LEVEL 3  /* higher ones take several times as long for a few percent */
#define DOS_DATE_1980 33 /* a fixed date, as numpy's: the same data gives the same bytes */

typedef struct member {
    char header[GPRI_NPY_WRITTEN];
    zip_buffer_fragment_t parts[2]; /* header, numbers */
    void *own;                      /* memory of parts[1], if the writer owns it */
} member;

struct gpri_npz_writer {
    gpr_ctx *ctx;
    gpri_output output;
    zip_t *zip;
    int64_t position, end; /* in the file */
    int system_error;      /* errno of the first failed write; 0 */
    zip_error_t error;     /* what the sink tells libzip */
    int count;
    member members[GPRI_NPZ_MOST_MEMBERS];
};

/* Bytes written, or -1. */
static zip_int64_t sink_write(gpri_npz_writer *writer, const void *data, zip_uint64_t length) {
    for (zip_uint64_t done = 0; done < length;) {
        ssize_t wrote = pwrite(writer->output.fd, (const char *)data + done, length - done, (off_t)writer->position);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) {
            writer->system_error = wrote < 0 ? errno : ENOSPC;
            zip_error_set(&writer->error, ZIP_ER_WRITE, writer->system_error);
            return -1;
        }
        done += (zip_uint64_t)wrote;
        writer->position += wrote;
    }
    if (writer->position > writer->end) writer->end = writer->position;
    return (zip_int64_t)length;
}

/* What libzip calls a source; this one can only be written. */
static zip_int64_t sink(void *user, void *data, zip_uint64_t length, zip_source_cmd_t command) {
    gpri_npz_writer *writer = user;
    switch (command) {
    case ZIP_SOURCE_SUPPORTS: return ZIP_SOURCE_SUPPORTS_WRITABLE;
    case ZIP_SOURCE_STAT: /* there is no archive yet */ zip_error_set(&writer->error, ZIP_ER_READ, ENOENT); return -1;
    case ZIP_SOURCE_BEGIN_WRITE:
    case ZIP_SOURCE_COMMIT_WRITE:
    case ZIP_SOURCE_ROLLBACK_WRITE:
    case ZIP_SOURCE_REMOVE:
    case ZIP_SOURCE_FREE: return 0; /* gpri_output does all that */
    case ZIP_SOURCE_WRITE: return sink_write(writer, data, length);
    case ZIP_SOURCE_TELL_WRITE: return writer->position;
    case ZIP_SOURCE_SEEK_WRITE: {
        zip_int64_t place = zip_source_seek_compute_offset((zip_uint64_t)writer->position, (zip_uint64_t)writer->end,
                                                           data, length, &writer->error);
        if (place < 0) return -1;
        writer->position = place;
        return 0;
    }
    case ZIP_SOURCE_ERROR: return zip_error_to_data(&writer->error, data, length);
    default: break;
    }
    zip_error_set(&writer->error, ZIP_ER_OPNOTSUPP, 0);
    return -1;
}

static gpr_status writer_failure(const gpri_npz_writer *writer, zip_error_t *error) {
    if (writer->system_error) {
        errno = writer->system_error;
        return gpri_fail_errno("write", writer->output.path);
    }
    return gpri_fail(zip_error_code_zip(error) == ZIP_ER_MEMORY ? GPR_ERROR_MEMORY : GPR_ERROR_IO,
                     "cannot write %s: %s", writer->output.path, zip_error_strerror(error));
}

gpr_status gpri_npz_create(gpr_ctx *ctx, gpri_npz_writer **out, const char *path) {
    gpr_status status = GPR_OK;
    gpri_npz_writer *writer = NULL;
    zip_source_t *source = NULL;
    zip_error_t error;
    zip_error_init(&error);
    *out = NULL;
    TRY(gpri_calloc(ctx, &writer, 1, sizeof *writer, "npz file"));
    writer->ctx = ctx;
    zip_error_init(&writer->error);
    TRY(gpri_output_open(&writer->output, path));
    source = zip_source_function_create(sink, writer, &error);
    if (source) writer->zip = zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error);
    if (!writer->zip) LEAVE(writer_failure(writer, &error));
    source = NULL; /* the archive's now */
    *out = writer;
    writer = NULL;
done:
    if (source) zip_source_free(source);
    gpri_npz_discard(writer);
    zip_error_fini(&error);
    return status;
}

/* An entry whose header is filled in by the caller. */
static gpr_status new_entry(gpri_npz_writer *writer, member **out) {
    if (writer->count == GPRI_NPZ_MOST_MEMBERS)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s: more than %d members", writer->output.path, GPRI_NPZ_MOST_MEMBERS);
    *out = &writer->members[writer->count++];
    return GPR_OK;
}

/* data: (bytes). */
static gpr_status add_entry(gpri_npz_writer *writer, member *entry, const char *name, const void *data, int64_t bytes,
                            bool deflate) {
    char full[128];
    entry->parts[0] = (zip_buffer_fragment_t){(zip_uint8_t *)entry->header, sizeof entry->header};
    entry->parts[1] = (zip_buffer_fragment_t){(zip_uint8_t *)data, (zip_uint64_t)bytes}; /* only read */
    zip_source_t *source = zip_source_buffer_fragment(writer->zip, entry->parts, bytes > 0 ? 2 : 1, 0);
    if (!source) return writer_failure(writer, zip_get_error(writer->zip));
    snprintf(full, sizeof full, "%s.npy", name);
    zip_int64_t index = zip_file_add(writer->zip, full, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return writer_failure(writer, zip_get_error(writer->zip));
    }
    if (zip_set_file_compression(writer->zip, (zip_uint64_t)index, deflate ? ZIP_CM_DEFLATE : ZIP_CM_STORE,
                                 deflate ? DEFLATE_LEVEL : 0) != 0 ||
        zip_file_set_dostime(writer->zip, (zip_uint64_t)index, 0, DOS_DATE_1980, 0) != 0)
        return writer_failure(writer, zip_get_error(writer->zip));
    return GPR_OK;
}

gpr_status gpri_npz_add(gpri_npz_writer *writer, const char *name, gpri_number type, int dims, const int64_t *shape,
                        const void *data, bool deflate) {
    member *entry = NULL;
    int64_t bytes = (int64_t)gpri_number_size(type);
    NEED(new_entry(writer, &entry));
    for (int i = 0; i < dims; i++) bytes *= shape[i]; /* the array is in memory: no overflow */
    gpri_npy_write_header(entry->header, type, dims, shape);
    return add_entry(writer, entry, name, data, bytes, deflate);
}

gpr_status gpri_npz_add_names(gpri_npz_writer *writer, const char *name, const gpri_names *names) {
    member *entry = NULL;
    uint32_t *letters = NULL;
    int64_t width;
    NEED(new_entry(writer, &entry));
    NEED(gpri_npy_pack_names(writer->ctx, &letters, &width, names));
    entry->own = letters;
    gpri_npy_write_text_header(entry->header, width, names->count);
    return add_entry(writer, entry, name, letters, names->count * width * (int64_t)sizeof *letters, true);
}

gpr_status gpri_npz_commit(gpri_npz_writer **handle) {
    gpr_status status = GPR_OK;
    gpri_npz_writer *writer = *handle;
    *handle = NULL;
    if (zip_close(writer->zip) != 0) LEAVE(writer_failure(writer, zip_get_error(writer->zip))); /* writes members */
    writer->zip = NULL;
    TRY(gpri_output_commit(&writer->output));
done:
    gpri_npz_discard(writer);
    return status;
}

void gpri_npz_discard(gpri_npz_writer *writer) {
    if (!writer) return;
    if (writer->zip) zip_discard(writer->zip);
    for (int i = 0; i < writer->count; i++) gpri_free(writer->ctx, writer->members[i].own);
    gpri_output_abandon(&writer->output);
    zip_error_fini(&writer->error);
    gpri_free(writer->ctx, writer);
}
