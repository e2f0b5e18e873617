# The library for the Python package (pyproject.toml), as `cmake --install build --component python` copies it: one file
# beside the modules, without the links of a versioned library, which a wheel cannot hold.
if(GPRGNN_SHARED)
    add_custom_target(gprgnn_python DEPENDS gprgnn)
    install(PROGRAMS $<TARGET_FILE:gprgnn> DESTINATION gprgnn/lib RENAME libgprgnn${CMAKE_SHARED_LIBRARY_SUFFIX}
        COMPONENT python EXCLUDE_FROM_ALL)
    if(GPRGNN_CUDA_FOUND)
        add_dependencies(gprgnn_python gprgnn_cuda)
        install(PROGRAMS ${GPRGNN_CUDA_FILE} DESTINATION gprgnn/lib COMPONENT python EXCLUDE_FROM_ALL)
    endif()
endif()
