/* Latin-1 and UTF-16 to UTF-8. */
#include "file/encoding.h"

#include "base/utf8.h"

/* Of the bytes 0x80 to 0x9f; five of them stand for no letter. */
static const uint16_t windows_letters[32] = {0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
                                             0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0x8d,   0x17d,  0x8f,
                                             0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                             0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};

static int64_t decode_latin1(char *to, int64_t *written, const unsigned char *bytes, int64_t size) {
    char *at = to;
    for (int64_t i = 0; i < size; i++)
        at += gpri_put_letter(at, bytes[i] >= 0x80 && bytes[i] < 0xa0 ? windows_letters[bytes[i] - 0x80] : bytes[i]);
    *written = at - to;
    return size;
}

static uint32_t unit_at(const unsigned char *bytes, bool big_endian) {
    return big_endian ? (uint32_t)bytes[0] << 8 | bytes[1] : (uint32_t)bytes[1] << 8 | bytes[0];
}

static int64_t decode_utf16(bool big_endian, char *to, int64_t *written, const unsigned char *bytes, int64_t size,
                            bool ended) {
    const uint32_t unknown = 0xfffd;
    char *at = to;
    int64_t i = 0;
    while (size - i >= 2) {
        uint32_t code = unit_at(bytes + i, big_endian);
        if (code >= 0xd800 && code < 0xdc00) { /* the first half of a pair */
            if (size - i < 4 && !ended) break;
            const uint32_t low = size - i < 4 ? 0 : unit_at(bytes + i + 2, big_endian);
            const bool pair = low >= 0xdc00 && low < 0xe000;
            code = pair ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : unknown;
            i += pair ? 2 : 0;
        } else if (code >= 0xdc00 && code < 0xe000) {
            code = unknown;
        }
        at += gpri_put_letter(at, code);
        i += 2;
    }
    if (ended && size - i == 1) {
        at += gpri_put_letter(at, unknown);
        i++;
    }
    *written = at - to;
    return i;
}

int64_t gpri_decode(gpri_encoding from, bool big_endian, char *to, int64_t *written, const unsigned char *bytes,
                    int64_t size, bool ended) {
    if (from == GPRI_LATIN1) return decode_latin1(to, written, bytes, size);
    return decode_utf16(big_endian, to, written, bytes, size, ended);
}
