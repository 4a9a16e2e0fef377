#include "tablebase/surakarta/device/opencl.h"

#include "base/minmax.h"
#include "os/clock.h"
#include "os/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- the library --------------------------------------------------------------------------------

// What the standard's headers define. All handles are pointers.
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef void *cl_handle;

enum {
    CL_SUCCESS = 0,
    CL_DEVICE_NOT_FOUND = -1,
    CL_DEVICE_TYPE_CPU = 2,
    CL_DEVICE_TYPE_GPU = 4,
    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    CL_DEVICE_MAX_CLOCK_FREQUENCY = 0x100c,
    CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101f,
    CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
    CL_DEVICE_AVAILABLE = 0x1027,
    CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
    CL_DEVICE_NAME = 0x102b,
    CL_DRIVER_VERSION = 0x102d,
    CL_DEVICE_VERSION = 0x102f,
    CL_MEM_READ_WRITE = 1,
    CL_PROGRAM_BUILD_LOG = 0x1183,
};
static const cl_ulong CL_DEVICE_TYPE_ALL = 0xffffffff;

typedef struct {
    cl_int (*clGetPlatformIDs)(cl_uint, cl_handle *, cl_uint *);
    cl_int (*clGetDeviceIDs)(cl_handle, cl_ulong, cl_uint, cl_handle *, cl_uint *);
    cl_int (*clGetDeviceInfo)(cl_handle, cl_uint, size_t, void *, size_t *);
    cl_handle (*clCreateContext)(const intptr_t *, cl_uint, const cl_handle *, void *, void *,
                                 cl_int *);
    cl_int (*clReleaseContext)(cl_handle);
    cl_handle (*clCreateCommandQueue)(cl_handle, cl_handle, cl_ulong, cl_int *);
    cl_int (*clReleaseCommandQueue)(cl_handle);
    cl_handle (*clCreateBuffer)(cl_handle, cl_ulong, size_t, void *, cl_int *);
    cl_int (*clReleaseMemObject)(cl_handle);
    cl_handle (*clCreateProgramWithSource)(cl_handle, cl_uint, const char **, const size_t *,
                                           cl_int *);
    cl_int (*clBuildProgram)(cl_handle, cl_uint, const cl_handle *, const char *, void *, void *);
    cl_int (*clGetProgramBuildInfo)(cl_handle, cl_handle, cl_uint, size_t, void *, size_t *);
    cl_int (*clReleaseProgram)(cl_handle);
    cl_handle (*clCreateKernel)(cl_handle, const char *, cl_int *);
    cl_int (*clReleaseKernel)(cl_handle);
    cl_int (*clSetKernelArg)(cl_handle, cl_uint, size_t, const void *);
    cl_int (*clEnqueueNDRangeKernel)(cl_handle, cl_handle, cl_uint, const size_t *, const size_t *,
                                     const size_t *, cl_uint, const cl_handle *, cl_handle *);
    cl_int (*clEnqueueWriteBuffer)(cl_handle, cl_handle, cl_uint, size_t, size_t, const void *,
                                   cl_uint, const cl_handle *, cl_handle *);
    cl_int (*clEnqueueReadBuffer)(cl_handle, cl_handle, cl_uint, size_t, size_t, void *, cl_uint,
                                  const cl_handle *, cl_handle *);
    cl_int (*clFinish)(cl_handle);
} cl_functions;

static const char *const function_names[] = {"clGetPlatformIDs",       "clGetDeviceIDs",
                                             "clGetDeviceInfo",        "clCreateContext",
                                             "clReleaseContext",       "clCreateCommandQueue",
                                             "clReleaseCommandQueue",  "clCreateBuffer",
                                             "clReleaseMemObject",     "clCreateProgramWithSource",
                                             "clBuildProgram",         "clGetProgramBuildInfo",
                                             "clReleaseProgram",       "clCreateKernel",
                                             "clReleaseKernel",        "clSetKernelArg",
                                             "clEnqueueNDRangeKernel", "clEnqueueWriteBuffer",
                                             "clEnqueueReadBuffer",    "clFinish"};
