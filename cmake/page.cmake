# The page as it is served: the folder `web` beside the programs, where the server looks for it. With
# Python its modules are joined into a few files (tools/make-page.py), with esbuild these are
# shortened, with brotli compressed; all three are optional. Without Python the folder has links to the page's source.
find_program(PYTHON3 python3)
find_program(ESBUILD esbuild)
find_program(BROTLI brotli)
set(WEB ${CMAKE_BINARY_DIR}/web)
set(WEB_DESTINATION ${CMAKE_INSTALL_DATADIR}/kraton/web)
cmake_path(ABSOLUTE_PATH WEB_DESTINATION BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}
    OUTPUT_VARIABLE WEB_INSTALLED)
# From the program's own file, so that both can be moved together.
file(RELATIVE_PATH WEB_FROM_PROGRAM ${CMAKE_INSTALL_FULL_BINDIR} ${WEB_INSTALLED})
set_source_files_properties(src/cli/sibling.c PROPERTIES
    COMPILE_DEFINITIONS "KRATON_INSTALLED_WEB=\"${WEB_FROM_PROGRAM}\"")

if(PYTHON3)
    file(GLOB_RECURSE PAGE_SOURCES CONFIGURE_DEPENDS web/*)
    set(SHORTENED "")
    if(ESBUILD)
        set(SHORTENED --minify ${ESBUILD})
    else()
        message(STATUS "the page's files are not shortened: that takes esbuild")
    endif()
    if(BROTLI)
        list(APPEND SHORTENED --brotli ${BROTLI})
    endif()
    add_custom_command(OUTPUT ${WEB}/index.html
        COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/tools/make-page.py ${CMAKE_SOURCE_DIR}/web ${WEB} ${SHORTENED}
        COMMAND ${CMAKE_COMMAND} -E create_symlink ../docs ${WEB}/docs
        COMMAND ${CMAKE_COMMAND} -E create_symlink ../engines ${WEB}/engines
        DEPENDS ${PAGE_SOURCES} ${CMAKE_SOURCE_DIR}/tools/make-page.py VERBATIM)
    add_custom_target(page ALL DEPENDS ${WEB}/index.html)
    install(DIRECTORY ${WEB}/ DESTINATION ${WEB_DESTINATION} REGEX "/web/(docs|engines)$" EXCLUDE)
else()
    message(STATUS "the page is served from its source: joining its files takes python3")
    add_custom_target(page)
    file(REMOVE_RECURSE ${WEB})
    file(GLOB WEB_ENTRIES CONFIGURE_DEPENDS LIST_DIRECTORIES true web/*)
    foreach(ENTRY ${WEB_ENTRIES} ${CMAKE_BINARY_DIR}/docs ${CMAKE_BINARY_DIR}/engines)
        get_filename_component(NAME ${ENTRY} NAME)
        file(RELATIVE_PATH FROM_WEB ${WEB} ${ENTRY})
        file(MAKE_DIRECTORY ${WEB})
        file(CREATE_LINK ${FROM_WEB} ${WEB}/${NAME} SYMBOLIC)
    endforeach()
    install(DIRECTORY web/ DESTINATION ${WEB_DESTINATION})
endif()
