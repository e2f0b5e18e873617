/* A libgprgnn_cuda.so for tests. It has cards 0 to 3, which cannot compute; or, where the environment has FAKE_MESSAGE,
 * none. */
#include <stdio.h>
#include <stdlib.h>

#include "tensor/cuda/base/plugin.h"

gpri_cuda_open_fn gpri_cuda_open;

static const gpri_ops ops = {.name = "fake"};
static const gpri_device device = {.name = "cuda", .ops = &ops, .lag = 1};

__attribute__((visibility("default"))) const gpri_device *gpri_cuda_open(const gpri_cuda_host *host, int card,
                                                                         char *message, size_t size) {
    static const size_t own[GPRI_CUDA_STAMPS] = GPRI_CUDA_STAMP;
    const char *wrong = getenv("FAKE_MESSAGE");
    for (int i = 0; !wrong && i < GPRI_CUDA_STAMPS; i++)
        if (host->stamp[i] != own[i]) wrong = "another stamp";
    if (!wrong && card > 3) wrong = "there is no card 4";
    snprintf(message, size, "%s %d", wrong ? wrong : "fake card", card);
    return wrong ? NULL : &device;
}
