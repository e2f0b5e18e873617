# The tests of the card's operations and models on an emulated card (cuda/emulated/): the kernels are compiled as C++ for
# the host. They need no CUDA and no card, only a C++ compiler. Sanitizers do not know its fibers.
include(CheckLanguage)
check_language(CXX)
if(NOT CMAKE_CXX_COMPILER OR GPRGNN_SANITIZE OR GPRGNN_COVERAGE)
    return()
endif()
enable_language(CXX)
set(kernels attention elements features features_dense heads labels linear loss lstm metric propagate record rows table
    graph/filter graph/plan join/calls join/chain join/gradients join/join join/moves join/steps join/update)
set(emulated_sources)
foreach(kernel IN LISTS kernels)
    list(APPEND emulated_sources ${PROJECT_SOURCE_DIR}/src/tensor/cuda/${kernel}.cu)
endforeach()
set_source_files_properties(${emulated_sources} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;c++")
add_library(emulated_card STATIC ${emulated_sources} cuda/emulated/emulated.cpp)
target_compile_features(emulated_card PRIVATE cxx_std_17)
# Without those of C; warnings of the kernels are nvcc's.
set_target_properties(emulated_card PROPERTIES COMPILE_OPTIONS "-w;-g")
target_include_directories(emulated_card PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/cuda/emulated
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_include_directories(emulated_card SYSTEM PRIVATE ${RANDOM123_INCLUDE_DIR})

file(GLOB card_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cuda/test_cuda_*.c)
foreach(source IN LISTS card_sources)
    get_filename_component(target ${source} NAME_WE)
    string(REGEX REPLACE "^test_cuda_" "" name ${target})
    gprgnn_unit_program(test_emulated_${name} ${source} gprgnn_static)
    target_sources(test_emulated_${name} PRIVATE cuda/emulated/card.c)
    target_link_libraries(test_emulated_${name} PRIVATE emulated_card)
    gprgnn_test(emulated_${name} unit test_emulated_${name})
    set_tests_properties(unit.emulated_${name} PROPERTIES TIMEOUT ${long_timeout})
endforeach()
set_property(TEST unit.emulated_models APPEND PROPERTY ENVIRONMENT "GPRGNN_SMALL=1") # all of it takes half a minute

gprgnn_unit_program(test_emulated_joins cuda/emulated/test_joins.c gprgnn_static)
target_sources(test_emulated_joins PRIVATE cuda/emulated/card.c)
target_link_libraries(test_emulated_joins PRIVATE emulated_card)
gprgnn_test(emulated_joins unit test_emulated_joins)
