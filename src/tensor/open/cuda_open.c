/* Loads libgprgnn_cuda.so (file/library.h; the environment variable GPRGNN_CUDA_LIBRARY may name the file) and asks it
 * for a card. */
#include "tensor/open/cuda_open.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "file/library.h"
#include "tensor/cuda/base/plugin.h"

#ifndef GPRI_VERSION
#define GPRI_VERSION "0.0.0"
#endif

static const char *size_text(char *out, double bytes) { return gpri_size_text(out, bytes); }

/* What the library sees of the program. It keeps the address. */
static const gpri_cuda_host program = {
    .version = GPRI_VERSION, .stamp = GPRI_CUDA_STAMP, .fail = gpri_fail, .log = gpri_log, .size_text = size_text};

static gpr_status not_loaded(const char *why) {
    return gpri_fail(GPR_ERROR_IO,
                     "`device` cuda: %s cannot be loaded: %s: install it again, with the program from the same build",
                     GPRI_CUDA_LIBRARY, why);
}

static gpr_status load(void **out) {
    static const char variable[] = "GPRGNN_CUDA_LIBRARY";
    char why[GPRI_LIBRARY_WHY];
    *out = gpri_library_open(GPRI_CUDA_LIBRARY, variable, false, why);
    if (*out) return GPR_OK;
    if (strncmp(why, variable, sizeof variable - 1) == 0) return gpri_fail(GPR_ERROR_IO, "`device` cuda: %s", why);
    if (*why) return not_loaded(why);
    return gpri_fail(GPR_ERROR_IO,
                     "`device` cuda: %s is not installed: it belongs beside libgprgnn.so or the program. A build makes "
                     "it where nvcc is found (cmake -DGPRGNN_CUDA=ON says why not). Without it, use `device` cpu",
                     GPRI_CUDA_LIBRARY);
}

/* ---- opening a card ---- */

gpr_status gpri_cuda_device(const gpri_device **out, int card, char *name) {
    void *library = NULL;
    gpri_cuda_open_fn *open = NULL;
    char message[GPRI_CUDA_NAME_SIZE] = "";
    *out = NULL;
    NEED(load(&library));
    void *address = dlsym(library, GPRI_CUDA_FUNCTION);
    memcpy(&open, &address, sizeof open); /* ISO C knows no cast from an address to a function */
    if (!open) return not_loaded("it is another library");
    *out = open(&program, card, message, sizeof message);
    if (!*out) return gpri_fail(GPR_ERROR_IO, "`device` cuda: %s; or use `device` cpu", message);
    snprintf(name, GPRI_CUDA_NAME_SIZE, "%s", message);
    return GPR_OK;
}
