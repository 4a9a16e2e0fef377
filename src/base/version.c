#include "base/version.h"

#include "base/isa.h"

// CMakeLists.txt defines both.
const char version_number[] = KRATON_VERSION;
const char version_commit[] = KRATON_COMMIT;

#ifdef __clang__
static const char compiler[] = "clang " __clang_version__;
#else
static const char compiler[] = "gcc " __VERSION__;
#endif

const char *version_instruction_set(void) {
#ifdef __x86_64__
    return isa_has_v4() ? "x86-64-v4" : isa_has_v3() ? "x86-64-v3" : "x86-64";
#else
    return "baseline";
#endif
}

void version_write(const char *program, writer *out) {
    write_format(out, "%s %s\ncommit: %s\ncompiler: %s\ninstruction set: %s\n", program,
                 version_number, version_commit, compiler, version_instruction_set());
}
