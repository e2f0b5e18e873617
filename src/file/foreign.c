/* The first bytes of files that are no tables of text. */
#include "file/foreign.h"

#include <string.h>

#define IN_PYTHON(read) "write it as csv, for example in Python: pandas." read ".to_csv('table.csv', index=False)"

/* What a file is, and what to do, for the end of a message. */
typedef struct {
    const char *what, *remedy;
} foreign;

/* ---- By their first bytes ------------------------------------------------------------------------- */

static const struct {
    const char *bytes;
    int64_t size;
    foreign is;
} beginnings[] = {
    {"PAR1", 4, {"a parquet file", IN_PYTHON("read_parquet('table.parquet')")}},
    {"ARROW1", 6, {"an Arrow (feather) file", IN_PYTHON("read_feather('table.feather')")}},
    {"FEA1", 4, {"a feather file", IN_PYTHON("read_feather('table.feather')")}},
    {"SQLite format 3",
     15,
     {"an SQLite database", "write its table as csv: sqlite3 -csv -header FILE 'select * from TABLE' > table.csv"}},
    {"%PDF-", 5, {"a PDF document", "give the table as csv"}},
    {"\x89HDF\r\n", 6, {"an HDF5 file", IN_PYTHON("read_hdf('table.h5')")}},
    {"\xd0\xcf\x11\xe0", 4, {"an old Excel or Word document", "save the sheet as csv (UTF-8) in Excel or LibreOffice"}},
    {"\x93NUMPY", 6, {"a numpy array", "a table of text is expected here; `features` and `labels` take .npy"}},
    {"\xfd\x37zXZ", 5, {"packed with xz", "unpack it with 'xz -d', or pack it with gzip"}},
    {"\x28\xb5\x2f\xfd", 4, {"packed with zstd", "unpack it with 'zstd -d', or pack it with gzip"}},
    {"BZh", 3, {"packed with bzip2", "unpack it with 'bzip2 -d', or pack it with gzip"}},
};

/* ---- Zip archives, by the names of their first members -------------------------------------------- */

static bool holds(const char *bytes, int64_t size, const char *word) {
    return memmem(bytes, (size_t)size, word, strlen(word)) != NULL;
}

static const foreign *of_zip(const char *bytes, int64_t size) {
    static const foreign
        excel = {"an Excel workbook (xlsx)",
                 "save the sheet as csv (UTF-8) in Excel or LibreOffice, or " IN_PYTHON("read_excel('table.xlsx')")},
        ods = {"a spreadsheet of LibreOffice (ods)",
               "save the sheet as csv (UTF-8) in LibreOffice, or " IN_PYTHON("read_excel('table.ods')")},
        document = {"an office document", "give the table as csv"},
        arrays = {"an .npz file", "a table of text is expected here; give it as data, or as `features`"},
        zip = {"a zip archive", "unpack it, or pack the table with gzip"};
    if (holds(bytes, size, "opendocument.spreadsheet")) return &ods;
    if (holds(bytes, size, "xl/")) return &excel;
    if (holds(bytes, size, "[Content_Types].xml"))
        return holds(bytes, size, "word/") || holds(bytes, size, "ppt/") ? &document : &excel;
    if (holds(bytes, size, "opendocument.")) return &document;
    return holds(bytes, size < 64 ? size : 64, ".npy") ? &arrays : &zip;
}

/* ---- Texts and pickles ---------------------------------------------------------------------------- */

/* Upper or lower case. */
static bool begins_with(const char *bytes, int64_t size, const char *word) {
    const int64_t length = (int64_t)strlen(word);
    for (int64_t i = 0; i < length && i < size; i++)
        if ((bytes[i] >= 'A' && bytes[i] <= 'Z' ? bytes[i] + 32 : bytes[i]) != word[i]) return false;
    return size >= length;
}

static int64_t blanks(const char *bytes, int64_t size) {
    int64_t at = 0;
    while (at < size && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n')) at++;
    return at;
}

/* {"key" or {} or [{ or [[ or ["word"; "[id],[name]" is a header. */
static bool is_json(const char *bytes, int64_t size) {
    if (size < 2 || (*bytes != '{' && *bytes != '[')) return false;
    const int64_t next = 1 + blanks(bytes + 1, size - 1);
    if (next >= size) return false;
    if (*bytes == '{') return bytes[next] == '"' || bytes[next] == '}';
    return bytes[next] == '{' || bytes[next] == '[' || bytes[next] == '"';
}

static const foreign *of_text(const char *bytes, int64_t size) {
    static const foreign
        json = {"a JSON file", IN_PYTHON("read_json('table.json')") " (for one object per line: lines=True)"},
        html = {"an HTML page",
                "a download may have given an error page in place of the file: look at it in a browser"},
        xml = {"an XML file", "write it as csv"};
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        bytes += 3;
        size -= 3;
    }
    const int64_t from = blanks(bytes, size);
    bytes += from;
    size -= from;
    if (begins_with(bytes, size, "<!doctype html") || begins_with(bytes, size, "<html")) return &html;
    if (begins_with(bytes, size, "<?xml")) return &xml;
    return is_json(bytes, size) ? &json : NULL;
}

/* PROTO of the protocols 2 to 5, then the opcode that begins most objects. */
static bool is_pickle(const char *bytes, int64_t size) {
    return size >= 3 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5 && strchr("\x95]}(cK\x8c", bytes[2]) &&
           bytes[2];
}

static const foreign *foreign_of(const void *begin, int64_t size, bool as_text) {
    static const foreign pickle = {"a Python pickle", IN_PYTHON("read_pickle('table.pkl')")};
    const char *bytes = begin;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (size >= beginnings[i].size && memcmp(bytes, beginnings[i].bytes, (size_t)beginnings[i].size) == 0)
            return &beginnings[i].is;
    if (size >= 4 && memcmp(bytes, "PK\3\4", 4) == 0) return of_zip(bytes, size);
    if (is_pickle(bytes, size)) return &pickle;
    return as_text ? of_text(bytes, size) : NULL;
}

bool gpri_is_office(const void *bytes, int64_t size) {
    return size >= 4 && memcmp(bytes, "PK\3\4", 4) == 0 &&
           (holds(bytes, size, "[Content_Types].xml") || holds(bytes, size, "xl/") ||
            holds(bytes, size, "opendocument."));
}

gpr_status gpri_refuse_foreign(const char *path, const void *bytes, int64_t size, bool as_text) {
    const foreign *is = foreign_of(bytes, size, as_text);
    return is ? gpri_fail(GPR_ERROR_FORMAT, "%s is %s: %s", path, is->what, is->remedy) : GPR_OK;
}
