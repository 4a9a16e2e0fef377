# The target llhttp, the parser of HTTP: the library where the system packages it (libllhttp-dev of
# Debian 13), otherwise its C files where a package brings them (node-llhttp of Debian 12 and Ubuntu
# 24.04).
find_library(LLHTTP_LIBRARY llhttp)
find_path(LLHTTP_INCLUDE llhttp.h PATHS /usr/share/include PATH_SUFFIXES llhttp)
find_path(LLHTTP_SOURCES llhttp.c
    PATHS /usr/share/llhttp /usr/share/nodejs/llhttp PATH_SUFFIXES src NO_DEFAULT_PATH)
mark_as_advanced(LLHTTP_LIBRARY LLHTTP_INCLUDE LLHTTP_SOURCES)
if(LLHTTP_LIBRARY AND LLHTTP_INCLUDE)
    add_library(llhttp UNKNOWN IMPORTED)
    set_target_properties(llhttp PROPERTIES IMPORTED_LOCATION ${LLHTTP_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${LLHTTP_INCLUDE})
elseif(LLHTTP_SOURCES AND LLHTTP_INCLUDE)
    add_library(llhttp STATIC ${LLHTTP_SOURCES}/llhttp.c ${LLHTTP_SOURCES}/api.c
        ${LLHTTP_SOURCES}/http.c)
    target_include_directories(llhttp SYSTEM PUBLIC ${LLHTTP_INCLUDE})
    # Versions before 9 are strict only when asked to be.
    target_compile_definitions(llhttp PUBLIC LLHTTP_STRICT_MODE=1)
    target_compile_options(llhttp PRIVATE -w)
else()
    message(FATAL_ERROR "llhttp is missing: install libllhttp-dev, or node-llhttp where "
        "there is no such package (Debian 12, Ubuntu 24.04)")
endif()
