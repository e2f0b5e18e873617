/* A libcrypto that can do nothing: what Debian's libzip needs to be loaded, for the wheel (scripts/wheel.sh). Every
 * function reports a failure, so that an encrypted archive is an error. Only encrypted archives get here. */
#include <stddef.h>

void AES_encrypt(const unsigned char *in, unsigned char *out, const void *key) {
    (void)in, (void)key;
    for (int i = 0; i < 16; i++) out[i] = 0; /* never reached: there is no key */
}
int AES_set_encrypt_key(const unsigned char *bytes, int bits, void *key) {
    (void)bytes, (void)bits, (void)key;
    return -1;
}
const void *EVP_sha1(void) { return NULL; }
void *HMAC_CTX_new(void) { return NULL; }
void HMAC_CTX_free(void *context) { (void)context; }
int HMAC_Init_ex(void *context, const void *key, int size, const void *digest, void *engine) {
    (void)context, (void)key, (void)size, (void)digest, (void)engine;
    return 0;
}
int HMAC_Update(void *context, const unsigned char *bytes, size_t size) {
    (void)context, (void)bytes, (void)size;
    return 0;
}
int HMAC_Final(void *context, unsigned char *out, unsigned *size) {
    (void)context, (void)out, (void)size;
    return 0;
}
int PKCS5_PBKDF2_HMAC_SHA1(const char *password, int length, const unsigned char *salt, int salt_length, int rounds,
                           int size, unsigned char *out) {
    (void)password, (void)length, (void)salt, (void)salt_length, (void)rounds, (void)size, (void)out;
    return 0;
}
int RAND_bytes(unsigned char *out, int size) {
    (void)out, (void)size;
    return 0;
}
