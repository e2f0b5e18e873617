# The tests of the card's operations and models on an emulated card (cuda/emulated/): the kernels are compiled as C++
# for the host. They need no CUDA and no card, only a C++ compiler. Sanitizers do not know its fibers.
include(CheckLanguage)
check_language(CXX)
if(NOT CMAKE_CXX_COMPILER OR GPRGNN_SANITIZE OR GPRGNN_COVERAGE)
    return()
endif()
enable_language(CXX)
set(kernels attention elements features features_dense heads labels linear loss lstm metric norm propagate record rows
    table graph/filter graph/plan fuse/calls fuse/chain fuse/gradients fuse/fuse fuse/moves fuse/steps fuse/update)
set(emulated_sources)
foreach(kernel IN LISTS kernels)
    list(APPEND emulated_sources ${PROJECT_SOURCE_DIR}/src/tensor/cuda/${kernel}.cu)
endforeach()
set_source_files_properties(${emulated_sources} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;c++")
add_library(emulated_card STATIC ${emulated_sources} cuda/emulated/emulated.cpp)
target_compile_features(emulated_card PRIVATE cxx_std_17)
# Without those of C; warnings of the kernels are nvcc's. -O1 compiles in half the time, and its kernels are as fast
# here.
set_target_properties(emulated_card PROPERTIES COMPILE_OPTIONS "-w;-g;-O1")
target_include_directories(emulated_card PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/cuda/emulated
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_include_directories(emulated_card SYSTEM PRIVATE ${RANDOM123_INCLUDE_DIR})

set(emulated_tests ${card_sources} ${CMAKE_CURRENT_SOURCE_DIR}/cuda/emulated/test_joins.c)
list(FILTER emulated_tests EXCLUDE REGEX "/test_card\\.c$") # of what only a real one does
gprgnn_unit_program(emulated gprgnn_static ${emulated_tests})
target_sources(emulated PRIVATE cuda/emulated/card.c)
target_compile_options(emulated PRIVATE -O1)
target_link_libraries(emulated PRIVATE emulated_card)
foreach(source IN LISTS emulated_tests)
    gprgnn_test_name(name ${source})
    gprgnn_test(emulated_${name} unit emulated ${name})
    gprgnn_properties(unit.emulated_${name} TIMEOUT ${long_timeout})
endforeach()
set_property(TEST unit.emulated_models APPEND PROPERTY ENVIRONMENT "GPRGNN_SMALL=1") # all of it takes half a minute
