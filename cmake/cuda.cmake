# libgprgnn_cuda.so, the device for NVIDIA GPUs: kernels in src/tensor/cuda/, compiled by nvcc. It needs nothing of CUDA
# at run time but the driver, and nothing of C++: its libraries are linked statically. GPRGNN_CUDA_FOUND: it is built.
#
# nvcc is called as a custom command: CMake's language CUDA would want a C++ compiler for the whole project, and its
# compiler checks take longer than the kernels.
set(GPRGNN_CUDA_FOUND OFF)
if(NOT GPRGNN_CUDA MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "GPRGNN_CUDA is '${GPRGNN_CUDA}': it must be AUTO, ON or OFF")
endif()
if(GPRGNN_CUDA STREQUAL "OFF" OR GPRGNN_FUZZ)
    return()
endif()

find_program(GPRGNN_NVCC nvcc HINTS $ENV{CUDACXX} $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin PATHS /usr/local/cuda/bin
    /opt/cuda/bin)
mark_as_advanced(GPRGNN_NVCC)
if(NOT GPRGNN_NVCC)
    if(GPRGNN_CUDA STREQUAL "ON")
        message(FATAL_ERROR
            "nvcc was not found: install the CUDA toolkit (Debian: nvidia-cuda-toolkit, or NVIDIA's cuda-toolkit), "
            "and set CUDA_HOME if it is not in /usr/local/cuda")
    endif()
    return()
endif()
execute_process(COMMAND ${GPRGNN_NVCC} --version OUTPUT_VARIABLE nvcc_says)
string(REGEX MATCH "release ([0-9]+\\.[0-9]+)" nvcc_release "${nvcc_says}")
set(GPRGNN_CUDA_VERSION ${CMAKE_MATCH_1})
if(NOT GPRGNN_CUDA_VERSION OR GPRGNN_CUDA_VERSION VERSION_LESS 12.0)
    if(GPRGNN_CUDA STREQUAL "ON")
        message(FATAL_ERROR "${GPRGNN_NVCC} is of CUDA '${GPRGNN_CUDA_VERSION}': 12.0 or later is needed")
    endif()
    return()
endif()

# It needs a C++ compiler of the host that it knows.
if(NOT GPRGNN_NVCC_WORKS STREQUAL GPRGNN_NVCC)
    file(WRITE ${PROJECT_BINARY_DIR}/cuda/try.cu "__global__ void kernel() {}\nint main() { kernel<<<1, 1>>>(); }\n")
    execute_process(COMMAND ${GPRGNN_NVCC} -std=c++17 -c ${PROJECT_BINARY_DIR}/cuda/try.cu
        -o ${PROJECT_BINARY_DIR}/cuda/try.o
        RESULT_VARIABLE nvcc_fails OUTPUT_VARIABLE nvcc_says ERROR_VARIABLE nvcc_says)
    if(nvcc_fails)
        if(GPRGNN_CUDA STREQUAL "ON")
            message(FATAL_ERROR "${GPRGNN_NVCC} cannot compile (it needs a C++ compiler, Debian: g++):\n${nvcc_says}")
        endif()
        return()
    endif()
    set(GPRGNN_NVCC_WORKS ${GPRGNN_NVCC} CACHE INTERNAL "the nvcc that was tried")
endif()
set(GPRGNN_CUDA_FOUND ON)

# PTX for the oldest cards that the compiler knows: 7.0 up to CUDA 12, 7.5 from 13 on. The driver compiles it for any
# later card. Native code for those that were named.
set(oldest 70)
if(GPRGNN_CUDA_VERSION VERSION_GREATER_EQUAL 13.0)
    set(oldest 75)
endif()
set(cuda_code -gencode arch=compute_${oldest},code=compute_${oldest})
foreach(capability IN LISTS GPRGNN_CUDA_ARCHITECTURES)
    list(APPEND cuda_code -gencode arch=compute_${capability},code=sm_${capability})
endforeach()

# Filters use clusters of blocks, which cards have from 9.0 on: PTX of that in every build.
if(GPRGNN_CUDA_VERSION VERSION_GREATER_EQUAL 12.0)
    set(cuda_code_of_filter -gencode arch=compute_90,code=compute_90)
endif()

set(cuda_host
    -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti -fno-threadsafe-statics -Wall -Wextra
    -Wno-missing-field-initializers)
string(JOIN "," cuda_host ${cuda_host})
set(cuda_flags -std=c++17 -O3 -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/include
    -DGPRI_VERSION=\"${PROJECT_VERSION}\" -DGPRI_CUDA_LEAST=${oldest} -Xcompiler=${cuda_host} ${cuda_code})
if(NOT RANDOM123_INCLUDE_DIR STREQUAL "/usr/include") # where compilers look anyway, in an order of their own
    list(APPEND cuda_flags -isystem ${RANDOM123_INCLUDE_DIR})
endif()
if(GPRGNN_WERROR)
    list(APPEND cuda_flags -Werror=all-warnings)
endif()

file(GLOB_RECURSE cuda_sources CONFIGURE_DEPENDS src/tensor/cuda/*.cu)
set(cuda_objects)
foreach(source IN LISTS cuda_sources)
    get_filename_component(name ${source} NAME_WE)
    set(object ${PROJECT_BINARY_DIR}/cuda/${name}.o)
    add_custom_command(OUTPUT ${object}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/cuda
        COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${GPRGNN_NVCC} ${cuda_flags} ${cuda_code_of_${name}} -MD -MF ${object}.d
        -c ${source} -o ${object}
        DEPENDS ${source} DEPFILE ${object}.d COMMENT "Building CUDA object ${name}.o" VERBATIM)
    list(APPEND cuda_objects ${object})
endforeach()

set(GPRGNN_CUDA_FILE ${PROJECT_BINARY_DIR}/libgprgnn_cuda.so)
set(cuda_map ${PROJECT_SOURCE_DIR}/src/tensor/cuda/exports.map)
add_custom_command(OUTPUT ${GPRGNN_CUDA_FILE}
    COMMAND ${GPRGNN_NVCC} -shared -cudart static -o ${GPRGNN_CUDA_FILE} ${cuda_objects}
        -Xlinker --version-script=${cuda_map} -Xlinker --no-undefined
        -Xcompiler -static-libstdc++,-static-libgcc -lpthread -ldl
    DEPENDS ${cuda_objects} ${cuda_map} COMMENT "Linking libgprgnn_cuda.so" VERBATIM)
add_custom_target(gprgnn_cuda ALL DEPENDS ${GPRGNN_CUDA_FILE})
