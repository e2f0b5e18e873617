# cmake -DPAGE=FOLDER -DCHART_JS=FILE -DOUTPUT=FILE.c -P embed_page.cmake
# Puts style and scripts into PAGE/page.html, compresses it, and writes its bytes as a C array. CHART_JS may be empty.
cmake_minimum_required(VERSION 3.21)
file(READ ${PAGE}/page.html html)
set(chart_text "")
if(CHART_JS)
    file(READ ${CHART_JS} chart_text)
endif()
file(READ ${PAGE}/page.css style)
file(READ ${PAGE}/charts.js charts)
file(READ ${PAGE}/page.js script)
foreach(part chart_text charts script)
    if("${${part}}" MATCHES "</script|<!--")
        message(FATAL_ERROR "the script '${part}' would end early in the page")
    endif()
endforeach()
string(REPLACE "/*style*/" "${style}" html "${html}")
string(REPLACE "/*library*/" "${chart_text}" html "${html}")
string(REPLACE "/*charts*/" "${charts}" html "${html}")
string(REPLACE "/*script*/" "${script}" html "${html}")

# gzip keeps the time in bytes 4 to 7: 0, so that the same sources give the same library.
get_filename_component(folder ${OUTPUT} DIRECTORY)
file(MAKE_DIRECTORY ${folder})
file(WRITE ${OUTPUT}.html "${html}")
file(SIZE ${OUTPUT}.html size)
file(ARCHIVE_CREATE OUTPUT ${OUTPUT}.gz PATHS ${OUTPUT}.html FORMAT raw COMPRESSION GZip)
file(READ ${OUTPUT}.gz bytes HEX)
string(SUBSTRING "${bytes}" 0 8 head)
string(SUBSTRING "${bytes}" 16 -1 rest)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${head}00000000${rest}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "/* Made by cmake/embed_page.cmake from src/report/page/. */
#include \"report/page/page.h\"

const size_t gpri_page_length = ${size};
const unsigned char gpri_page_gzip[] = {
${bytes}};
const size_t gpri_page_gzip_size = sizeof gpri_page_gzip;
")
file(REMOVE ${OUTPUT}.html ${OUTPUT}.gz)
