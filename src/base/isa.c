#include "base/isa.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <stdatomic.h>

// The builtin of clang 14 does not know lzcnt, which older processors silently take for another
// instruction: that bit is read here.
static bool ask(void) {
    unsigned a, b, c, d;
    bool lzcnt = __get_cpuid(0x80000001, &a, &b, &c, &d) && (c >> 5 & 1);
    return lzcnt && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("popcnt");
}

// Asking takes microseconds on a virtual machine, so the answer is kept. Threads that ask at the
// same time write the same, so no order is needed.
bool isa_has_v3(void) {
    static _Atomic int known; // 0 not asked yet, 1 no, 2 yes
    int answer = atomic_load_explicit(&known, memory_order_relaxed);
    if (answer == 0) {
        answer = ask() ? 2 : 1;
        atomic_store_explicit(&known, answer, memory_order_relaxed);
    }
    return answer == 2;
}
#endif
