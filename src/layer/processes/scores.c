/* The scores of all nodes, in one process or several. */
#include <string.h>

#include "layer/processes/share.h"

gpr_status gpri_net_reserve_scores(const gpri_net *net) {
    gpri_share *share = net->share;
    if (!share || share->scores) return GPR_OK;
    return gpri_alloc(net->ctx, &share->scores, net->rows.nodes * net->output->width, sizeof *share->scores, "scores");
}

gpr_status gpri_net_all_scores(const gpri_net *net, gpri_matrix *out) {
    gpri_share *share = net->share;
    gpri_matrix z = gpri_net_output(net, GPRI_EVAL_STREAM);
    const int64_t width = net->output->width, row = width * (int64_t)sizeof *z.at;
    *out = z;
    if (!share) return GPR_OK;
    gpr_status status = gpri_group_all_well(share->group, gpri_net_reserve_scores(net));
    if (status != GPR_OK) return status;
    for (int64_t p = 0; p <= share->group->size; p++) share->begin[p] = share->cuts[p] * row;
    for (int64_t i = 0; i < z.rows; i++)
        memcpy(share->scores + (net->rows.first + i) * width, z.at + i * z.ld, (size_t)row);
    share->group->gather(share->group, share->scores, share->begin);
    *out = (gpri_matrix){share->scores, net->rows.nodes, z.cols, width, width};
    return GPR_OK;
}

gpr_status gpri_net_scores(const gpri_net *net, gpri_real *out, int64_t ld) {
    enum { SOME = 16384 }; /* numbers that are fetched at a time: a copy takes long to begin */
    gpri_matrix z;
    gpr_status status = gpri_net_all_scores(net, &z);
    if (status != GPR_OK) return status;
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
