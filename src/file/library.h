/* Opens a library of ours that is not always there, when it is first needed. */
#ifndef GPRI_LIBRARY_H
#define GPRI_LIBRARY_H

#include <stdbool.h>

#define GPRI_LIBRARY_WHY 4608

/* Looks for the file that the environment variable names; else for `name` beside the program or libgprgnn.so, in the
   library folder of the tree that the program was installed to, and where the system looks. global: what it is made of
   sees its symbols. NULL: why (GPRI_LIBRARY_WHY) is what the loader says about a file that is there, or "": there is
   none. It stays loaded: it may have threads of its own. */
void *gpri_library_open(const char *name, const char *variable, bool global, char *why);
/* Sets *function to the function of that name in a library; false: it has none. */
bool gpri_library_find(void *function, void *library, const char *name);

#endif
