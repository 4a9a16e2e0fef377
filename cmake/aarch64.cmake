# Cross builds for 64-bit ARM Linux, static: tools/make-engines.sh. KRATON_ROOT is a folder with the
# libraries' packages for arm64, unpacked.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES KRATON_ROOT)
set(CMAKE_C_FLAGS_INIT "-I${KRATON_ROOT}/usr/include")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -L${KRATON_ROOT}/usr/lib/aarch64-linux-gnu")
