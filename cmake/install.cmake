# What `make install` copies: program, header, libraries, man page, completion, and the files by which other builds find
# them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(NOT GPRGNN_STATIC) # the program finds the library from where it lies itself, so the tree can be moved
    file(RELATIVE_PATH from_program /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(gprgnn_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${from_program}")
endif()
install(TARGETS gprgnn_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
foreach(library IN LISTS GPRGNN_INSTALLED)
    install(TARGETS ${library} EXPORT ${library} DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()
if(GPRGNN_CUDA_FOUND)
    install(PROGRAMS ${GPRGNN_CUDA_FILE} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(GPRGNN_MPI_FOUND)
    install(TARGETS gprgnn_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(FILES include/gprgnn.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(EXISTS ${PROJECT_SOURCE_DIR}/docs/gprgnn.1)
    install(FILES docs/gprgnn.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# Completion in shells. The program has written these files, and cli.completion says when they are old: so a build for
# another machine, whose program does not run here, has them too.
install(FILES cli/completion/gprgnn.bash DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions
    RENAME gprgnn)
install(FILES cli/completion/_gprgnn DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions)

# pkg-config. The prefix is found from where the file lies, so the tree can be moved.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH GPRGNN_PC_PREFIX /${pkgconfig_dir} /)
string(REGEX REPLACE "/$" "" GPRGNN_PC_PREFIX "${GPRGNN_PC_PREFIX}")
set(GPRGNN_PC_PRIVATE "-ljansson -lzip -lz -pthread -ldl -lm")
set(GPRGNN_PC_NAME gprgnn)
set(GPRGNN_PC_LIBS -lgprgnn)
if(NOT GPRGNN_SHARED) # then everyone needs them
    string(APPEND GPRGNN_PC_LIBS " ${GPRGNN_PC_PRIVATE}")
endif()
configure_file(cmake/gprgnn.pc.in gprgnn.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gprgnn.pc DESTINATION ${pkgconfig_dir})
if(GPRGNN_STATIC) # `pkg-config --static gprgnn` means the shared library where that lies beside it: -l takes it first
    set(GPRGNN_PC_NAME gprgnn-static)
    set(GPRGNN_PC_LIBS "-l:libgprgnn.a ${GPRGNN_PC_PRIVATE}")
    configure_file(cmake/gprgnn.pc.in gprgnn-static.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/gprgnn-static.pc DESTINATION ${pkgconfig_dir})
endif()

# find_package. The static library has a file of its own: only it needs the other packages.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gprgnn)
configure_package_config_file(cmake/gprgnnConfig.cmake.in gprgnnConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(gprgnnConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gprgnnConfig.cmake ${PROJECT_BINARY_DIR}/gprgnnConfigVersion.cmake
    DESTINATION ${package_dir})
if(GPRGNN_SHARED)
    install(EXPORT gprgnn NAMESPACE gprgnn:: FILE gprgnnTargets.cmake DESTINATION ${package_dir})
endif()
if(GPRGNN_STATIC)
    install(EXPORT gprgnn_static NAMESPACE gprgnn:: FILE gprgnnStaticTargets.cmake DESTINATION ${package_dir})
endif()
