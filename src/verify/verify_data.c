/* gpr_verify of a folder with fetched datasets: every file against the catalogue. */
#include "fetch/fetch.h"
#include "file/path.h"
#include "file/run_folder.h"
#include "verify/verify.h"

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

static gpr_status check_one(gpri_verifier *v, const char *dir, const gpri_catalogue_entry *set,
                            const gpri_catalogue_file *file) {
    gpr_fetch_state state;
    char path[GPRI_LONGEST_PATH], why[GPRI_WHY];
    NEED(gpri_path_in(path, dir, file->path));
    const gpr_status status = gpri_fetched_file(v->ctx, &state, why, set, file, path);
    if (status == GPR_ERROR_MEMORY) return status;
    if (status != GPR_OK) return gpri_verify_say(v, GPR_VERDICT_DAMAGED, path, "dataset", "%s", gpr_last_error());
    if (state == GPR_FETCH_MISSING)
        return gpri_verify_say(v, GPR_VERDICT_MISSING, path, "dataset", "a file of %s: `fetch %s` loads it", set->name,
                               set->name);
    if (state == GPR_FETCH_CORRECT)
        return gpri_verify_say(v, GPR_VERDICT_OK, path, "dataset", "%s: its %s is that of the catalogue", set->name,
                               file->sha256 ? "SHA-256" : "fingerprint");
    return gpri_verify_say(v, GPR_VERDICT_DAMAGED, path, "dataset", "%s: %s; `fetch %s` loads it again", set->name, why,
                           set->name);
}

gpr_status gpri_verify_data_folder(gpri_verifier *v, const char *dir) {
    for (int i = 0; i < GPRI_CATALOGUE_SIZE; i++) {
        const gpri_catalogue_entry *set = &gpri_catalogue[i];
        for (int k = 0; has_any(dir, set) && k < set->file_count; k++) NEED(check_one(v, dir, set, &set->files[k]));
    }
    return GPR_OK;
}
