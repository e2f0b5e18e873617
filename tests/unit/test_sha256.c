/* SHA-256: the examples of FIPS 180-4 and NIST's files of them, all ways to cut a text, and sha256sum if it is there.
 */
#include "support.h"

#include <fcntl.h>
#include <unistd.h>

#include "file/sha256.h"

static void hash_in_pieces(char hex[GPRI_SHA256_HEX], const void *bytes, size_t size, size_t piece) {
    gpri_sha256 hash;
    gpri_sha256_begin(&hash);
    for (size_t at = 0; at < size; at += piece)
        gpri_sha256_add(&hash, (const char *)bytes + at, size - at < piece ? size - at : piece);
    gpri_sha256_end(&hash, hex);
}

static void examples(void **state) {
    static const struct {
        const char *text, *hex;
    } known[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqr"
         "stu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    };
    char hex[GPRI_SHA256_HEX];
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (size_t piece = 1; piece < 130; piece++) {
            hash_in_pieces(hex, known[i].text, strlen(known[i].text), piece);
            assert_string_equal(hex, known[i].hex);
        }
}

static void million(void **state) {
    char hex[GPRI_SHA256_HEX], *bytes = malloc(1000000);
    (void)state;
    assert_non_null(bytes);
    memset(bytes, 'a', 1000000);
    hash_in_pieces(hex, bytes, 1000000, 4099);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(bytes);
}

/* Every length near the end of a block, from a file; equal to sha256sum. */
static void files(void **state) {
    char path[] = "/tmp/gprgnn_test_XXXXXX", command[64], hex[GPRI_SHA256_HEX], said[GPRI_SHA256_HEX + 1];
    (void)state;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    const bool have_coreutils = system("command -v sha256sum >/dev/null") == 0;
    for (int size = 0; size < 20000; size += size < 130 ? 1 : 7919) {
        unsigned char byte = (unsigned char)(size * 31);
        assert_ok(gpri_sha256_file(hex, fd, path));
        if (have_coreutils && (size % 8 == 0 || (size > 50 && size < 70))) {
            snprintf(command, sizeof command, "sha256sum %s", path);
            FILE *pipe = popen(command, "r");
            assert_non_null(pipe);
            assert_non_null(fgets(said, GPRI_SHA256_HEX, pipe));
            pclose(pipe);
            assert_string_equal(hex, said);
        }
        for (int i = 0; i < (size < 130 ? 1 : 7919); i++) assert_int_equal(write(fd, &byte, 1), 1);
    }
    close(fd);
    unlink(path);
    assert_fails(gpri_sha256_file(hex, fd, "the file"), GPR_ERROR_IO, "cannot read the file");
    assert_string_equal(hex, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples), cmocka_unit_test(million), cmocka_unit_test(files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
