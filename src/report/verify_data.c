/* gpr_verify of a folder with fetched datasets: every file against the catalogue. */
#include <string.h>

#include "data/describe.h"
#include "fetch/fetch.h"
#include "file/path.h"
#include "file/run_folder.h"
#include "io/readers.h"
#include "report/verify.h"

static bool is_there(const char *dir, const gpri_catalogue_file *file) {
    char path[GPRI_LONGEST_PATH];
    return gpri_path_in(path, dir, file->path) == GPR_OK && gpri_is_file(path);
}

static bool has_any(const char *dir, const gpri_catalogue_entry *set) {
    for (int i = 0; i < set->file_count; i++)
        if (is_there(dir, &set->files[i])) return true;
    return false;
}

bool gpri_is_data_folder(const char *dir) {
    for (int i = 0; i < GPRI_CATALOGUE_SIZE; i++)
        if (has_any(dir, &gpri_catalogue[i])) return true;
    return false;
}

/* No SHA-256 is known of the file, but the fingerprint of what is in it. */
static gpr_status check_fingerprint(gpri_verifier *v, const char *path, const gpri_catalogue_entry *set) {
    char fingerprint[GPRI_FINGERPRINT_SIZE];
    gpr_dataset *data;
    gpr_status status = gpri_read_npz(v->ctx, &data, path);
    if (status == GPR_ERROR_MEMORY) return status;
    if (status < 0) return gpri_verify_say(v, GPR_VERDICT_DAMAGED, path, "dataset", "%s", gpr_last_error());
    gpri_fingerprint(fingerprint, data);
    gpr_dataset_free(data);
    if (!set->fingerprint || strcmp(fingerprint, set->fingerprint) == 0)
        return gpri_verify_say(v, GPR_VERDICT_OK, path, "dataset", "%s: its fingerprint is that of the catalogue",
                               set->name);
    return gpri_verify_say(v, GPR_VERDICT_DAMAGED, path, "dataset",
                           "not %s of the catalogue: its fingerprint is %s, not %s", set->name, fingerprint,
                           set->fingerprint);
}

static gpr_status check_one(gpri_verifier *v, const char *dir, const gpri_catalogue_entry *set,
                            const gpri_catalogue_file *file) {
    gpr_status status = GPR_OK;
    char path[GPRI_LONGEST_PATH];
    bool right;
    TRY(gpri_path_in(path, dir, file->path));
    if (!gpri_is_file(path))
        return gpri_verify_say(v, GPR_VERDICT_MISSING, path, "dataset", "a file of %s: `fetch %s` loads it", set->name,
                               set->name);
    if (!file->sha256) return check_fingerprint(v, path, set);
    status = gpri_fetch_check(&right, path, file);
    if (status == GPR_ERROR_MEMORY) goto done;
    if (status != GPR_OK) return gpri_verify_say(v, GPR_VERDICT_DAMAGED, path, "dataset", "%s", gpr_last_error());
    if (right) TRY(gpri_verify_say(v, GPR_VERDICT_OK, path, "dataset", "%s: its SHA-256 matches", set->name));
    else
        TRY(gpri_verify_say(v, GPR_VERDICT_DAMAGED, path, "dataset",
                            "not the file of %s that the catalogue has: `fetch %s` loads it again", set->name,
                            set->name));
done:
    return status;
}

gpr_status gpri_verify_data_folder(gpri_verifier *v, const char *dir) {
    gpr_status status = GPR_OK;
    for (int i = 0; i < GPRI_CATALOGUE_SIZE; i++) {
        const gpri_catalogue_entry *set = &gpri_catalogue[i];
        for (int k = 0; has_any(dir, set) && k < set->file_count; k++) TRY(check_one(v, dir, set, &set->files[k]));
    }
done:
    return status;
}
