#include "os/clock.h"

#include "os/windows/wide.h"

int64_t clock_us(void) {
    // The frequency never changes; 10 MHz on today's systems.
    LARGE_INTEGER frequency, ticks;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&ticks);
    int64_t whole = ticks.QuadPart / frequency.QuadPart, part = ticks.QuadPart % frequency.QuadPart;
    return whole * 1000000 + part * 1000000 / frequency.QuadPart;
}

// In units of 100 ns.
static int64_t to_us(FILETIME kernel, FILETIME user) {
    uint64_t k = (uint64_t)kernel.dwHighDateTime << 32 | kernel.dwLowDateTime;
    uint64_t u = (uint64_t)user.dwHighDateTime << 32 | user.dwLowDateTime;
    return (int64_t)((k + u) / 10);
}

int64_t clock_cpu_us(void) {
    FILETIME made, ended, kernel, user;
    bool known = GetProcessTimes(GetCurrentProcess(), &made, &ended, &kernel, &user);
    return known ? to_us(kernel, user) : 0;
}

int64_t clock_thread_us(void) {
    FILETIME made, ended, kernel, user;
    bool known = GetThreadTimes(GetCurrentThread(), &made, &ended, &kernel, &user);
    return known ? to_us(kernel, user) : 0;
}
