/* A file that replaces another keeps its permissions, owner, group and POSIX ACL. */
#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "file/temporary.h"

#define ACL "system.posix_acl_access" /* as the kernel stores it: copied, not read */

/* Returns false if the old file has an ACL that the new one could not get. */
static bool keep_acl(int fd, const char *path) {
    char acl[4096];
    ssize_t size = getxattr(path, ACL, acl, sizeof acl);
    if (size > 0) return fsetxattr(fd, ACL, acl, (size_t)size, 0) == 0;
    if (size < 0 && errno == ERANGE) return false;
    (void)!fremovexattr(fd, ACL); /* the folder may have given it one */
    return true;
}

void gpri_keep_rights(int fd, const char *path) {
    struct stat old, now;
    if (stat(path, &old) != 0 || !S_ISREG(old.st_mode) || fstat(fd, &now) != 0) return;
    mode_t mode = old.st_mode & 0777;
    bool same_group = old.st_gid == now.st_gid || fchown(fd, (uid_t)-1, old.st_gid) == 0;
    if (old.st_uid != now.st_uid) (void)!fchown(fd, old.st_uid, (gid_t)-1); /* only root may */
    /* The group's bits were meant for another group, or are the mask of an ACL that is lost: it gets those of others.
     */
    if (!keep_acl(fd, path) || !same_group) mode = (mode & ~(mode_t)070) | ((mode & 07) << 3);
    (void)!fchmod(fd, mode);
}
