/* Ranks candidates by what is known of them. */
#include "train/candidates/rungs.h"

#include <math.h>
#include <stdio.h>

/* Of equal scores, which those that count nodes often are, the lower validation loss. Without validation nodes there is
   no score: the last candidate is taken. */
static bool better(double score, double loss, double than_score, double than_loss) {
    if (isnan(score) || isnan(than_score)) return isnan(than_score);
    return score > than_score || (score == than_score && loss < than_loss);
}

/* Of equal ones, the first is ahead. */
static bool is_ahead(const gpri_choice *of, int i, int j) {
    if (i > j) return better(of->scores[i], of->losses[i], of->scores[j], of->losses[j]);
    return !better(of->scores[j], of->losses[j], of->scores[i], of->losses[i]);
}

void gpri_choice_note(gpri_choice *choice, int number, const char *name, const gpri_found *found) {
    if (number == choice->count) {
        snprintf(choice->names[number], sizeof choice->names[number], "%s", name);
        choice->rungs[number] = 0;
        choice->count++;
    }
    choice->rungs[number]++;
    choice->failed[number] = found->failed;
    choice->scores[number] = found->score;
    choice->losses[number] = found->loss;
    choice->until[number] = found->until;
    choice->epochs[number] = found->epochs;
    choice->done[number] = found->done;
}

/* -1: none */
static int best_of(const gpri_choice *choice, const bool *in) {
    int best = -1;
    for (int i = 0; i < choice->count; i++)
        if (in[i] && (best < 0 || is_ahead(choice, i, best))) best = i;
    return best;
}

/* One that fails gives its place to the next. */
void gpri_rung_members(const gpri_choice *choice, int rung, bool *in) {
    bool waits[GPRI_MOST_CANDIDATES];
    int places = rung > 0 ? choice->plan.places[rung] : choice->count;
    for (int i = 0; i < choice->count; i++) {
        in[i] = !choice->failed[i] && choice->rungs[i] > rung;
        waits[i] = !choice->failed[i] && choice->rungs[i] == rung;
        places -= in[i];
    }
    for (; places > 0; places--) {
        const int next = best_of(choice, waits);
        if (next < 0) return;
        in[next] = true;
        waits[next] = false;
    }
}

bool gpri_choice_next(gpri_choice *choice, int count, int *number, int *rung) {
    bool in[GPRI_MOST_CANDIDATES];
    for (*rung = 0; *rung < choice->plan.rungs; ++*rung) {
        gpri_rung_members(choice, *rung, in);
        choice->taken = best_of(choice, in);
        *number = choice->count;
        if (*number < count) return true;
        for (int i = choice->count; i-- > 0;) {
            if (!in[i] || choice->rungs[i] > *rung) continue;
            if (choice->done[i]) choice->rungs[i]++; /* nothing of it is left to be trained */
            else *number = i;
        }
        if (*number < count) return true;
    }
    return false;
}
