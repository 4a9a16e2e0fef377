#include "base/isa.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <stdatomic.h>

// The builtin of clang 14 does not know lzcnt, which older processors silently take for another
// instruction: that bit is read here.
static bool ask_v3(void) {
    unsigned a, b, c, d;
    bool lzcnt = __get_cpuid(0x80000001, &a, &b, &c, &d) && (c >> 5 & 1);
    return lzcnt && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("popcnt");
}

static bool ask_v4(void) {
    return ask_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

static bool ask_vnni(void) { return ask_v4() && __builtin_cpu_supports("avx512vnni"); }

// Asking takes microseconds on a virtual machine, so the answer is kept: 0 not asked yet, 1 no,
// 2 yes. Threads that ask at the same time write the same, so no order is needed.
static bool keep(_Atomic int *known, bool (*ask)(void)) {
    int answer = atomic_load_explicit(known, memory_order_relaxed);
    if (answer == 0) {
        answer = ask() ? 2 : 1;
        atomic_store_explicit(known, answer, memory_order_relaxed);
    }
    return answer == 2;
}

bool isa_has_v3(void) {
    static _Atomic int known;
    return keep(&known, ask_v3);
}

bool isa_has_v4(void) {
    static _Atomic int known;
    return keep(&known, ask_v4);
}

bool isa_has_vnni(void) {
    static _Atomic int known;
    return keep(&known, ask_vnni);
}
#endif
