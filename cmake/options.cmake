# The switches. ON means required: configuring fails with the name of what is missing. OFF means absent.
set(werror OFF)
if("$ENV{CI}" STREQUAL "true")
    set(werror ON)
endif()

option(GPRGNN_CURL "Downloads: gprgnn fetch (needs libcurl)" ON)
set(GPRGNN_CUDA AUTO CACHE STRING
    "libgprgnn_cuda.so for NVIDIA GPUs (needs nvcc): ON, OFF, or AUTO, which builds it where nvcc is found")
set_property(CACHE GPRGNN_CUDA PROPERTY STRINGS AUTO ON OFF)
set(GPRGNN_CUDA_ARCHITECTURES "90" CACHE STRING
    "Compute capabilities to compile for, such as 80;90; all others get PTX")
set(GPRGNN_MPI AUTO CACHE STRING
    "libgprgnn_mpi.so for several processes (needs MPI): ON, OFF, or AUTO, which builds it where MPI is found")
set_property(CACHE GPRGNN_MPI PROPERTY STRINGS AUTO ON OFF)
option(GPRGNN_CHARTS "Interactive charts in report.html (needs Chart.js 3)" ON)
option(GPRGNN_TESTS "Build the tests (needs cmocka)" OFF)
option(GPRGNN_FUZZ "Build the fuzz targets with libFuzzer (needs clang)" OFF)
option(GPRGNN_WERROR "Warnings are errors (ON by default where CI=true)" ${werror})
option(GPRGNN_NATIVE "Compile for this machine's CPU only (kernels are chosen at run time anyway)" OFF)
option(GPRGNN_COVERAGE "Count executed lines (gcov)" OFF)
# CMake's own switch. Not set: both libraries. ON: the shared one only. OFF: the static one only.
set(GPRGNN_SHARED ON)
set(GPRGNN_STATIC ON)
if(DEFINED BUILD_SHARED_LIBS AND BUILD_SHARED_LIBS)
    set(GPRGNN_STATIC OFF)
elseif(DEFINED BUILD_SHARED_LIBS)
    set(GPRGNN_SHARED OFF)
endif()
set(GPRGNN_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=, such as address,undefined")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo" FORCE)
endif()

if(GPRGNN_FUZZ AND NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "GPRGNN_FUZZ needs libFuzzer, which comes with clang: cmake --preset fuzz "
        "(Debian: clang libclang-rt-dev)")
endif()
