/* The scores of all nodes, in one process or several. */
#include <string.h>

#include "layer/net.h"

gpr_status gpri_net_reserve_scores(const gpri_net *net) {
    gpri_share *share = net->walk.share;
    if (!share || share->scores) return GPR_OK;
    return gpri_alloc(net->ctx, &share->scores, net->walk.rows.nodes * net->output->width, sizeof *share->scores,
                      "scores");
}

gpr_status gpri_net_all_scores(const gpri_net *net, gpri_matrix *out) {
    gpri_share *share = net->walk.share;
    gpri_matrix z = gpri_net_output(net, GPRI_EVAL_STREAM);
    const int64_t width = net->output->width, row = width * (int64_t)sizeof *z.at;
    *out = z;
    if (!share) return GPR_OK;
    NEED(gpri_group_all_well(share->group, gpri_net_reserve_scores(net)));
    for (int64_t p = 0; p <= share->group->size; p++) share->begin[p] = share->cuts[p] * row;
    for (int64_t i = 0; i < z.rows; i++)
        memcpy(share->scores + (net->walk.rows.first + i) * width, z.at + i * z.ld, (size_t)row);
    share->group->gather(share->group, share->scores, share->begin);
    *out = (gpri_matrix){share->scores, net->walk.rows.nodes, z.cols, width, width};
    return GPR_OK;
}

/* Rows of z without gaps, some at a time: from this process to process 0, or there from another one. */
static void pass_rows(gpri_group *group, gpri_matrix z, int64_t width, gpri_real *to, int64_t rows, int64_t other) {
    enum { SOME = 4096 };
    gpri_real some[SOME];
    const int64_t most = width < SOME ? SOME / width : 1;
    for (int64_t first = 0; first < rows; first += most) {
        const int64_t count = rows - first < most ? rows - first : most;
        const int64_t bytes = count * width * (int64_t)sizeof *some;
        if (other > 0) group->receive(group, to + first * width, bytes, other);
        else if (width >= SOME) group->send(group, z.at + first * z.ld, bytes, 0);
        else {
            for (int64_t i = 0; i < count; i++)
                memcpy(some + i * width, z.at + (first + i) * z.ld, (size_t)width * sizeof *some);
            group->send(group, some, bytes, 0);
        }
    }
}

gpr_status gpri_net_root_scores(const gpri_net *net, gpri_matrix *out) {
    gpri_share *share = net->walk.share;
    gpri_matrix z = gpri_net_output(net, GPRI_EVAL_STREAM);
    const int64_t width = net->output->width;
    *out = z;
    if (!share) return GPR_OK;
    gpri_group *group = share->group;
    const bool root = group->rank == 0;
    NEED(gpri_group_all_well(group, root ? gpri_net_reserve_scores(net) : GPR_OK));
    *out = gpri_no_matrix;
    if (!root) {
        pass_rows(group, z, width, NULL, z.rows, 0);
        return GPR_OK;
    }
    for (int64_t i = 0; i < z.rows; i++)
        memcpy(share->scores + i * width, z.at + i * z.ld, (size_t)width * sizeof *z.at);
    for (int64_t p = 1; p < group->size; p++)
        pass_rows(group, z, width, share->scores + share->cuts[p] * width, share->cuts[p + 1] - share->cuts[p], p);
    *out = (gpri_matrix){share->scores, net->walk.rows.nodes, z.cols, width, width};
    return GPR_OK;
}

gpr_status gpri_net_scores(const gpri_net *net, gpri_real *out, int64_t ld) {
    enum { SOME = 16384 }; /* numbers that are fetched at a time: a copy takes long to begin */
    gpri_matrix z;
    NEED(gpri_net_all_scores(net, &z));
    gpri_real some[SOME];
    const int64_t bytes = (int64_t)sizeof *out, most = z.ld <= SOME ? SOME / z.ld : 1; /* rows at a time */
    for (int64_t first = 0; first < z.rows; first += most) {
        const int64_t rows = z.rows - first < most ? z.rows - first : most;
        gpri_real *from = rows > 1 ? some : out + first * ld;
        net->device->get(net->device, from, z.at + first * z.ld, ((rows - 1) * z.ld + z.cols) * bytes);
        for (int64_t i = 0; rows > 1 && i < rows; i++)
            memcpy(out + (first + i) * ld, some + i * z.ld, (size_t)(z.cols * bytes));
    }
    return gpri_device_check(net->ctx);
}
