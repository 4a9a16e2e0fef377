# The prober of the endgame tables as a library (src/tablebase/surakarta/probe.h): libkraton_tb, shared
# and static, with its header, a pkg-config file and an example. Both export kraton_tb_... only: the
# static library is one object whose other names were made local.
set(TB_TABLES index entry file reader probe)
list(TRANSFORM TB_TABLES PREPEND tablebase/surakarta/)
set(TB_SOURCES os/file os/map os/thread base/text base/buffer base/vector base/encoding base/isa ${TB_TABLES})
list(TRANSFORM TB_SOURCES PREPEND src/)
list(TRANSFORM TB_SOURCES APPEND .c)
add_library(kraton_tb_objects OBJECT ${TB_SOURCES})
target_include_directories(kraton_tb_objects PRIVATE src)
kraton_per_isa(kraton_tb_objects tablebase/surakarta/lookup.c)

set(TB_OBJECTS $<TARGET_OBJECTS:kraton_tb_objects>)
foreach(LEVEL baseline v3)
    set(PART kraton_tb_objects_tablebase_surakarta_lookup_c_${LEVEL})
    if(TARGET ${PART})
        list(APPEND TB_TARGETS ${PART})
        list(APPEND TB_OBJECTS $<TARGET_OBJECTS:${PART}>)
    endif()
endforeach()
set_target_properties(kraton_tb_objects ${TB_TARGETS} PROPERTIES
    POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)

set(TB_JOINED ${CMAKE_BINARY_DIR}/kraton_tb.o)
add_custom_command(OUTPUT ${TB_JOINED}
    COMMAND ${CMAKE_LINKER} -r -o ${TB_JOINED} ${TB_OBJECTS}
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${TB_JOINED}
    DEPENDS kraton_tb_objects ${TB_TARGETS} ${TB_OBJECTS}
    COMMAND_EXPAND_LISTS VERBATIM)
add_library(kraton_tb_static STATIC ${TB_JOINED})
set_target_properties(kraton_tb_static PROPERTIES OUTPUT_NAME kraton_tb LINKER_LANGUAGE C)

add_library(kraton_tb SHARED ${TB_JOINED})
set_target_properties(kraton_tb PROPERTIES LINKER_LANGUAGE C
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_link_libraries(kraton_tb PRIVATE zstd xxhash)

configure_file(cmake/kraton-tb.pc.in kraton-tb.pc @ONLY)
install(FILES src/tablebase/surakarta/probe.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/kraton
    RENAME tablebase.h)
install(FILES ${CMAKE_BINARY_DIR}/kraton-tb.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES examples/probe.c DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
