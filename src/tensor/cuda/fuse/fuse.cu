/* From a list of calls to kernels: neighbours that touch the same elements one after the other share a kernel, and so
 * do all steps of Adam. A call that fits nothing is launched as it is. The bits are those of the single calls. */
#include <stdlib.h>

#include "tensor/cuda/fuse/pass.cuh"

namespace {

/* X w + b and the steps on both streams. */
bool join_features_forward(pass *p, int64_t i) {
    const auto *forward = call_at(p, i, gpri_cuda_features_forward);
    if (!forward) return false;
    const auto &[train, eval, x, keep, scale, w, b, first] = *forward;
    features_then then = {};
    targets t = {{train, eval}, {}, {&then.train, &then.eval}, true, {}};
    p->done[i] = true;
    if (gpri_by_four(train) && gpri_by_four(eval)) take_all(p, &t, i + 1);
    gpri_cuda_features_forward_then(train, eval, x, keep, scale, w, b, first, &then);
    return true;
}

/* x w + b of both streams, and the steps on them. */
bool join_linear_forward(pass *p, int64_t i) {
    const auto *forward = call_at(p, i, gpri_cuda_linear_forward);
    if (!forward) return false;
    const auto &[y, x, w, b] = *forward;
    linear_streams streams = {{y, gpri_no_matrix}, {x, gpri_no_matrix}, {}};
    p->done[i++] = true;
    if (const auto *other = call_at(p, i, gpri_cuda_linear_forward)) {
        const auto &[y2, x2, w2, b2] = *other;
        if (w2 == w && b2 == b && y2.width == y.width && x2.width == x.width && gpri_by_four(x2) == gpri_by_four(x) &&
            y2.rows == y.rows && apart(y2, y) && apart(y, x2) && apart(y2, x)) {
            streams.y[1] = y2;
            streams.x[1] = x2;
            p->done[i++] = true;
        }
    }
    targets t = {{streams.y[0], streams.y[1]}, {}, {&streams.then[0], &streams.then[1]}, true, {x, streams.x[1]}};
    const bool in_place = !apart(y, x) || !apart(streams.y[1], streams.x[1]);
    if (!in_place && gpri_by_four(y) && gpri_by_four(streams.y[1])) take_all(p, &t, i);
    gpri_cuda_linear_forward_streams(&streams, w, b);
    return true;
}

/* A step on dy that the next call, linear_backward, can take along. */
bool begins_linear_backward(const pass *p, int64_t i, element_call *before) {
    const auto *backward = call_at(p, i + 1, gpri_cuda_linear_backward);
    if (!backward || !element_call_of(p, i, before)) return false;
    const auto &[dx, dw, db, dy, x, w] = *backward;
    (void)dw, (void)db, (void)w;
    return gpri_cuda_linear_is_narrow(dx, dy, x) && p->lazy[i + 1] && same_matrix(before->y, dy) && by_four(before) &&
           apart(before->other, dx) && apart(before->other, x);
}

/* dx = dy w' with the steps before and after; dw, db and, where a bias comes before, its gradient stay in parts. */
bool join_linear_backward(pass *p, int64_t i) {
    linear_more more = {};
    element_call before;
    const int64_t begin = i;
    if (begins_linear_backward(p, i, &before)) {
        append(&more.before, &before);
        i++;
    }
    const auto *backward = call_at(p, i, gpri_cuda_linear_backward);
    if (!backward || !p->lazy[i]) return false;
    const auto &[dx, dw, db, dy, x, w] = *backward;
    (void)db;
    const int64_t size = (x.width + 1) * dy.width;
    const bool narrow = gpri_cuda_linear_is_narrow(dx, dy, x);
    copied copies[MOST_COPIES], of_bias[MOST_COPIES];
    const int count = copies_of(p, copies, dw, size, i);
    /* x has been read when the steps are done: they may write there. */
    targets t = {{dx, gpri_no_matrix}, {}, {&more.after, NULL}, true, {}};
    int64_t next = i + 1, bias = -1;
    element_call step;
    while (apart(dx, dy) && apart(dx, x) && gpri_by_four(dx) && next < p->count) {
        const auto *sums = bias < 0 && narrow && p->lazy[next] ? call_at(p, next, gpri_cuda_bias_backward) : NULL;
        if (sums && same_matrix(std::get<1>(*sums), dx)) bias = next;
        else if (!element_call_of(p, next, &step) || !apart(step.other, dy) ||
                 (bias >= 0 && step.step.kind != STEP_STORE) || !take(&t, &step))
            break;
        next++;
    }
    int bias_count = 0;
    if (bias >= 0) {
        const auto &[b, of] = *call_at(p, bias, gpri_cuda_bias_backward);
        bias_count = copies_of(p, of_bias, b, of.width, bias);
    }
    more.sums = bias >= 0;
    gradient_source from;
    for (int64_t k = begin; k < next; k++) p->done[k] = true;
    if (!gpri_cuda_linear_backward_parts(&from, dx, dy, x, w, &more)) return true;
    leave_to_adam(p, copies, count, from, 0);
    leave_to_adam(p, of_bias, bias_count, from, size);
    return true;
}

bool join_bias_backward(pass *p, int64_t i) {
    const auto *backward = call_at(p, i, gpri_cuda_bias_backward);
    if (!backward || !p->lazy[i]) return false;
    const auto &[db, dy] = *backward;
    copied copies[MOST_COPIES];
    const int count = copies_of(p, copies, db, dy.width, i);
    gradient_source from;
    p->done[i] = true;
    if (gpri_cuda_bias_backward_parts(&from, dy)) leave_to_adam(p, copies, count, from, 0);
    return true;
}

bool join_features_backward(pass *p, int64_t i) {
    const auto *backward = call_at(p, i, gpri_cuda_features_backward);
    if (!backward) return false;
    const auto &[dw, dy, x, keep, scale, first, j0, j1] = *backward;
    const int64_t size = x->cols * dy.width;
    gradient_source from;
    if (j0 != 0 || j1 != x->cols || size == 0 || !only_adam_uses(p, dw, size, i) ||
        !gpri_cuda_features_backward_pieces(&from, dw, dy, x, keep, scale, first))
        return false;
    p->done[i] = true;
    p->known[p->known_count++] = known_gradient{dw, from};
    return true;
}

/* The bits of the features' dropout for the step that comes: the first thing of a forward pass. */
void take_bits(pass *p, update_all *all, int64_t i) {
    const auto *draw = call_at(p, i, gpri_cuda_keep_bits);
    if (!draw) return;
    const auto &[bits, mask, g0, g1] = *draw;
    if (mask->step != all->step || g1 <= g0) return;
    all->bits = bits;
    all->mask = *mask;
    all->g0 = g0;
    all->g1 = g1;
    p->done[i] = true;
}

/* All steps of Adam that follow, going on to the next step, and what is drawn for it. */
bool join_adam(pass *p, int64_t i) {
    update_all all = {};
    const gpri_record *of = NULL;
    for (; all.jobs < all.MOST; i++) {
        const auto *adam = call_at(p, i, gpri_cuda_adam);
        if (!adam) break;
        const auto &[w, m, v, gradient, record, decay, shrink, count] = *adam;
        if ((of && of != record) || count % 4 || count <= 0 || !gpri_by_four(w) || !gpri_by_four(m) ||
            !gpri_by_four(v) || !gpri_by_four(gradient))
            break;
        of = record;
        update_job *job = &all.job[all.jobs++];
        *job = update_job{w, m, v, (gpri_real *)gradient, {}, count, decay, shrink, 0};
        for (int k = 0; k < p->known_count; k++)
            if (p->known[k].gradient == gradient) job->from = p->known[k].from;
        p->done[i] = true;
    }
    if (all.jobs == 0) return false;
    all.record = (gpri_record *)of;
    if (const auto *advance = call_at(p, i, gpri_cuda_advance)) {
        const auto &[record, step, rule] = *advance;
        if (record == of) {
            all.step = step;
            all.lr = rule->lr;
            p->done[i] = true;
            take_bits(p, &all, i + 1);
        }
    }
    gpri_cuda_update(&all);
    return true;
}

/* Scores, and judging by them; and the row of gamma, which needs to know what was judged. */
bool join_score(pass *p, int64_t i) {
    const auto *score = call_at(p, i, gpri_cuda_score);
    const auto *judge = call_at(p, i + 1, gpri_cuda_judge);
    if (!score || !judge) return false;
    const auto &[scores, z, targets_of, first] = *score;
    const auto &[record, history, judged, chunks, step, rule] = *judge;
    if (judged != scores || chunks != 1) return false;
    judge_more more = {};
    more.record = record;
    more.history = history;
    more.step = step;
    more.rule = *rule;
    p->done[i] = p->done[i + 1] = true;
    if (call_at(p, i + 2, gpri_cuda_keep_best))
        if (const auto *keep = call_at(p, i + 3, gpri_cuda_keep_gamma)) {
            const auto &[rows, gamma, count, at, by, of] = *keep;
            if (at == step && by == record && of == rule) {
                more.gamma_rows = rows;
                more.gamma = gamma;
                more.gamma_count = count;
                p->done[i + 3] = true;
            }
        }
    gpri_cuda_score_and_judge(scores, z, targets_of, first, &more);
    return true;
}

/* A partial sum that Adam adds up needs no zeros. */
bool join_zero(pass *p, int64_t i) {
    const int64_t maker = maker_of(p, i);
    if (maker < 0) return false;
    p->lazy[maker] = true;
    return true;
}

/* Copies and zeros that follow each other and touch different elements. */
bool join_moves(pass *p, int64_t i) {
    element_moves moves = {};
    int64_t end = i;
    for (; moves.count < moves.MOST; end++) {
        element_move move = {};
        if (const auto *copy = call_at(p, end, gpri_cuda_copy)) {
            move.y = std::get<0>(*copy);
            move.x = std::get<1>(*copy);
            move.x.rows = move.y.rows;
            move.x.width = move.y.width;
        } else if (const auto *zero = call_at(p, end, gpri_cuda_zero)) {
            if (maker_of(p, end) >= 0) break; /* there is nothing to be done */
            move.y = std::get<0>(*zero);
        } else break;
        bool free = move.y.rows > 0 && move.y.width > 0 && apart(move.y, move.x);
        for (int k = 0; k < moves.count; k++)
            free = free && apart(move.y, moves.of[k].y) && apart(move.y, moves.of[k].x) && apart(move.x, moves.of[k].y);
        if (!free) break;
        moves.of[moves.count++] = move;
    }
    element_call next; /* a short row of them may go along with what comes after it */
    if (moves.count < 2 || (moves.count == 2 && element_call_of(p, end, &next))) return false;
    for (int64_t k = i; k < end; k++) p->done[k] = true;
    gpri_cuda_move(&moves);
    return true;
}

/* Steps on one matrix, or on two of the same shape. */
bool join_elements(pass *p, int64_t i) {
    element_call first, other;
    if (!element_call_of(p, i, &first)) return false;
    element_chain chain = {};
    chain.y[0] = first.y;
    targets t = {{first.y, gpri_no_matrix}, {}, {&chain.program[0], &chain.program[1]}, false, {}};
    const int64_t begin = i;
    while (element_call_of(p, i, &other)) {
        const bool second = !t.y[1].at && other.y.rows == first.y.rows && other.y.width == first.y.width &&
                            apart(other.y, first.y) && !same_matrix(other.y, first.y);
        if (second) {
            bool free = true;
            for (int k = 0; k < chain.program[0].count; k++) free = free && apart(other.y, t.other[0][k]);
            if (!free) break;
            t.y[1] = other.y;
        }
        if (!take(&t, &other)) {
            if (second) t.y[1] = gpri_no_matrix;
            break;
        }
        i++;
    }
    if (i - begin < 2) return false;
    chain.y[1] = t.y[1];
    for (int64_t k = begin; k < i; k++) p->done[k] = true;
    gpri_cuda_chain(&chain);
    return true;
}

} // namespace

void gpri_cuda_join(const gpri_cuda_list *list) {
    static bool (*const joins[])(pass *, int64_t) = {
        join_zero,          join_features_forward,  join_linear_forward, join_linear_backward,
        join_bias_backward, join_features_backward, join_adam,           join_score,
        join_moves,         join_elements};
    bool *flags = (bool *)calloc((size_t)list->count + 1, 2 * sizeof *flags);
    pass p = {list->calls, list->count, flags, flags + list->count, {}, 0};
    for (int64_t i = 0; i < list->count; i++) {
        bool joined = flags && p.done[i];
        for (size_t k = 0; flags && !joined && k < sizeof joins / sizeof *joins; k++) joined = joins[k](&p, i);
        if (!joined) list->calls[i].run(list->calls[i].arguments);
        if (flags) p.done[i] = true;
    }
    free(flags);
}