enum { FUNCTIONS = sizeof function_names / sizeof *function_names };
_Static_assert(sizeof(cl_functions) == FUNCTIONS * sizeof(void (*)(void)), "a name each");

static bool load_library(cl_functions *cl, fault *why) {
    const char *given = getenv("KRATON_OPENCL"), *name = given ? given : "libOpenCL.so.1";
    void *library = os_library_open(name);
    if (!library && given)
        return fault_set(why, "no OpenCL here: KRATON_OPENCL is %s, which cannot be loaded", given);
    if (!library)
        return fault_set(why,
                         "no OpenCL here: %s is not installed (Debian: ocl-icd-libopencl1 and the "
                         "driver of the device)",
                         name);
    for (int i = 0; i < FUNCTIONS; i++) {
        void (*function)(void) = os_library_find(library, function_names[i]);
        if (!function)
            return fault_set(why, "%s%s is not OpenCL 1.2 or later: it has no %s",
                             given ? "KRATON_OPENCL: " : "", name, function_names[i]);
        memcpy((char *)cl + (size_t)i * sizeof function, &function, sizeof function);
    }
    return true;
}

// The names of errors that users meet.
static const char *error_name(cl_int error) {
    static const struct {
        cl_int error;
        const char *name;
    } names[] = {{-1, "no device found"},
                 {-2, "device not available"},
                 {-3, "compiler not available"},
                 {-4, "not enough memory on the device"},
                 {-5, "out of resources"},
                 {-6, "not enough memory on the host"},
                 {-11, "the program does not compile"},
                 {-54, "work-group too large"},
                 {-61, "buffer too large"},
                 {-1001, "no driver is installed"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].error == error)
            return names[i].name;
    return "driver error";
}

// --- devices ------------------------------------------------------------------------------------

typedef struct {
    cl_functions cl;
    cl_handle ids[DEVICE_MAX];
    device_info infos[DEVICE_MAX];
    int count;
} inventory;

static uint64_t number_of(const cl_functions *cl, cl_handle id, cl_uint what, size_t size) {
    uint64_t number = 0;
    return cl->clGetDeviceInfo(id, what, size, &number, NULL) == CL_SUCCESS ? number : 0;
}

static void text_about(const cl_functions *cl, cl_handle id, cl_uint what,
                       char out[DEVICE_NAME_SIZE]) {
    char raw[1024] = "";
    if (cl->clGetDeviceInfo(id, what, sizeof raw, raw, NULL) != CL_SUCCESS)
        raw[0] = '\0';
    raw[sizeof raw - 1] = '\0';
    snprintf(out, DEVICE_NAME_SIZE, "%.*s", DEVICE_NAME_SIZE - 1, raw);
}

static device_info describe(const cl_functions *cl, cl_handle id) {
    enum { LOCAL_BYTES = 32768 };
    device_info info = {.is_gpu = number_of(cl, id, CL_DEVICE_TYPE, 8) & CL_DEVICE_TYPE_GPU,
                        .memory = number_of(cl, id, CL_DEVICE_GLOBAL_MEM_SIZE, 8),
                        .largest = number_of(cl, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8),
                        .units = (uint32_t)number_of(cl, id, CL_DEVICE_MAX_COMPUTE_UNITS, 4),
                        .clock = (uint32_t)number_of(cl, id, CL_DEVICE_MAX_CLOCK_FREQUENCY, 4)};
    text_about(cl, id, CL_DEVICE_NAME, info.name);
    text_about(cl, id, CL_DRIVER_VERSION, info.driver);
    info.usable =
        number_of(cl, id, CL_DEVICE_AVAILABLE, 4) != 0 &&
        number_of(cl, id, CL_DEVICE_COMPILER_AVAILABLE, 4) != 0 &&
        number_of(cl, id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t)) >= DEVICE_GROUP &&
        number_of(cl, id, CL_DEVICE_LOCAL_MEM_SIZE, 8) >= LOCAL_BYTES;
    return info;
}

