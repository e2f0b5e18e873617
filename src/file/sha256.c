/* SHA-256 (FIPS 180-4). */
#include "file/sha256.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "file/file.h"
#include "file/temporary.h"

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int bits) { return x >> bits | x << (32 - bits); }

static void absorb(uint32_t state[8], const uint8_t block[64]) {
    uint32_t w[64], v[8];
    for (int t = 0; t < 16; t++, block += 4)
        w[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
    for (int t = 16; t < 64; t++) {
        uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
    memcpy(v, state, sizeof v);
    for (int t = 0; t < 64; t++) { /* v is a, b, ..., h of the standard */
        uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t t1 = v[7] + s1 + choice + round_constants[t] + w[t];
        uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + s0 + majority;
    }
    for (int i = 0; i < 8; i++) state[i] += v[i];
}

void gpri_sha256_begin(gpri_sha256 *hash) {
    /* The first 32 bits of the fractions of the square roots of the first 8 primes. */
    *hash = (gpri_sha256){
        .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void gpri_sha256_add(gpri_sha256 *hash, const void *bytes, size_t size) {
    const uint8_t *at = bytes;
    while (size > 0) {
        const size_t used = hash->size % 64, room = 64 - used, taken = size < room ? size : room;
        memcpy(hash->block + used, at, taken);
        hash->size += taken;
        at += taken;
        size -= taken;
        if (hash->size % 64 == 0) absorb(hash->state, hash->block);
    }
}

/* The padding: a bit 1, zeros, and the size in bits, so that blocks are whole. */
void gpri_sha256_end(gpri_sha256 *hash, char hex[GPRI_SHA256_HEX]) {
    const uint64_t bits = hash->size * 8;
    const uint8_t one = 0x80, zero = 0;
    uint8_t length[8];
    gpri_sha256_add(hash, &one, 1);
    while (hash->size % 64 != 56) gpri_sha256_add(hash, &zero, 1);
    for (int i = 0; i < 8; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
    gpri_sha256_add(hash, length, sizeof length);
    for (int i = 0; i < 8; i++) snprintf(hex + 8 * i, 9, "%08x", (unsigned)hash->state[i]);
}

gpr_status gpri_sha256_file(char hex[GPRI_SHA256_HEX], int fd, const char *path) {
    gpri_sha256 hash;
    char bytes[1 << 14];
    hex[0] = 0;
    gpri_sha256_begin(&hash);
    for (int64_t at = 0, got = 1; got > 0; at += got) {
        got = gpri_read_some(fd, bytes, sizeof bytes, at);
        if (got < 0) return gpri_fail_errno("read", path);
        gpri_sha256_add(&hash, bytes, (size_t)got);
    }
    gpri_sha256_end(&hash, hex);
    return GPR_OK;
}

gpr_status gpri_sha256_path(char hex[GPRI_SHA256_HEX], const char *path) {
    int fd;
    int64_t size;
    NEED(gpri_open_regular(&fd, &size, path, "a file of the run"));
    gpr_status status = gpri_sha256_file(hex, fd, path);
    close(fd);
    return status;
}
