# What differs in a build for Windows (cmake/windows.cmake, the preset `windows`): the engines and
# `kraton` without its server.
set(OTHER_SYSTEM "/os/(posix|wasi)/|/net/(http|websocket|listener)[.]c$|/client/load(_server)?[.]c$")
set(OTHER_COMMANDS "/cli/(main|cmd_serve|cmd_archive|cmd_store)[.]c$")
set(os_LIBRARIES "")
# Libraries of the system, also for a static libuv and OpenSSL: behind all others.
set(CMAKE_C_STANDARD_LIBRARIES "${CMAKE_C_STANDARD_LIBRARIES} -lwinmm -lws2_32 -lpsapi -liphlpapi -luserenv -lcrypt32 -lbcrypt")

list(REMOVE_ITEM net_LIBRARIES llhttp wslay)

foreach(ABSENT store server features mpi lab)
    list(REMOVE_ITEM COMPONENTS ${ABSENT})
    foreach(NAME ${COMPONENTS})
        list(REMOVE_ITEM ${NAME}_USES ${ABSENT})
    endforeach()
endforeach()

# The formats of printf are those of C99 (__USE_MINGW_ANSI_STDIO), but gcc checks the attributes of
# our own functions against the system's; the other builds check them.
add_compile_options(-Wno-format)
# isnan() and isinf() of these headers warn in every place.
add_compile_options(-Wno-float-conversion)

# What the C library of Windows lacks or does in another way: src/os/windows/libc.
include_directories(BEFORE ${CMAKE_SOURCE_DIR}/src/os/windows/libc)
add_compile_definitions(_POSIX_THREAD_SAFE_FUNCTIONS=1)

# Windows aligns the stack to 16 bytes, gcc takes it for aligned to 32 and 64 where it spills vectors
# (gcc's bug 54412): the assembler writes moves that work for either. As fast on these processors.
set(ISA_OPTIONS -Wa,-muse-unaligned-vector-move)

# The stack of the first thread as on Linux; Windows gives 1 MB.
add_link_options(-Wl,--stack,8388608)

# Puts the manifest into the programs: UTF-8 for calls with narrow text, long paths.
function(kraton_finish_windows)
    enable_language(RC)
    foreach(PROGRAM kraton kraton-tables kraton-stub ${ARGN})
        target_sources(${PROGRAM} PRIVATE ${CMAKE_SOURCE_DIR}/src/os/windows/manifest.rc)
    endforeach()
    foreach(GAME ${GAMES})
        target_sources(kraton-${GAME} PRIVATE ${CMAKE_SOURCE_DIR}/src/os/windows/manifest.rc)
    endforeach()
endfunction()
