# What differs in a build for browsers (cmake/wasm.cmake, the preset `wasm`): only the engines, one
# program a game that takes lines through a function instead of standard input (src/wasm/main.c).
set(OTHER_SYSTEM "/os/(windows|posix)/|/records/([^m]|moves).*[.]c$|/games/book_(make|tree)[.]c$|/tablebase/surakarta/verify")
set(COMPONENTS os base rules records tablebase dialect contract games)
set(os_LIBRARIES "")
set(records_LIBRARIES "")
set(tablebase_LIBRARIES "")
option(KRATON_SIMD "use vectors of 128 bits; browsers before 2021, Safari before 2023 have none" ON)

include_directories(BEFORE ${CMAKE_SOURCE_DIR}/src/os/wasi/libc)
if(KRATON_SIMD)
    add_compile_options(-msimd128)
endif()
add_compile_options(-mbulk-memory -msign-ext -mnontrapping-fptoint -ftls-model=local-exec)
# The same bytes from whatever folder.
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
# Tables of five pieces are far from sizes that 32 bits cannot count.
add_compile_options(-Wno-shorten-64-to-32)
add_compile_definitions(_WASI_EMULATED_PROCESS_CLOCKS)
# The search is recursive, so it needs a stack as on Linux; below everything else, an overflow traps.
add_link_options(-mexec-model=reactor -Wl,-z,stack-size=8388608 -Wl,--stack-first -Wl,--gc-sections
    -Wl,--strip-debug)

function(kraton_finish_wasm)
    file(GLOB SOURCES CONFIGURE_DEPENDS src/wasm/*.c src/engine/*.c)
    list(FILTER SOURCES EXCLUDE REGEX "/engine/(main|arguments)[.]c$")
    foreach(GAME ${GAMES})
        add_executable(kraton-${GAME} ${SOURCES})
        set_target_properties(kraton-${GAME} PROPERTIES SUFFIX .wasm)
        target_compile_definitions(kraton-${GAME} PRIVATE
            ENGINE_GAME="${GAME}" ENGINE_VERSION="${PROJECT_VERSION}")
        set(USES ${engine_USES})
        list(TRANSFORM USES REPLACE ^search$ search_${GAME})
        target_link_libraries(kraton-${GAME} PRIVATE ${USES} tablebase m
            wasi-emulated-process-clocks)
    endforeach()
endfunction()
