# libkraton (src/lib/kraton.h), shared and static, with its header, a pkg-config file and examples.
# Both export the functions of src/lib/exports.txt only: the static library is one object whose other
# names were made local.
set(LIBRARY_USES os base rules records tablebase lib)
list(TRANSFORM LIBRARY_USES PREPEND ${CMAKE_SOURCE_DIR}/src/)
list(TRANSFORM LIBRARY_USES APPEND /*.c)
file(GLOB_RECURSE LIBRARY_SOURCES CONFIGURE_DEPENDS ${LIBRARY_USES})
list(FILTER LIBRARY_SOURCES EXCLUDE REGEX ${OTHER_SYSTEM})
# The library asks tables and does not make them.
list(FILTER LIBRARY_SOURCES EXCLUDE REGEX "tablebase/surakarta/(build/|device/|verify|stats|solve)")
add_library(kraton_objects OBJECT ${LIBRARY_SOURCES})
target_include_directories(kraton_objects PRIVATE src)
# The names of openings, which the component records embeds.
set(LIBRARY_EMBEDDED ${CMAKE_BINARY_DIR}/embedded/embedded_openings.c)
foreach(FILE ${EMBEDDED.txt})
    get_filename_component(STEM ${FILE} NAME_WE)
    list(APPEND LIBRARY_EMBEDDED ${CMAKE_BINARY_DIR}/embedded/embedded_openings_${STEM}.c)
endforeach()
target_sources(kraton_objects PRIVATE ${LIBRARY_EMBEDDED})

set(LIBRARY_OBJECTS $<TARGET_OBJECTS:kraton_objects>)
set(LIBRARY_TARGETS kraton_objects)
set(PER_ISA tablebase/surakarta/lookup.c)
foreach(GAME ${GAMES})
    list(APPEND PER_ISA rules/${GAME}/perft.c)
endforeach()
foreach(FILE ${PER_ISA})
    if(NOT EXISTS ${CMAKE_SOURCE_DIR}/src/${FILE})
        continue()
    endif()
    kraton_per_isa(kraton_objects ${FILE})
    string(MAKE_C_IDENTIFIER ${FILE} NAME)
    foreach(LEVEL baseline v3)
        set(PART kraton_objects_${NAME}_${LEVEL})
        if(TARGET ${PART})
            list(APPEND LIBRARY_TARGETS ${PART})
            list(APPEND LIBRARY_OBJECTS $<TARGET_OBJECTS:${PART}>)
        endif()
    endforeach()
endforeach()
set_target_properties(${LIBRARY_TARGETS} PROPERTIES
    POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
foreach(PART ${LIBRARY_TARGETS})
    target_compile_options(${PART} PRIVATE -ffunction-sections -fdata-sections)
endforeach()

set(EXPORTS src/lib/exports.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${EXPORTS})
file(STRINGS ${EXPORTS} EXPORTED)
list(JOIN EXPORTED ";\n    " MAP)
set(MAP_FILE ${CMAKE_BINARY_DIR}/libkraton.map)
file(CONFIGURE OUTPUT ${MAP_FILE} CONTENT
    "KRATON_${PROJECT_VERSION_MAJOR} {\nglobal:\n    @MAP@;\nlocal:\n    *;\n};\n" @ONLY)

add_library(kraton_shared SHARED ${LIBRARY_OBJECTS})
set_target_properties(kraton_shared PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME kraton
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINK_DEPENDS ${MAP_FILE})
target_link_libraries(kraton_shared PRIVATE jansson zstd xxhash Threads::Threads)
target_link_options(kraton_shared PRIVATE -Wl,--version-script=${MAP_FILE} -Wl,--gc-sections)
if(NOT KRATON_SANITIZE)
    target_link_options(kraton_shared PRIVATE -Wl,--no-undefined)
endif()

set(JOINED ${CMAKE_BINARY_DIR}/libkraton.o)
list(TRANSFORM EXPORTED PREPEND --undefined= OUTPUT_VARIABLE KEPT) # and what they use
add_custom_command(OUTPUT ${JOINED}
    COMMAND ${CMAKE_LINKER} -r --gc-sections ${KEPT} -o ${JOINED} ${LIBRARY_OBJECTS}
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=${CMAKE_SOURCE_DIR}/${EXPORTS} ${JOINED}
    DEPENDS ${LIBRARY_TARGETS} ${LIBRARY_OBJECTS} ${EXPORTS}
    COMMAND_EXPAND_LISTS VERBATIM)
add_library(kraton_static STATIC ${JOINED})
set_target_properties(kraton_static PROPERTIES OUTPUT_NAME kraton LINKER_LANGUAGE C)

file(RELATIVE_PATH PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/kraton.pc.in kraton.pc @ONLY)
install(FILES src/lib/kraton.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_BINARY_DIR}/kraton.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES examples/probe.c examples/judge.c DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
