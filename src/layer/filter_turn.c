/* Weights before Bernstein's polynomials as numbers before Chebyshev's: b_k = sum_j T_kj T_j, so that
 *
 *     theta_{t,j} = sum_k T_kj gamma_{t,k},   theta_0 = sum_t sum_k T_k0 gamma_{t,k},   as T_0 = 1 for every term t
 *
 * Both are small; the product is an operation of the device, like any other. */
#include "layer/filter_turn.h"

#include "base/memory.h"

/* M: (thetas x rows). */
static void fill(double *m, const double *chebyshev, const gpri_filter_form *form) {
    const int64_t K = form->hops, rows = gpri_form_rows(form);
    for (int t = 0; t < form->count; t++)
        for (int64_t k = 0; k <= K; k++)
            for (int64_t j = 0; j <= K; j++)
                m[(j == 0 ? 0 : t * K + j) * rows + gpri_form_row(form, t, k)] = chebyshev[k * (K + 1) + j];
}

/* A matrix with zeros behind its rows and columns, in the device's memory. */
static gpr_status put(gpri_real **out, gpri_net *net, const double *m, int64_t rows, int64_t cols, int64_t row_step,
                      int64_t column_step) {
    const int64_t width = gpri_padded(cols), count = gpri_padded(rows) * width;
    gpri_real *host = NULL;
    gpr_status status = GPR_OK;
    TRY(gpri_calloc(net->ctx, &host, count, sizeof *host, "graph filter"));
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) host[i * width + j] = (gpri_real)m[i * row_step + j * column_step];
    TRY(gpri_net_alloc(net, out, count, sizeof **out, false, "graph filter"));
    net->device->put(net->device, *out, host, count * (int64_t)sizeof *host);
done:
    gpri_free(net->ctx, host);
    return status;
}

gpr_status gpri_filter_turn_plan(gpri_filter_turn *turn, gpri_net *net, const gpri_filter_form *form,
                                 const gpri_weight *gamma) {
    const int64_t K = form->hops, rows = gpri_form_rows(form), thetas = 1 + form->count * K;
    const int64_t numbers = form->columns ? gpri_padded(thetas) * gamma->width : gpri_padded(thetas);
    double *chebyshev = NULL, *m = NULL;
    gpr_status status = GPR_OK;
    *turn = (gpri_filter_turn){.gamma = gamma,
                               .theta = gamma->value,
                               .dtheta = gamma->gradient,
                               .rows = rows,
                               .thetas = thetas,
                               .columns = form->columns};
    if (!form->bernstein) goto done;
    TRY(gpri_alloc(net->ctx, &chebyshev, (K + 1) * (K + 1), sizeof *chebyshev, "graph filter"));
    TRY(gpri_calloc(net->ctx, &m, thetas * rows, sizeof *m, "graph filter"));
    gpri_bernstein_in_chebyshev(chebyshev, K);
    fill(m, chebyshev, form);
    TRY(put(&turn->there, net, m, rows, thetas, 1, rows));
    TRY(put(&turn->back, net, m, thetas, rows, rows, 1));
    TRY(gpri_net_alloc(net, &turn->turned, numbers, sizeof(gpri_real), true, "graph filter"));
    TRY(gpri_net_alloc(net, &turn->dtheta, numbers, sizeof(gpri_real), true, "graph filter"));
    turn->theta = turn->turned;
done:
    gpri_free_all(net->ctx, chebyshev, m);
    return status;
}

/* to = m from, or of a row to = from m'. */
static void multiply(const gpri_filter_turn *turn, const gpri_ops *ops, gpri_real *to, int64_t to_rows,
                     const gpri_real *from, int64_t from_rows, const gpri_real *m, const gpri_real *transposed) {
    const int64_t width = gpri_padded(from_rows);
    if (turn->columns)
        ops->linear_forward(gpri_packed(to, to_rows, turn->gamma->width), gpri_packed((gpri_real *)m, to_rows, width),
                            from, NULL);
    else
        ops->linear_forward(gpri_packed(to, 1, gpri_padded(to_rows)), gpri_packed((gpri_real *)from, 1, width),
                            transposed, NULL);
}

void gpri_filter_turn_there(const gpri_filter_turn *turn, const gpri_ops *ops) {
    if (turn->turned)
        multiply(turn, ops, turn->turned, turn->thetas, turn->gamma->value, turn->rows, turn->back, turn->there);
}

void gpri_filter_turn_back(const gpri_filter_turn *turn, const gpri_ops *ops) {
    if (turn->turned)
        multiply(turn, ops, turn->gamma->gradient, turn->rows, turn->dtheta, turn->thetas, turn->there, turn->back);
}
