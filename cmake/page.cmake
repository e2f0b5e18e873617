# The page of report.html, put together from src/report/page/ and Chart.js, and compressed into a C file.
# GPRGNN_PAGE_SOURCE is that file; the target gprgnn_page makes it.
if(GPRGNN_CHARTS)
    find_file(GPRGNN_CHART_JS chart.min.js PATHS /usr/share/javascript/chart.js /usr/share/nodejs/chart.js/dist
        DOC "chart.min.js of Chart.js 3: drawn into report.html")
    if(NOT GPRGNN_CHART_JS OR NOT EXISTS "${GPRGNN_CHART_JS}")
        message(FATAL_ERROR "Chart.js was not found (Debian: libjs-chart.js). Give its file with "
            "-DGPRGNN_CHART_JS=.../chart.min.js, or build without it: -DGPRGNN_CHARTS=OFF; report.html then shows "
            "figures that do not move.")
    endif()
    file(READ "${GPRGNN_CHART_JS}" head LIMIT 300)
    if(NOT head MATCHES "Chart\\.js v(3\\.[0-9.]+)")
        message(FATAL_ERROR "${GPRGNN_CHART_JS} is not Chart.js 3 (Debian: libjs-chart.js)")
    endif()
    set(GPRGNN_CHART_JS_VERSION ${CMAKE_MATCH_1})
endif()

set(GPRGNN_PAGE_SOURCE ${PROJECT_BINARY_DIR}/generated/page_bytes.c)
set(page ${PROJECT_SOURCE_DIR}/src/report/page)
set(chart_js)
if(GPRGNN_CHARTS)
    set(chart_js ${GPRGNN_CHART_JS})
endif()
add_custom_command(OUTPUT ${GPRGNN_PAGE_SOURCE}
    COMMAND ${CMAKE_COMMAND} "-DPAGE=${page}" "-DCHART_JS=${chart_js}" "-DOUTPUT=${GPRGNN_PAGE_SOURCE}"
        -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
    DEPENDS ${page}/page.html ${page}/page.css ${page}/charts.js ${page}/page.js ${chart_js}
        ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
    COMMENT "Embedding the page of report.html" VERBATIM)
add_custom_target(gprgnn_page DEPENDS ${GPRGNN_PAGE_SOURCE})
