# The engines as WebAssembly, a part of the page: the folder `engines` beside the programs. Optional:
# that takes clang, lld and wasi-libc. Without them the page asks the server's engines.
option(KRATON_BROWSER_ENGINES "build the engines for browsers where the tools are installed" ON)
set(BROWSER_ENGINES ${CMAKE_BINARY_DIR}/engines)
find_program(WASM_CLANG clang)
if(NOT KRATON_BROWSER_ENGINES OR CMAKE_BUILD_TYPE STREQUAL Debug OR CMAKE_CROSSCOMPILING)
    set(WASM_WORKS FALSE)
elseif(NOT DEFINED WASM_WORKS AND WASM_CLANG)
    # The compiler, its library, the C library and the linker at once.
    file(WRITE ${CMAKE_BINARY_DIR}/wasm-try.c "#include <stdio.h>\nint main(void) { return puts(\"\"); }\n")
    execute_process(COMMAND ${WASM_CLANG} --target=wasm32-wasi -o ${CMAKE_BINARY_DIR}/wasm-try.wasm
        ${CMAKE_BINARY_DIR}/wasm-try.c RESULT_VARIABLE FAILED OUTPUT_QUIET ERROR_QUIET)
    if(FAILED EQUAL 0)
        set(WASM_WORKS TRUE CACHE INTERNAL "whether clang makes programs for browsers")
    endif()
endif()
if(NOT WASM_WORKS)
    message(STATUS "no engines for browsers: that takes clang, lld, wasi-libc and libclang-rt-dev-wasm32")
    return()
endif()

# Twice: with SIMD and, as -plain, without. `cmake --build` knows what has changed. Flags in the
# environment, as a package's build sets them, are for this machine's compiler.
set(OTHER_FLAGS ${CMAKE_COMMAND} -E env --unset=CC --unset=CFLAGS --unset=CPPFLAGS --unset=LDFLAGS)
set(COMMANDS "")
foreach(KIND "" -plain)
    set(FOLDER ${CMAKE_BINARY_DIR}/wasm${KIND})
    set(SIMD ON)
    if(KIND)
        set(SIMD OFF)
    endif()
    add_custom_command(OUTPUT ${FOLDER}/build.ninja COMMENT "Configuring the engines for browsers"
        COMMAND ${OTHER_FLAGS} ${CMAKE_COMMAND} -S ${CMAKE_SOURCE_DIR} -B ${FOLDER} -G Ninja
            --toolchain ${CMAKE_SOURCE_DIR}/cmake/wasm.cmake -DCMAKE_BUILD_TYPE=Release
            -DCMAKE_C_FLAGS= -DKRATON_SIMD=${SIMD} -DKRATON_WARNINGS_ARE_ERRORS=OFF)
    list(APPEND CONFIGURED ${FOLDER}/build.ninja)
    list(APPEND COMMANDS COMMAND ${OTHER_FLAGS} ${CMAKE_COMMAND} --build ${FOLDER})
    foreach(GAME ${GAMES})
        list(APPEND COMMANDS COMMAND ${CMAKE_COMMAND} -E copy_if_different
            ${FOLDER}/kraton-${GAME}.wasm ${BROWSER_ENGINES}/kraton-${GAME}${KIND}.wasm)
        if(BROTLI)
            set(FILE ${BROWSER_ENGINES}/kraton-${GAME}${KIND}.wasm)
            list(APPEND COMMANDS COMMAND sh -c
                "test ! ${FILE} -nt ${FILE}.br || ${BROTLI} --best --force --keep ${FILE}")
        endif()
    endforeach()
endforeach()
add_custom_target(engines-for-browsers ALL
    COMMAND ${CMAKE_COMMAND} -E make_directory ${BROWSER_ENGINES}
    ${COMMANDS} DEPENDS ${CONFIGURED} COMMENT "Building the engines for browsers" VERBATIM)
add_dependencies(installed engines-for-browsers)
install(DIRECTORY ${BROWSER_ENGINES}/ DESTINATION ${WEB_DESTINATION}/engines)
