/* A libcuda.so.1 for tests: as much of NVIDIA's driver as CUDA's run-time library asks before it gives up. The
 * environment says what is wrong with it: FAKE_DRIVER is the version of CUDA that it knows, such as 12020; FAKE_INIT is
 * what starting it gives, such as 100: there is no card. All else is "not supported". */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef void (*function)(void);

enum { NOT_SUPPORTED = 801 };

static int number(const char *name, int usual) {
    const char *text = getenv(name);
    return text ? atoi(text) : usual;
}

static int not_supported(void) { return NOT_SUPPORTED; }

int cuDriverGetVersion(int *version) {
    *version = number("FAKE_DRIVER", 13000);
    return 0;
}

int cuInit(unsigned flags) {
    (void)flags;
    return number("FAKE_INIT", 0);
}

int cuGetProcAddress_v2(const char *symbol, function *out, int version, uint64_t flags, void *status);
int cuGetProcAddress_v2(const char *symbol, function *out, int version, uint64_t flags, void *status) {
    (void)version, (void)flags, (void)status;
    *out = (function)not_supported;
    if (strcmp(symbol, "cuInit") == 0) *out = (function)cuInit;
    if (strcmp(symbol, "cuDriverGetVersion") == 0) *out = (function)cuDriverGetVersion;
    if (strcmp(symbol, "cuGetProcAddress") == 0) *out = (function)cuGetProcAddress_v2;
    return 0;
}
