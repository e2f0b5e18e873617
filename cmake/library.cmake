# The library: one set of position-independent objects makes both libgprgnn.a and libgprgnn.so. GPRGNN_INSTALLED lists
# the targets of those that BUILD_SHARED_LIBS asks for. gprgnn_static is always there: the tests look inside the
# library.
include(cmake/simd.cmake)
include(cmake/page.cmake)

file(GLOB GPRGNN_SOURCES CONFIGURE_DEPENDS src/*/*.c src/*/*/*.c)
list(FILTER GPRGNN_SOURCES EXCLUDE REGEX "/src/tensor/cpu/simd\\.c$")
list(FILTER GPRGNN_SOURCES EXCLUDE REGEX "/src/dist/mpi/") # libgprgnn_mpi.so (cmake/mpi.cmake)

# An object library of all sources but simd.c. Products and sums are never fused behind our back: the same source
# gives the same bits with every compiler flag.
function(gprgnn_add_objects target)
    add_library(${target} OBJECT ${GPRGNN_SOURCES} ${GPRGNN_PAGE_SOURCE})
    add_dependencies(${target} gprgnn_page)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_include_directories(${target} SYSTEM PRIVATE ${RANDOM123_INCLUDE_DIR})
    target_link_libraries(${target} PRIVATE ${GPRGNN_LIBRARIES})
    target_compile_options(${target} PRIVATE -ffp-contract=off)
    target_compile_definitions(${target} PRIVATE GPRI_VERSION="${PROJECT_VERSION}")
    if(GPRGNN_CURL)
        target_compile_definitions(${target} PRIVATE GPRI_HAVE_CURL)
        target_include_directories(${target} SYSTEM PRIVATE ${GPRGNN_LIBCURL_INCLUDE_DIRS})
    endif()
endfunction()

# Where an installed program finds libgprgnn_cuda.so and libgprgnn_mpi.so, seen from the root of the tree.
include(GNUInstallDirs)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/file/library.c PROPERTIES
    COMPILE_DEFINITIONS GPRI_LIBRARY_FOLDER="${CMAKE_INSTALL_LIBDIR}")

gprgnn_add_objects(gprgnn_objects)
foreach(variant IN LISTS GPRGNN_SIMD_VARIANTS)
    string(TOUPPER ${variant} upper)
    target_compile_definitions(gprgnn_objects PRIVATE GPRI_HAVE_${upper})
endforeach()

function(gprgnn_add_library target kind)
    add_library(${target} ${kind} $<TARGET_OBJECTS:gprgnn_objects> ${GPRGNN_SIMD_OBJECTS})
    add_library(gprgnn::${target} ALIAS ${target})
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
    target_link_libraries(${target} PRIVATE ${GPRGNN_LIBRARIES})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME gprgnn LINKER_LANGUAGE C)
endfunction()

set(GPRGNN_INSTALLED)
gprgnn_add_library(gprgnn_static STATIC)
if(GPRGNN_STATIC)
    list(APPEND GPRGNN_INSTALLED gprgnn_static)
else()
    set_target_properties(gprgnn_static PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
if(NOT GPRGNN_SHARED)
    return()
endif()

list(APPEND GPRGNN_INSTALLED gprgnn)
gprgnn_add_library(gprgnn SHARED)
set_target_properties(gprgnn PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${GPRGNN_SOVERSION})
if(NOT APPLE AND NOT WIN32)
    target_link_options(gprgnn PRIVATE LINKER:--version-script,${PROJECT_SOURCE_DIR}/src/gprgnn.map)
    set_target_properties(gprgnn PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/src/gprgnn.map)
endif()
if(NOT GPRGNN_SANITIZE AND NOT GPRGNN_FUZZ) # clang's sanitizers leave their symbols to the program
    target_link_options(gprgnn PRIVATE LINKER:--no-undefined)
endif()