static bool take_inventory(inventory *all, fault *why) {
    enum { PLATFORMS = 16 };
    cl_handle platforms[PLATFORMS];
    cl_uint count = 0;
    *all = (inventory){.count = 0};
    if (!load_library(&all->cl, why))
        return false;
    cl_int error = all->cl.clGetPlatformIDs(PLATFORMS, platforms, &count);
    if (error != CL_SUCCESS || count == 0)
        return fault_set(why,
                         "OpenCL has no driver here: %s (Debian: pocl-opencl-icd for "
                         "processors; for graphics processors the vendor's driver)",
                         error ? error_name(error) : "no driver is installed");
    for (cl_uint i = 0; i < min_u32(count, PLATFORMS); i++) {
        cl_handle ids[DEVICE_MAX];
        cl_uint found = 0;
        error = all->cl.clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, DEVICE_MAX, ids, &found);
        if (error != CL_SUCCESS) {
            fault_set(why, "a driver of OpenCL fails: %s (%d)", error_name(error), (int)error);
            continue;
        }
        for (cl_uint k = 0; k < min_u32(found, DEVICE_MAX) && all->count < DEVICE_MAX; k++) {
            all->ids[all->count] = ids[k];
            all->infos[all->count++] = describe(&all->cl, ids[k]);
        }
    }
    if (all->count == 0 && error == CL_SUCCESS)
        return fault_set(why, "OpenCL has drivers here but no device");
    return all->count > 0;
}

int device_list(device_info infos[DEVICE_MAX], fault *why) {
    inventory all;
    if (!take_inventory(&all, why))
        return 0;
    memcpy(infos, all.infos, (size_t)all.count * sizeof *infos);
    return all.count;
}

// --- one device ---------------------------------------------------------------------------------

enum { MAX_PROGRAMS = 8, MAX_KERNELS = 64 };

typedef struct {
    cl_handle kernel;
    const device_program *program;
    device_time time;
} known_kernel;

struct device_program {
    cl_handle program;
};

struct device {
    cl_functions cl;
    cl_handle id, context, queue;
    device_info info;
    device_program programs[MAX_PROGRAMS];
    int program_count;
    known_kernel kernels[MAX_KERNELS];
    int kernel_count;
    known_kernel *called; // the call under construction
    cl_uint given;        // its arguments so far
    uint64_t in_use, moved;
    bool failed, profile;
    fault why;
};

static bool check(device *d, cl_int error, const char *doing) {
    if (error == CL_SUCCESS)
        return true;
    if (!d->failed)
        fault_set(&d->why, "%s: %s: %s (%d)", d->info.name, doing, error_name(error), (int)error);
    d->failed = true;
    return false;
}

static bool contains(const char *name, text part) {
    size_t length = strlen(name);
    for (size_t at = 0; at + part.len <= length; at++) {
        size_t i = 0;
        while (i < part.len && (name[at + i] | 32) == (part.at[i] | 32))
            i++;
        if (i == part.len)
            return true;
    }
    return false;
}

static bool is_asked_for(const device_info *info, text which) {
    if (text_is(which, "gpu"))
        return info->is_gpu;
    if (text_is(which, "cpu"))
        return !info->is_gpu;
    return contains(info->name, which);
}

static bool open_queue(device *d) {
    cl_int error;
    d->context = d->cl.clCreateContext(NULL, 1, &d->id, NULL, NULL, &error);
    if (!check(d, error, "opening the device"))
        return false;
    d->queue = d->cl.clCreateCommandQueue(d->context, d->id, 0, &error);
    return check(d, error, "opening the device");
}

