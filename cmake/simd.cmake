# src/tensor/cpu/simd.c is compiled once for each instruction set; the best one is chosen when the program starts.
# GPRGNN_SIMD_VARIANTS names those that were built, GPRGNN_SIMD_OBJECTS holds their objects.
include(CheckCCompilerFlag)
include(CMakePushCheckState)

set(GPRGNN_SIMD_VARIANTS)
set(GPRGNN_SIMD_OBJECTS)

function(gprgnn_simd_variant name)
    if(ARGN)
        cmake_push_check_state(RESET)
        string(JOIN " " CMAKE_REQUIRED_FLAGS ${ARGN})
        check_c_compiler_flag("" GPRGNN_COMPILES_${name})
        cmake_pop_check_state()
        if(NOT GPRGNN_COMPILES_${name})
            return()
        endif()
    endif()
    add_library(gprgnn_simd_${name} OBJECT src/tensor/cpu/simd.c)
    target_include_directories(gprgnn_simd_${name} PRIVATE include src)
    target_include_directories(gprgnn_simd_${name} SYSTEM PRIVATE ${RANDOM123_INCLUDE_DIR})
    target_compile_definitions(gprgnn_simd_${name} PRIVATE GPRI_SIMD_VARIANT=${name})
    # Fused where the CPU can. Nobody asks for floating-point exceptions: without this, loops with an exponential become
    # vectors with masked instructions (avx512) only.
    target_compile_options(gprgnn_simd_${name} PRIVATE -ffp-contract=fast -fno-trapping-math ${ARGN})
    set(GPRGNN_SIMD_VARIANTS ${GPRGNN_SIMD_VARIANTS} ${name} PARENT_SCOPE)
    set(GPRGNN_SIMD_OBJECTS ${GPRGNN_SIMD_OBJECTS} $<TARGET_OBJECTS:gprgnn_simd_${name}> PARENT_SCOPE)
endfunction()

gprgnn_simd_variant(base)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
    gprgnn_simd_variant(avx2 -mavx2 -mfma)
    gprgnn_simd_variant(avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mavx2 -mprefer-vector-width=512)
endif()
