# What the library needs. Every message names the Debian package.
find_package(PkgConfig)
if(NOT PKG_CONFIG_FOUND)
    message(FATAL_ERROR "pkg-config was not found (Debian: pkg-config)")
endif()

function(gprgnn_require prefix module package)
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${module})
    if(NOT ${prefix}_FOUND)
        message(FATAL_ERROR "${module} was not found (Debian: ${package})")
    endif()
    set(${prefix}_VERSION ${${prefix}_VERSION} PARENT_SCOPE)
endfunction()

gprgnn_require(GPRGNN_JANSSON jansson libjansson-dev)
gprgnn_require(GPRGNN_LIBZIP libzip libzip-dev)
gprgnn_require(GPRGNN_ZLIB zlib zlib1g-dev)

# Its header only: the library is loaded when it is needed (src/fetch/curl.h). With OpenSSL, as libzip needs libcrypto
# anyway. 7.85 can be started from any thread.
if(GPRGNN_CURL)
    gprgnn_require(GPRGNN_LIBCURL libcurl>=7.85 libcurl4-openssl-dev)
endif()

find_path(RANDOM123_INCLUDE_DIR Random123/philox.h)
mark_as_advanced(RANDOM123_INCLUDE_DIR)
if(NOT RANDOM123_INCLUDE_DIR)
    message(FATAL_ERROR "Random123/philox.h was not found (Debian: librandom123-dev)")
endif()

# ARPACK is loaded when eigenvectors are wanted, and is not needed to build (src/embed/eigen.c).
find_package(Threads REQUIRED)

set(GPRGNN_LIBRARIES PkgConfig::GPRGNN_JANSSON PkgConfig::GPRGNN_LIBZIP PkgConfig::GPRGNN_ZLIB Threads::Threads m
    ${CMAKE_DL_LIBS})
