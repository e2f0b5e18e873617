/* How the columns of a state are cut into panels. */
#include "layer/panels.h"

#include <stdio.h>

static int64_t state_bytes(const gpri_net *net, int64_t columns) {
    return net->rows.nodes * columns * (int64_t)sizeof(gpri_real);
}

gpri_panels gpri_panels_of(const gpri_net *net, int64_t cols, int64_t width, int64_t streams) {
    gpri_panels panels = {.cols = cols, .width = width, .most = GPRI_PANEL};
    const int64_t columns = streams * width;
    if (net->device->tile != 0 && columns > GPRI_PANEL && state_bytes(net, columns) > net->ctx->large)
        panels.each = (cols + GPRI_PANEL - 1) / GPRI_PANEL;
    return panels;
}

gpri_panels gpri_panels_half(int64_t cols, int64_t width) {
    const int64_t most = GPRI_HALF_PANEL;
    return (gpri_panels){.cols = cols, .width = width, .each = (cols + most - 1) / most, .most = most};
}

bool gpri_panels_far(const gpri_net *net, int64_t columns) {
    return net->device->tile != 0 && state_bytes(net, columns) > net->ctx->large;
}

const char *gpri_panels_text(char out[GPRI_PANELS_TEXT], const gpri_panels *panels, bool half, bool pairs, bool far) {
    const char *numbers = half ? "bfloat16" : "float32", *ahead = far ? ", rows fetched ahead" : "";
    if (pairs) snprintf(out, GPRI_PANELS_TEXT, "two classes without padding, %s%s", numbers, ahead);
    else if (panels->each)
        snprintf(out, GPRI_PANELS_TEXT, "panels of %lld columns, %s%s", (long long)panels->most, numbers, ahead);
    else snprintf(out, GPRI_PANELS_TEXT, "all columns together, %s%s", numbers, ahead);
    return out;
}

int64_t gpri_panel_count(const gpri_panels *panels, gpri_matrix x) { return x.width / panels->width * panels->each; }

/* Columns that the last panel of a stream ends with. */
static int64_t covered(const gpri_panels *panels) {
    const int64_t whole = (panels->each - 1) * panels->most;
    return whole + gpri_padded(panels->cols - whole);
}

gpri_matrix gpri_panel(const gpri_panels *panels, gpri_matrix x, int64_t panel) {
    const int64_t stream = panel / panels->each, first = panel % panels->each * panels->most;
    const int64_t left = covered(panels) - first;
    return gpri_columns_of(x, stream * panels->width + first, left < panels->most ? left : panels->most);
}

typedef struct {
    const gpri_ops *ops;
    gpri_matrix x;
    const gpri_net *net;
} padding;

static void pad_rows(void *arg, gpri_chunk rows) {
    const padding *p = arg;
    p->ops->zero(gpri_rows_of(p->x, gpri_net_place(p->net, rows.first), rows.count));
}

void gpri_panels_pad(const gpri_panels *panels, gpri_net *net, gpri_matrix x) {
    const int64_t end = covered(panels);
    if (end == panels->width) return;
    for (int64_t stream = 0; stream < x.width / panels->width; stream++) {
        padding p = {net->ops, gpri_columns_of(x, stream * panels->width + end, panels->width - end), net};
        gpri_net_deal_rows(net, 2, pad_rows, &p);
    }
}
