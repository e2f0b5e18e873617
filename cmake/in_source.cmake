# Refuses to build among the sources: CMake would overwrite the Makefile.
get_filename_component(source_dir "${CMAKE_CURRENT_SOURCE_DIR}" REALPATH)
get_filename_component(binary_dir "${CMAKE_CURRENT_BINARY_DIR}" REALPATH)
if(source_dir STREQUAL binary_dir)
    message(FATAL_ERROR
        "gprgnn does not build inside its source folder. Run `make`, or `cmake --preset release`.\n"
        "Remove what this attempt left: rm -r CMakeCache.txt CMakeFiles")
endif()
