/* The only place for compiler extensions. */
#ifndef GPRI_COMPILER_H
#define GPRI_COMPILER_H

#if defined(__GNUC__)
#define GPRI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define GPRI_UNUSED __attribute__((unused))
#define GPRI_INLINE static inline __attribute__((always_inline, unused))
#define GPRI_MUST_CHECK __attribute__((warn_unused_result))
#else
#define GPRI_PRINTF(fmt, args)
#define GPRI_UNUSED
#define GPRI_INLINE static inline
#define GPRI_MUST_CHECK
#endif

/* Tells the CPU that this loop waits. */
#if defined(__x86_64__) || defined(__i386__)
#define GPRI_PAUSE() __builtin_ia32_pause()
#else
#define GPRI_PAUSE() ((void)0)
#endif

#define GPRI_THREAD_LOCAL _Thread_local

#endif
