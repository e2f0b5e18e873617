/* Which way a polynomial is walked, and how its columns are cut into panels. */
#include "walk/way.h"

#include <stdio.h>

bool gpri_way_far(const gpri_walker *walker, int64_t columns) {
    return walker->device->tile != 0 && walker->rows.nodes * columns * (int64_t)sizeof(gpri_real) > walker->ctx->large;
}

gpri_way gpri_way_of(const gpri_walker *walker, int64_t cols, int64_t width, int64_t streams, bool single,
                     bool plain) {
    const int64_t columns = streams * width;
    const bool large = gpri_way_far(walker, columns), alone = !walker->share;
    gpri_way way = {.kind = GPRI_WAY_WHOLE, .far = large, .panels = {.cols = cols, .width = width}};
    if (walker->device->tile == 0) way.kind = plain ? GPRI_WAY_CALL : GPRI_WAY_WHOLE;
    else if (large && cols == 2 && alone && single) way.kind = GPRI_WAY_PAIRS;
    else if (large && columns > GPRI_PANEL) {
        way.kind = GPRI_WAY_PANELS;
        way.panels.each = (cols + GPRI_PANEL - 1) / GPRI_PANEL;
        way.far = gpri_way_far(walker, GPRI_PANEL);
    }
    if (!alone && !walker->share->halo) way.kind = GPRI_WAY_COLUMNS;
    return way;
}

const char *gpri_way_text(char out[GPRI_WAY_TEXT], const gpri_way *way) {
    const char *ahead = way->far ? ", rows fetched ahead" : "";
    if (way->kind == GPRI_WAY_PAIRS) snprintf(out, GPRI_WAY_TEXT, "two classes without padding%s", ahead);
    else if (way->panels.each) snprintf(out, GPRI_WAY_TEXT, "panels of %d columns%s", GPRI_PANEL, ahead);
    else snprintf(out, GPRI_WAY_TEXT, "all columns together%s", ahead);
    return out;
}

int64_t gpri_panel_count(const gpri_panels *panels, gpri_matrix x) {
    return panels->each ? x.width / panels->width * panels->each : 1;
}

/* Columns that the last panel of a stream ends with. */
static int64_t covered(const gpri_panels *panels) {
    const int64_t whole = (panels->each - 1) * GPRI_PANEL;
    return whole + gpri_padded(panels->cols - whole);
}

gpri_matrix gpri_panel(const gpri_panels *panels, gpri_matrix x, int64_t panel) {
    if (!panels->each) return x;
    const int64_t stream = panel / panels->each, first = panel % panels->each * GPRI_PANEL;
    const int64_t left = covered(panels) - first;
    return gpri_columns_of(x, stream * panels->width + first, left < GPRI_PANEL ? left : GPRI_PANEL);
}

typedef struct {
    const gpri_walker *walker;
    gpri_matrix x;
} padding;

static void pad_rows(void *arg, gpri_chunk rows) {
    const padding *p = arg;
    p->walker->device->ops->zero(gpri_rows_of(p->x, gpri_walker_place(p->walker, rows.first), rows.count));
}

void gpri_panels_pad(const gpri_panels *panels, const gpri_walker *walker, gpri_matrix x) {
    const int64_t end = panels->each ? covered(panels) : panels->width;
    for (int64_t stream = 0; end < panels->width && stream < x.width / panels->width; stream++) {
        padding p = {walker, gpri_columns_of(x, stream * panels->width + end, panels->width - end)};
        gpri_walker_rows(walker, 2, pad_rows, &p);
    }
}
