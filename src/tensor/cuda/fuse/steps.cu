/* Calls that change elements one by one, as steps that kernels take along. */
#include "tensor/cuda/fuse/pass.cuh"

bool same_matrix(gpri_matrix a, gpri_matrix b) {
    return a.at == b.at && a.rows == b.rows && a.width == b.width && (a.ld == b.ld || a.rows == 1);
}

bool apart(gpri_matrix a, gpri_matrix b) {
    if (!a.at || !b.at) return true;
    const gpri_real *a_end = a.at + (a.rows - 1) * a.ld + a.width, *b_end = b.at + (b.rows - 1) * b.ld + b.width;
    if (a_end <= b.at || b_end <= a.at) return true;
    if (a.ld != b.ld) return false;
    const int64_t step = b.at > a.at ? b.at - a.at : a.at - b.at, width = b.at > a.at ? a.width : b.width,
                  other = b.at > a.at ? b.width : a.width;
    return step >= width && step + other <= a.ld;
}

static element_step step_with(element_kind kind, gpri_matrix other) {
    element_step step = {};
    step.kind = kind;
    step.at = other.at;
    step.ld = other.ld;
    return step;
}

/* Drawing many digits for each element again costs more than a kernel that shares them. */
static bool draws_little(gpri_matrix x, const gpri_mask *mask) {
    const int64_t most = 1 << 23;
    return x.rows * x.width * mask->rate.digits <= most * 2;
}

bool element_call_of(const pass *p, int64_t i, element_call *out) {
    *out = {};
    if (const auto *relu = call_at(p, i, gpri_cuda_relu_forward)) {
        out->y = std::get<0>(*relu);
        out->step.kind = STEP_RELU;
    } else if (const auto *bias = call_at(p, i, gpri_cuda_bias_forward)) {
        out->y = std::get<0>(*bias);
        out->step.kind = STEP_BIAS;
        out->step.at = (gpri_real *)std::get<1>(*bias);
    } else if (const auto *scale = call_at(p, i, gpri_cuda_scale)) {
        out->y = std::get<0>(*scale);
        out->step.kind = STEP_SCALE;
        out->step.factor = std::get<1>(*scale);
    } else if (const auto *dropout = call_at(p, i, gpri_cuda_dropout)) {
        const auto &[x, mask, first] = *dropout;
        if (!draws_little(x, mask)) return false;
        out->y = x;
        out->step.kind = STEP_DROPOUT;
        out->step.mask = *mask;
        out->step.first = first;
        out->step.cols = x.cols;
    } else if (const auto *relu_back = call_at(p, i, gpri_cuda_relu_backward)) {
        out->y = std::get<0>(*relu_back);
        out->other = std::get<1>(*relu_back);
        out->step = step_with(STEP_RELU_BACKWARD, out->other);
    } else if (const auto *elu_back = call_at(p, i, gpri_cuda_elu_backward)) {
        const auto &[dx, dy, x] = *elu_back;
        if (!same_matrix(dx, dy)) return false;
        out->y = dx;
        out->other = x;
        out->step = step_with(STEP_ELU_BACKWARD, x);
    } else if (const auto *copy = call_at(p, i, gpri_cuda_copy)) {
        out->y = std::get<1>(*copy); /* its elements also go to the other */
        out->other = std::get<0>(*copy);
        out->y.rows = out->other.rows;
        out->y.width = out->other.width;
        out->step = step_with(STEP_STORE, out->other);
    } else return false;
    return out->y.rows > 0 && out->y.width > 0;
}

bool append(element_program *program, const element_call *call) {
    if (program->count == program->MOST) return false;
    program->steps[program->count++] = call->step;
    return true;
}

bool by_four(const element_call *call) {
    return gpri_by_four(call->y) && gpri_by_four(call->step.at) && call->step.ld % 4 == 0;
}

bool take(targets *t, const element_call *call) {
    for (int which = 0; which < 2; which++) {
        if (!t->program[which] || !t->y[which].at || !same_matrix(t->y[which], call->y)) continue;
        if (t->four && !by_four(call)) return false;
        for (int k = 0; k < 2; k++)
            if (call->step.kind == STEP_STORE && !apart(call->other, t->reads[k])) return false;
        const int against = 1 - which;
        if (!apart(call->other, t->y[against])) return false;
        for (int k = 0; t->program[against] && k < t->program[against]->count; k++)
            if (!apart(call->other, t->other[against][k])) return false;
        const int place = t->program[which]->count;
        if (!append(t->program[which], call)) return false;
        t->other[which][place] = call->other;
        return true;
    }
    return false;
}

int64_t take_all(pass *p, targets *t, int64_t i) {
    element_call call;
    while (i < p->count && element_call_of(p, i, &call) && take(t, &call)) p->done[i++] = true;
    return i;
}
