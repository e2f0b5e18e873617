/* The CPU: its device, and its tables of operations. */
#ifndef GPRI_CPU_H
#define GPRI_CPU_H

#include "tensor/device.h"

/* All tables that this CPU can run, ref first; returns how many. For tests and benchmarks. */
int gpri_ops_all(const gpri_ops **out, int most);

/* The CPU with the table of that name, or for NULL or "auto" with the best that it has. */
gpr_status gpri_cpu_device(const gpri_device **out, const char *cpu) GPRI_MUST_CHECK;
/* The CPU with a given table. */
const gpri_device *gpri_cpu_device_with(const gpri_ops *ops);

#endif
