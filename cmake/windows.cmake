# Cross builds for 64-bit Windows with Debian's mingw-w64, static: the preset `windows`. The libraries
# are in build/windows-libraries, made by tools/make-windows.sh; KRATON_LIBRARIES names another folder.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-win32)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
if(NOT KRATON_LIBRARIES)
    set(KRATON_LIBRARIES ${CMAKE_CURRENT_LIST_DIR}/../build/windows-libraries)
endif()
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES KRATON_LIBRARIES)
set(CMAKE_FIND_ROOT_PATH ${KRATON_LIBRARIES})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# Windows 8: the first with processes in several jobs. printf as in C99 rather than the system's.
set(CMAKE_C_FLAGS_INIT "-isystem ${KRATON_LIBRARIES}/include -D_WIN32_WINNT=0x0602 -D__USE_MINGW_ANSI_STDIO=1")
# No times in the programs: two builds are the same.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -L${KRATON_LIBRARIES}/lib -Wl,--no-insert-timestamp")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${CMAKE_EXE_LINKER_FLAGS_INIT}")
