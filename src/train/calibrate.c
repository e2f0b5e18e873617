/* The loss is convex in b = 1 / T: Newton's steps on its derivative, kept inside an interval that holds the root. Where
 * all nodes are right, or nearly all, the loss alone would make probabilities of 0 and 1, however few the nodes are. So
 * their mean confidence is at most what Laplace's rule of succession gives. */
#include "train/calibrate.h"

#include <math.h>
#include <string.h>

static const double least = 1.0 / 20, most = 20; /* of b, and so of T */

/* Mean of -log softmax(b z)[label], and its first two derivatives by b. */
static double loss_at(double b, double *slope, double *bend, const gpri_real *z, const int32_t *labels, int64_t count,
                      int64_t classes) {
    double loss = 0;
    *slope = *bend = 0;
    for (int64_t i = 0; i < count; i++) {
        const gpri_real *row = z + i * classes;
        const double top = (double)row[gpri_best_of(row, classes)];
        double sum = 0, first = 0, second = 0;
        for (int64_t c = 0; c < classes; c++) {
            const double d = (double)row[c] - top, e = exp(b * d);
            sum += e;
            first += e * d;
            second += e * d * d;
        }
        const double own = (double)row[labels[i]] - top, mean = first / sum;
        loss += log(sum) - b * own;
        *slope += mean - own;
        *bend += second / sum - mean * mean;
    }
    *slope /= (double)count;
    *bend /= (double)count;
    return loss / (double)count;
}

/* The mean over the nodes of the largest probability, less (right + 1) / (count + 2). Above 0: too confident. */
static double surplus_at(double b, const gpri_real *z, const int32_t *labels, int64_t count, int64_t classes) {
    double sure = 0;
    int64_t right = 0;
    for (int64_t i = 0; i < count; i++) {
        const gpri_link link = gpri_link_of(z + i * classes, classes, b);
        sure += 1 / link.sum;
        right += link.best == labels[i];
    }
    return sure / (double)count - (double)(right + 1) / (double)(count + 2);
}

void gpri_fit_temperature(gpri_calibration *out, const gpri_real *z, const int32_t *labels, int64_t count,
                          int64_t classes) {
    double low = least, high = most, b = 1, slope, bend;
    out->before = loss_at(1, &slope, &bend, z, labels, count, classes);
    for (int step = 0; step < 100; step++) {
        if (slope > 0) high = b;
        else low = b;
        double next = b - slope / bend;
        if (!(next > low && next < high)) next = sqrt(low * high); /* also where bend is 0 */
        const double change = fabs(next - b);
        b = next;
        if (change <= 1e-10 * b) break;
        (void)loss_at(b, &slope, &bend, z, labels, count, classes);
    }
    if (b > 1 && surplus_at(b, z, labels, count, classes) > 0) { /* between 1 and b, where the surplus grows with b */
        low = 1;
        for (high = b; high - low > 1e-10 * high; b = low) {
            const double middle = (low + high) / 2;
            if (surplus_at(middle, z, labels, count, classes) > 0) high = middle;
            else low = middle;
        }
    }
    out->after = loss_at(b, &slope, &bend, z, labels, count, classes);
    out->temperature = 1 / b;
}

/* Copies the rows of the validation nodes: z (count x classes), labels (count). */
static gpr_status copy_rows(const gpri_trainer *trainer, const gpr_split *split, const gpri_real *smoothed,
                            gpri_real *z, int32_t *labels) {
    const gpri_net *net = trainer->net;
    gpri_matrix from;
    NEED(gpri_net_all_scores(net, &from));
    const int64_t bytes = from.cols * (int64_t)sizeof *z;
    for (int64_t node = 0; node < from.rows; node++) {
        if (split->part[node] != GPR_VAL) continue;
        if (smoothed) memcpy(z, smoothed + node * gpri_padded(from.cols), (size_t)bytes);
        else net->device->get(net->device, z, from.at + node * from.ld, bytes);
        z += from.cols;
        *labels++ = trainer->data->target.labels[node];
    }
    return gpri_device_check(trainer->ctx);
}

gpr_status gpri_calibrate(gpri_calibration *out, const gpri_trainer *trainer, const gpr_split *split,
                          const gpri_real *smoothed) {
    const int64_t count = trainer->rule.part_count[GPR_VAL], classes = trainer->data->target.classes;
    gpr_status status = GPR_OK;
    gpri_real *z = NULL;
    int32_t *labels = NULL;
    bool several = false;
    *out = (gpri_calibration){NAN, NAN, NAN, NULL};
    if (count < GPRI_CALIBRATE_LEAST) {
        out->skipped = "there are fewer than 20 validation nodes";
        return GPR_OK;
    }
    TRY(gpri_alloc(trainer->ctx, &z, count * classes, sizeof *z, "scores"));
    TRY(gpri_alloc(trainer->ctx, &labels, count, sizeof *labels, "labels"));
    TRY(copy_rows(trainer, split, smoothed, z, labels));
    for (int64_t i = 1; i < count; i++) several = several || labels[i] != labels[0];
    if (several) gpri_fit_temperature(out, z, labels, count, classes);
    else out->skipped = "all validation nodes are of one class";
done:
    gpri_free_all(trainer->ctx, z, labels);
    return status;
}
