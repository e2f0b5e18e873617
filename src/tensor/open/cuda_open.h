/* Opens the cards of this machine: libgprgnn_cuda.so is loaded when a card is first asked for. */
#ifndef GPRI_CUDA_OPEN_H
#define GPRI_CUDA_OPEN_H

#include "tensor/device.h"

#define GPRI_CUDA_NAME_SIZE 1024

/* card: its number, -1: the first. name (GPRI_CUDA_NAME_SIZE): what the card is called, for messages. The error says
   what is missing and what to do: GPR_ERROR_IO. */
gpr_status gpri_cuda_device(const gpri_device **out, int card, char *name) GPRI_MUST_CHECK;

#endif