device *device_open(text which, uint64_t largest, fault *why) {
    inventory all;
    if (!take_inventory(&all, why))
        return NULL;
    int chosen = -1;
    for (int i = all.count - 1; i >= 0; i--)
        if (is_asked_for(&all.infos[i], which) && (all.infos[i].usable || chosen < 0))
            chosen = i;
    if (chosen < 0) {
        fault_set(why, "no device %s; `kraton tb devices` lists them", fault_quote(which).shown);
        return NULL;
    }
    if (!all.infos[chosen].usable) {
        fault_set(why, "%s cannot be used: its driver has no compiler or too little local memory",
                  all.infos[chosen].name);
        return NULL;
    }
    device *d = calloc(1, sizeof *d);
    if (!d) {
        fault_set(why, "not enough memory");
        return NULL;
    }
    *d = (device){.cl = all.cl, .id = all.ids[chosen], .info = all.infos[chosen]};
    if (largest && largest < d->info.largest)
        d->info.largest = largest;
    if (!open_queue(d)) {
        *why = d->why;
        device_close(d);
        return NULL;
    }
    return d;
}

void device_close(device *d) {
    if (!d)
        return;
    for (int i = 0; i < d->kernel_count; i++)
        d->cl.clReleaseKernel(d->kernels[i].kernel);
    for (int i = 0; i < d->program_count; i++)
        d->cl.clReleaseProgram(d->programs[i].program);
    if (d->queue)
        d->cl.clReleaseCommandQueue(d->queue);
    if (d->context)
        d->cl.clReleaseContext(d->context);
    free(d);
}

const device_info *device_about(const device *d) { return &d->info; }

bool device_failed(const device *d, fault *why) {
    if (d->failed)
        *why = d->why;
    return d->failed;
}

// --- memory -------------------------------------------------------------------------------------

device_buffer device_new(device *d, uint64_t bytes) {
    device_buffer buffer = {NULL, max_u64((bytes + 3) / 4 * 4, 4)}; // whole words
    cl_int error = CL_SUCCESS;
    if (d->failed || (buffer.bytes > d->info.largest && !check(d, -61, "reserving memory")))
        return buffer;
    buffer.memory =
        d->cl.clCreateBuffer(d->context, CL_MEM_READ_WRITE, (size_t)buffer.bytes, NULL, &error);
    if (!check(d, error, "reserving memory"))
        buffer.memory = NULL;
    else
        d->in_use += buffer.bytes;
    return buffer;
}

void device_free(device *d, device_buffer *buffer) {
    if (buffer->memory) {
        d->cl.clReleaseMemObject(buffer->memory);
        d->in_use -= buffer->bytes;
    }
    *buffer = (device_buffer){NULL, 0};
}

// Drivers stage large transfers in memory of their own: some fail with more than 4 GB at once.
enum { TRANSFER = 1 << 30 };

void device_write(device *d, const device_buffer *to, uint64_t at, const void *from,
                  uint64_t bytes) {
    for (uint64_t done = 0; !d->failed && done < bytes; done += TRANSFER)
        check(d,
              d->cl.clEnqueueWriteBuffer(d->queue, to->memory, 1, (size_t)(at + done),
                                         (size_t)min_u64(bytes - done, TRANSFER),
                                         (const char *)from + done, 0, NULL, NULL),
              "copying to the device");
    d->moved += bytes;
}

void device_read(device *d, const device_buffer *from, uint64_t at, void *to, uint64_t bytes) {
    for (uint64_t done = 0; !d->failed && done < bytes; done += TRANSFER)
        check(d,
              d->cl.clEnqueueReadBuffer(d->queue, from->memory, 1, (size_t)(at + done),
                                        (size_t)min_u64(bytes - done, TRANSFER), (char *)to + done,
                                        0, NULL, NULL),
              "copying from the device");
    d->moved += bytes;
}

