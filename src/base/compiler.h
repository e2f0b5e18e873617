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

#define GPRI_THREAD_LOCAL _Thread_local

#endif
