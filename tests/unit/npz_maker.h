/* Makes .npz files byte by byte (zip without compression), valid and broken ones; and a folder for them. */
#ifndef TEST_NPZ_MAKER_H
#define TEST_NPZ_MAKER_H

#include <dirent.h>
#include <unistd.h>

#include "support.h"

/* ---- A scratch folder ---- */

static inline void folder_make(char folder[64]) {
    strcpy(folder, "/tmp/gprgnn_test_XXXXXX");
    assert_non_null(mkdtemp(folder));
}

/* The same in memory if possible, for tests that write many files. */
static inline void folder_make_fast(char folder[64]) {
    strcpy(folder, "/dev/shm/gprgnn_test_XXXXXX");
    if (!mkdtemp(folder)) folder_make(folder);
}

/* How many files are in it; with `remove_all` it removes them and the folder. */
static inline int folder_files(const char *folder, bool remove_all) {
    int count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[512];
        if (entry->d_name[0] == '.' && (!entry->d_name[1] || entry->d_name[1] == '.')) continue;
        count++;
        assert_true(snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path);
        if (remove_all && unlink(path) != 0) folder_files(path, true); /* a folder in it */
    }
    closedir(dir);
    if (remove_all) assert_int_equal(rmdir(folder), 0);
    return count;
}

/* ---- Bytes ---- */

typedef struct maker {
    unsigned char *bytes, *directory; /* members; the directory that follows them */
    size_t size, directory_size;
    int members;
    uint32_t announced; /* not 0: a wrong size of the next member for the directory */
    bool wrong_checksum;
} maker;

static inline void put(unsigned char **to, size_t *size, const void *bytes, size_t count) {
    *to = realloc(*to, *size + count + 1);
    assert_non_null(*to);
    if (count) memcpy(*to + *size, bytes, count);
    *size += count;
}

/* Little endian. */
static inline void put_number(unsigned char **to, size_t *size, uint32_t value, int count) {
    unsigned char bytes[4] = {(unsigned char)value, (unsigned char)(value >> 8), (unsigned char)(value >> 16),
                              (unsigned char)(value >> 24)};
    put(to, size, bytes, (size_t)count);
}

static inline uint32_t checksum(const unsigned char *bytes, size_t size) {
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int b = 0; b < 8; b++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

static inline void make_member(maker *m, const char *name, const void *data, size_t size) {
    uint32_t at = (uint32_t)m->size, crc = checksum(data, size) ^ (m->wrong_checksum ? 1 : 0);
    uint32_t shown = m->announced ? m->announced : (uint32_t)size;
    put_number(&m->bytes, &m->size, 0x04034b50, 4);
    put_number(&m->directory, &m->directory_size, 0x02014b50, 4);
    put_number(&m->directory, &m->directory_size, 20, 2);
    for (int copy = 0; copy < 2; copy++) { /* the fields that both headers share */
        unsigned char **to = copy ? &m->directory : &m->bytes;
        size_t *end = copy ? &m->directory_size : &m->size;
        put_number(to, end, 20, 2); /* version */
        put_number(to, end, 0, 2);  /* flags */
        put_number(to, end, 0, 2);  /* stored */
        put_number(to, end, 33u << 16, 4);
        put_number(to, end, crc, 4);
        put_number(to, end, (uint32_t)size, 4);
        put_number(to, end, shown, 4);
        put_number(to, end, (uint32_t)strlen(name), 2);
        put_number(to, end, 0, 2);
    }
    for (int field = 0; field < 3; field++) put_number(&m->directory, &m->directory_size, 0, 2);
    put_number(&m->directory, &m->directory_size, 0, 4);
    put_number(&m->directory, &m->directory_size, at, 4);
    put(&m->directory, &m->directory_size, name, strlen(name));
    put(&m->bytes, &m->size, name, strlen(name));
    put(&m->bytes, &m->size, data, size);
    m->members++;
    m->announced = 0;
    m->wrong_checksum = false;
}

/* An array with any header: version 1, 2 or 3, dict as text. */
static inline void make_npy(maker *m, const char *name, int version, const char *dict, const void *data, size_t size) {
    unsigned char *bytes = NULL;
    size_t end = 0;
    char member[64];
    put(&bytes, &end, "\x93NUMPY", 6);
    put_number(&bytes, &end, (uint32_t)version, 1);
    put_number(&bytes, &end, 0, 1);
    put_number(&bytes, &end, (uint32_t)strlen(dict), version == 1 ? 2 : 4);
    put(&bytes, &end, dict, strlen(dict));
    put(&bytes, &end, data, size);
    snprintf(member, sizeof member, "%s.npy", name);
    make_member(m, member, bytes, end);
    free(bytes);
}

/* shape as Python writes it: "(3,)". */
static inline void make_array(maker *m, const char *name, const char *descr, const char *shape, const void *data,
                              size_t size) {
    char dict[256];
    snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr, shape);
    make_npy(m, name, 1, dict, data, size);
}

/* keep: how many bytes of the file are written; 0 for all. Empties the maker. */
static inline void make_file(maker *m, const char *path, size_t keep) {
    uint32_t start = (uint32_t)m->size;
    put(&m->bytes, &m->size, m->directory, m->directory_size);
    put_number(&m->bytes, &m->size, 0x06054b50, 4);
    put_number(&m->bytes, &m->size, 0, 4);
    put_number(&m->bytes, &m->size, (uint32_t)m->members, 2);
    put_number(&m->bytes, &m->size, (uint32_t)m->members, 2);
    put_number(&m->bytes, &m->size, (uint32_t)m->directory_size, 4);
    put_number(&m->bytes, &m->size, start, 4);
    put_number(&m->bytes, &m->size, 0, 2);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    size_t size = keep && keep < m->size ? keep : m->size;
    assert_int_equal(fwrite(m->bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(m->bytes);
    free(m->directory);
    *m = (maker){0};
}

#endif
