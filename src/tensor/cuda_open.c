/* Loads libgprgnn_cuda.so and asks it for a card. Where the library is looked for: the file that the environment
 * variable GPRGNN_CUDA_LIBRARY names; else beside the program or libgprgnn.so, in the library folder of the tree that
 * the program was installed to, and where the system looks. */
#include "tensor/cuda_open.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "file/path.h"
#include "tensor/cuda/plugin.h"

#ifndef GPRI_VERSION
#define GPRI_VERSION "0.0.0"
#endif
#ifndef GPRI_LIBRARY_FOLDER
#define GPRI_LIBRARY_FOLDER "lib" /* of an installed tree; CMake knows better */
#endif

enum { PATH_SIZE = 4096, WHY_SIZE = PATH_SIZE + 512 };

static const char *size_text(char *out, double bytes) { return gpri_size_text(out, bytes); }

/* What the library sees of the program. It keeps the address. */
static const gpri_cuda_host program = {
    .version = GPRI_VERSION, .stamp = GPRI_CUDA_STAMP, .fail = gpri_fail, .log = gpri_log, .size_text = size_text};

/* ---- finding the file ---- */

/* The folder of the file that holds this code: the program, or libgprgnn.so. Ends with '/'; "": not known. */
static void own_folder(char out[PATH_SIZE]) {
    Dl_info self;
    ssize_t length = 0;
    out[0] = 0;
    if (dladdr(&program, &self) && self.dli_fname && strchr(self.dli_fname, '/'))
        snprintf(out, PATH_SIZE, "%s", self.dli_fname);
    else if ((length = readlink("/proc/self/exe", out, PATH_SIZE - 1)) >= 0) out[length] = 0;
    char *slash = strrchr(out, '/');
    if (slash) slash[1] = 0;
    else out[0] = 0;
}

/* Opens the file if it is there. why: what the loader says if it is there and cannot be loaded. */
static void *try_file(const char *path, char why[WHY_SIZE]) {
    if (!gpri_is_file(path)) return NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); /* it has threads of its own */
    if (!library) {
        const char *said = dlerror();
        snprintf(why, WHY_SIZE, "%s", said ? said : path);
    }
    return library;
}

static gpr_status not_loaded(const char *why) {
    return gpri_fail(GPR_ERROR_IO,
                     "`device` cuda: %s cannot be loaded: %s: install it again, with the program from the same build",
                     GPRI_CUDA_LIBRARY, why);
}

static gpr_status load(void **out) {
    const char *given = getenv("GPRGNN_CUDA_LIBRARY");
    char folder[PATH_SIZE], path[PATH_SIZE + 300], why[WHY_SIZE] = "";
    if (given && *given) {
        *out = try_file(given, why);
        if (*out) return GPR_OK;
        if (*why) return not_loaded(why);
        return gpri_fail(GPR_ERROR_IO, "`device` cuda: GPRGNN_CUDA_LIBRARY names %s, which is not a file", given);
    }
    own_folder(folder);
    if (*folder) {
        const char *tree = GPRI_LIBRARY_FOLDER[0] == '/' ? "" : folder, *up = *tree ? "../" : "";
        snprintf(path, sizeof path, "%s%s", folder, GPRI_CUDA_LIBRARY);
        *out = try_file(path, why);
        if (!*out) {
            snprintf(path, sizeof path, "%s%s%s/%s", tree, up, GPRI_LIBRARY_FOLDER, GPRI_CUDA_LIBRARY);
            *out = try_file(path, why);
        }
    }
    if (!*out) *out = dlopen(GPRI_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (*out) return GPR_OK;
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
    gpr_status status = load(&library);
    if (status != GPR_OK) return status;
    void *address = dlsym(library, GPRI_CUDA_FUNCTION);
    memcpy(&open, &address, sizeof open); /* ISO C knows no cast from an address to a function */
    if (!open) return not_loaded("it is another library");
    *out = open(&program, card, message, sizeof message);
    if (!*out) return gpri_fail(GPR_ERROR_IO, "`device` cuda: %s; or use `device` cpu", message);
    snprintf(name, GPRI_CUDA_NAME_SIZE, "%s", message);
    return GPR_OK;
}
