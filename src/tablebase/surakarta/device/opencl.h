// OpenCL as far as the table builder needs it: devices, memory, kernels. The library
// (libOpenCL.so.1, or what the variable KRATON_OPENCL names) is looked up at run time; a machine
// without it has no devices.
//
// A device is opened by one thread and used by that thread only. Work is queued in order. After a
// failure the device keeps the first reason (device_failed); later calls do nothing, so callers may
// check once at the end of a sequence.
#ifndef KRATON_TABLEBASE_SURAKARTA_DEVICE_OPENCL_H
#define KRATON_TABLEBASE_SURAKARTA_DEVICE_OPENCL_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DEVICE_NAME_SIZE = 128, DEVICE_MAX = 32 };

typedef struct {
    char name[DEVICE_NAME_SIZE], driver[DEVICE_NAME_SIZE];
    bool is_gpu;
    bool usable;           // has a compiler and the memory kernels need
    uint64_t memory;       // bytes in all
    uint64_t largest;      // bytes of one allocation
    uint32_t units, clock; // compute units, MHz
} device_info;

// The devices of this machine in the order of their drivers. Returns how many, at most DEVICE_MAX;
// 0 with a line in *why where there is none.
int device_list(device_info infos[DEVICE_MAX], fault *why);

// Opens a device: "gpu" or "cpu" for the first of that kind, or a part of its name (upper and lower
// case are the same). NULL with a line in *why where there is none or its driver fails.
// `largest` limits one allocation, 0: what the device allows.
typedef struct device device;
device *device_open(text which, uint64_t largest, fault *why);
void device_close(device *d); // NULL is allowed
const device_info *device_about(const device *d);

// Whether something has failed, and why.
bool device_failed(const device *d, fault *why);

// --- memory -------------------------------------------------------------------------------------

typedef struct {
    void *memory; // NULL: none
    uint64_t bytes;
} device_buffer;

// Reserves memory, whole words, not zeroed.
device_buffer device_new(device *d, uint64_t bytes);
void device_free(device *d, device_buffer *buffer); // one that is none is allowed
void device_write(device *d, const device_buffer *to, uint64_t at, const void *from,
                  uint64_t bytes);
// Waits for the work queued before.
void device_read(device *d, const device_buffer *from, uint64_t at, void *to, uint64_t bytes);
// Bytes reserved now, and moved to and from the device so far.
uint64_t device_in_use(const device *d);
uint64_t device_moved(const device *d);

// --- kernels ------------------------------------------------------------------------------------

enum { DEVICE_GROUP = 256 }; // work-items of a group

typedef struct device_program device_program;

// Compiles kernels. NULL where the driver refuses; the line names its first complaint.
device_program *device_compile(device *d, const char *source, size_t length, const char *options);

// A call under construction: device_call, the arguments in order, device_run.
void device_call(device *d, device_program *program, const char *kernel);
void device_give(device *d, const void *value, size_t size);
void device_give_buffer(device *d, const device_buffer *buffer); // none is allowed
static inline void device_give_int(device *d, int32_t value) { device_give(d, &value, 4); }
static inline void device_give_uint(device *d, uint32_t value) { device_give(d, &value, 4); }
static inline void device_give_ulong(device *d, uint64_t value) { device_give(d, &value, 8); }
// So many groups. May be repeated with other arguments set again by device_give_at.
void device_run(device *d, uint64_t groups);
void device_wait(device *d);

// Times of kernels, where device_profile was switched on before: each run is waited for.
void device_profile(device *d, bool on);
typedef struct {
    char kernel[32];
    uint64_t runs;
    uint64_t bytes; // of planes that it went through: what device_expect said
    double seconds;
} device_time;
// The call under construction goes through so many bytes from one end to the other.
void device_expect(device *d, uint64_t bytes);
// Returns how many kernels have times.
int device_times(const device *d, device_time *times, int most);

#endif
