/* Where a library of ours may lie, and opening it. */
#include "file/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/path.h"

#ifndef GPRI_LIBRARY_FOLDER
#define GPRI_LIBRARY_FOLDER "lib" /* of an installed tree; CMake knows better */
#endif

enum { PATH_SIZE = 4096 };

/* The folder of the file that holds this code: the program, or libgprgnn.so. Ends with '/'; "": not known. */
static void own_folder(char out[PATH_SIZE]) {
    static const char here = 0;
    Dl_info self;
    ssize_t length = 0;
    out[0] = 0;
    if (dladdr(&here, &self) && self.dli_fname && strchr(self.dli_fname, '/'))
        snprintf(out, PATH_SIZE, "%s", self.dli_fname);
    else if ((length = readlink("/proc/self/exe", out, PATH_SIZE - 1)) >= 0) out[length] = 0;
    char *slash = strrchr(out, '/');
    if (slash) slash[1] = 0;
    else out[0] = 0;
}

/* ISO C has no cast from an object pointer to a function pointer. */
bool gpri_library_find(void *function, void *library, const char *name) {
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

/* Opens the file if it is there. why: what the loader says if it is there and cannot be loaded. */
static void *try_file(const char *path, int flags, char *why) {
    if (!gpri_is_file(path)) return NULL;
    void *library = dlopen(path, flags);
    if (!library) {
        const char *said = dlerror();
        snprintf(why, GPRI_LIBRARY_WHY, "%s", said ? said : path);
    }
    return library;
}

void *gpri_library_open(const char *name, const char *variable, bool global, char *why) {
    const int flags = RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL) | RTLD_NODELETE;
    const char *given = getenv(variable);
    char folder[PATH_SIZE], path[PATH_SIZE + 300];
    void *library = NULL;
    why[0] = 0;
    if (given && *given) {
        library = try_file(given, flags, why);
        if (!library && !*why) snprintf(why, GPRI_LIBRARY_WHY, "%s names %s, which is not a file", variable, given);
        return library;
    }
    own_folder(folder);
    if (*folder) {
        const char *tree = GPRI_LIBRARY_FOLDER[0] == '/' ? "" : folder, *up = *tree ? "../" : "";
        snprintf(path, sizeof path, "%s%s", folder, name);
        library = try_file(path, flags, why);
        if (library) return library;
        snprintf(path, sizeof path, "%s%s%s/%s", tree, up, GPRI_LIBRARY_FOLDER, name);
        library = try_file(path, flags, why);
    }
    return library ? library : dlopen(name, flags);
}
