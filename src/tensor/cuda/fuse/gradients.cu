/* Which gradients of weights can stay in parts until Adam adds them: those that nothing else looks at. */
#include "tensor/cuda/fuse/pass.cuh"

/* Whether any argument points into these bytes. What a struct of settings points to is never a gradient. */
static bool names(const gpri_cuda_call *call, const void *at, int64_t bytes) {
    const uintptr_t first = (uintptr_t)at;
    const uintptr_t *word = (const uintptr_t *)call->arguments;
    for (size_t k = 0; k < call->size / sizeof *word; k++)
        if (word[k] >= first && word[k] < first + (uintptr_t)bytes) return true;
    return false;
}

/* The only call that names this memory, beside `other`; -1: there is none, or several. */
static int64_t only_user(const pass *p, const void *at, int64_t bytes, int64_t other) {
    int64_t found = -1;
    for (int64_t i = 0; i < p->count; i++) {
        if (i == other || !names(&p->calls[i], at, bytes)) continue;
        if (found >= 0) return -1;
        found = i;
    }
    return found;
}

bool only_adam_uses(const pass *p, const gpri_real *gradient, int64_t size, int64_t maker) {
    const int64_t user = only_user(p, gradient, size * (int64_t)sizeof *gradient, maker);
    const auto *adam = user > maker ? call_at(p, user, gpri_cuda_adam) : NULL;
    if (!adam || size % 4 || p->known_count == MOST_SOURCES) return false;
    const auto &[w, m, v, used, record, decay, shrink, count] = *adam;
    (void)record, (void)decay, (void)shrink;
    return used == gradient && count == size && gpri_by_four(w) && gpri_by_four(m) && gpri_by_four(v) &&
           gpri_by_four(gradient);
}

int copies_of(const pass *p, copied *out, const gpri_real *partial, int64_t size, int64_t maker) {
    const int64_t bytes = size * (int64_t)sizeof *partial;
    int found = 0;
    bool zeroed = false;
    int64_t covered = 0;
    for (int64_t i = 0; i < p->count; i++) {
        if (i == maker || !names(&p->calls[i], partial, bytes)) continue;
        if (i < maker) {
            const auto *zero = gpri_cuda_call_of(&p->calls[i], gpri_cuda_zero);
            if (!zero || zeroed || std::get<0>(*zero).at != partial || std::get<0>(*zero).rows != 1 ||
                std::get<0>(*zero).width != size)
                return 0;
            zeroed = true;
            continue;
        }
        const auto *sum = call_at(p, i, gpri_cuda_sum_blocks);
        if (!sum || found == MOST_COPIES) return 0;
        const auto &[gradient, blocks, count, stride, length] = *sum;
        (void)stride;
        const int64_t first = blocks - partial;
        if (count != 1 || first % 4 || first + length > size || !only_adam_uses(p, gradient, length, i)) return 0;
        out[found++] = copied{i, first, gradient};
        covered += length;
    }
    return zeroed && covered <= size ? found : 0;
}

void leave_to_adam(pass *p, const copied *copies, int count, gradient_source from, int64_t offset) {
    from.parts += offset;
    for (int k = 0; k < count; k++) {
        gradient_source own = from;
        own.parts += copies[k].first;
        p->done[copies[k].call] = true;
        p->known[p->known_count++] = known_gradient{copies[k].gradient, own};
    }
}

int64_t maker_of(const pass *p, int64_t zero) {
    const auto *cleared = call_at(p, zero, gpri_cuda_zero);
    if (!cleared) return -1;
    const gpri_matrix at = std::get<0>(*cleared);
    copied copies[MOST_COPIES];
    for (int64_t i = zero + 1; i < p->count && at.rows == 1; i++) {
        if (!names(&p->calls[i], at.at, at.width * (int64_t)sizeof *at.at)) continue;
        if (const auto *linear = call_at(p, i, gpri_cuda_linear_backward)) {
            const auto &[dx, dw, db, dy, x, w] = *linear;
            (void)dx, (void)w;
            const int64_t size = (x.width + 1) * dy.width;
            const bool fits = dw == at.at && db == dw + x.width * dy.width && at.width == size && dy.rows > 0;
            return fits && dy.width % 4 == 0 && copies_of(p, copies, dw, size, i) ? i : -1;
        }
        if (const auto *bias = call_at(p, i, gpri_cuda_bias_backward)) {
            const auto &[db, dy] = *bias;
            const bool fits = db == at.at && at.width == dy.width && gpri_cuda_bias_has_parts(dy);
            return fits && copies_of(p, copies, db, dy.width, i) ? i : -1;
        }
        return -1;
    }
    return -1;
}
