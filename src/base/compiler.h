/* The only place for compiler extensions. */
#ifndef GPRI_COMPILER_H
#define GPRI_COMPILER_H

/* Functions that kernels of a GPU call too. */
#ifdef __CUDACC__
#define GPRI_ON_DEVICE __host__ __device__
#else
#define GPRI_ON_DEVICE
#endif

#if defined(__GNUC__)
#define GPRI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define GPRI_UNUSED __attribute__((unused))
#define GPRI_INLINE static inline GPRI_ON_DEVICE __attribute__((always_inline, unused))
#define GPRI_MUST_CHECK __attribute__((warn_unused_result))
#else
#define GPRI_PRINTF(fmt, args)
#define GPRI_UNUSED
#define GPRI_INLINE static inline GPRI_ON_DEVICE
#define GPRI_MUST_CHECK
#endif

/* How many zero bits are below the lowest one of x, which is not 0. */
#if defined(__GNUC__)
#define GPRI_TRAILING_ZEROS(x) __builtin_ctzll(x)
#else
static inline int gpri_trailing_zeros(unsigned long long x) {
    int count = 0;
    for (; !(x & 1); x >>= 1) count++;
    return count;
}
#define GPRI_TRAILING_ZEROS(x) gpri_trailing_zeros(x)
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define GPRI_LITTLE_ENDIAN 1
#else
#define GPRI_LITTLE_ENDIAN 0
#endif

/* Tells the CPU that this loop waits. */
#if defined(__x86_64__) || defined(__i386__)
#define GPRI_PAUSE() __builtin_ia32_pause()
#else
#define GPRI_PAUSE() ((void)0)
#endif

#ifdef __cplusplus
#define GPRI_THREAD_LOCAL thread_local
#else
#define GPRI_THREAD_LOCAL _Thread_local
#endif

#endif