uint64_t device_in_use(const device *d) { return d->in_use; }
uint64_t device_moved(const device *d) { return d->moved; }

// --- kernels ------------------------------------------------------------------------------------

static void keep_build_log(device *d, cl_handle program) {
    static char log[65536];
    size_t size = 0;
    if (d->cl.clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log,
                                    &size) != CL_SUCCESS)
        return;
    log[min_u64(size, sizeof log - 1)] = '\0';
    const char *line = strstr(log, "error");
    if (line)
        fault_set(&d->why, "%s: the driver cannot compile the kernels: %.*s", d->info.name,
                  (int)min_u64(strcspn(line, "\n"), 120), line);
    if (getenv("KRATON_OPENCL_LOG"))
        fprintf(stderr, "%s\n", log);
}

device_program *device_compile(device *d, const char *source, size_t length, const char *options) {
    cl_int error;
    if (d->failed || d->program_count == MAX_PROGRAMS)
        return NULL;
    cl_handle program = d->cl.clCreateProgramWithSource(d->context, 1, &source, &length, &error);
    if (!check(d, error, "compiling the kernels"))
        return NULL;
    error = d->cl.clBuildProgram(program, 1, &d->id, options, NULL, NULL);
    if (!check(d, error, "compiling the kernels")) {
        keep_build_log(d, program);
        d->cl.clReleaseProgram(program);
        return NULL;
    }
    d->programs[d->program_count].program = program;
    return &d->programs[d->program_count++];
}

static known_kernel *find_kernel(device *d, const device_program *program, const char *name) {
    for (int i = 0; i < d->kernel_count; i++)
        if (d->kernels[i].program == program && strcmp(d->kernels[i].time.kernel, name) == 0)
            return &d->kernels[i];
    cl_int error;
    if (d->kernel_count == MAX_KERNELS)
        return NULL;
    cl_handle kernel = d->cl.clCreateKernel(program->program, name, &error);
    if (!check(d, error, name))
        return NULL;
    known_kernel *known = &d->kernels[d->kernel_count++];
    *known = (known_kernel){.kernel = kernel, .program = program};
    snprintf(known->time.kernel, sizeof known->time.kernel, "%s", name);
    return known;
}

void device_call(device *d, device_program *program, const char *kernel) {
    d->called = d->failed || !program ? NULL : find_kernel(d, program, kernel);
    d->given = 0;
}

void device_give(device *d, const void *value, size_t size) {
    if (!d->failed && d->called)
        check(d, d->cl.clSetKernelArg(d->called->kernel, d->given++, size, value),
              d->called->time.kernel);
}

void device_give_buffer(device *d, const device_buffer *buffer) {
    device_give(d, &buffer->memory, sizeof buffer->memory);
}

void device_run(device *d, uint64_t groups) {
    if (d->failed || !d->called || groups == 0)
        return;
    int64_t start = 0;
    size_t all = (size_t)groups * DEVICE_GROUP, group = DEVICE_GROUP;
    if (d->profile) {
        device_wait(d);
        start = clock_us();
    }
    check(d,
          d->cl.clEnqueueNDRangeKernel(d->queue, d->called->kernel, 1, NULL, &all, &group, 0, NULL,
                                       NULL),
          d->called->time.kernel);
    if (d->profile) {
        device_wait(d);
        d->called->time.seconds += (double)(clock_us() - start) / 1e6;
    }
    d->called->time.runs++;
}

void device_wait(device *d) {
    if (!d->failed)
        check(d, d->cl.clFinish(d->queue), "working");
}

void device_expect(device *d, uint64_t bytes) {
    if (d->called)
        d->called->time.bytes += bytes;
}

void device_profile(device *d, bool on) { d->profile = on; }

int device_times(const device *d, device_time *times, int most) {
    int count = min_int(d->kernel_count, most);
    for (int i = 0; i < count; i++)
        times[i] = d->kernels[i].time;
    return count;
}
