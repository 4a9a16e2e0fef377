// A loss of power for tests, by LD_PRELOAD: whenever a file of the folder KRATON_POWER_FOLDER is
// synced, its content is copied to KRATON_POWER_IMAGE. After the process was killed, that folder
// has what a disk would have that keeps nothing it was not told to sync. Each copy is logged in
// KRATON_POWER_IMAGE/log: the moment the sync began (CLOCK_MONOTONIC, us) and the file's name.
// Names are kept at once: a file that is removed or renamed is so there, too.
// KRATON_POWER_BROKEN=1: syncs do nothing, as on a disk that lies.
// KRATON_POWER_GATE: while there is a file of this name, no sync ends, as on a very slow disk;
// GATE.reached is there once one waits.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; // one copy at a time

static long long now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

// The name of a file of the folder; NULL: it is elsewhere.
static const char *name_of(int fd, char path[PATH_MAX]) {
    const char *folder = getenv("KRATON_POWER_FOLDER");
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t len = readlink(link, path, PATH_MAX - 1);
    if (!folder || len < 0)
        return NULL;
    path[len] = '\0';
    size_t prefix = strlen(folder);
    return strncmp(path, folder, prefix) == 0 && path[prefix] == '/' ? path + prefix + 1 : NULL;
}

static void copy(const char *from, const char *name, long long began) {
    const char *image = getenv("KRATON_POWER_IMAGE");
    char to[PATH_MAX], whole[PATH_MAX], bytes[65536];
    snprintf(to, sizeof to, "%s/.%s", image, name);
    snprintf(whole, sizeof whole, "%s/%s", image, name);
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ssize_t got;
    while (in >= 0 && out >= 0 && (got = read(in, bytes, sizeof bytes)) > 0)
        if (write(out, bytes, (size_t)got) != got)
            abort();
    close(in);
    close(out);
    if (rename(to, whole) != 0)
        abort();
    snprintf(to, sizeof to, "%s/log", image);
    FILE *log = fopen(to, "ae");
    fprintf(log, "%lld %s\n", began, name);
    fclose(log);
}

static int sync_file(int fd) {
    char path[PATH_MAX];
    long long began = now_us();
    const char *name = name_of(fd, path), *gate = getenv("KRATON_POWER_GATE");
    while (gate && name && access(gate, F_OK) == 0) {
        char reached[PATH_MAX];
        snprintf(reached, sizeof reached, "%s.reached", gate);
        close(open(reached, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
        usleep(1000);
    }
    if (getenv("KRATON_POWER_BROKEN") || !name || strchr(name, '/'))
        return 0;
    pthread_mutex_lock(&mutex);
    copy(path, name, began);
    pthread_mutex_unlock(&mutex);
    return 0;
}

// The image of a path of the folder; false: it is elsewhere.
static int image_of(const char *path, char to[PATH_MAX]) {
    const char *folder = getenv("KRATON_POWER_FOLDER"), *image = getenv("KRATON_POWER_IMAGE");
    char real[PATH_MAX], *slash;
    snprintf(real, sizeof real, "%s", path);
    slash = strrchr(real, '/');
    if (!folder || !slash)
        return 0;
    *slash = '\0';
    char whole[PATH_MAX];
    if (!realpath(real, whole) || strcmp(whole, folder) != 0)
        return 0;
    snprintf(to, PATH_MAX, "%s/%s", image, slash + 1);
    return 1;
}

int unlink(const char *path) {
    int (*next)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
    char image[PATH_MAX];
    int result = next(path);
    if (result == 0 && image_of(path, image))
        next(image);
    return result;
}

int rename(const char *from, const char *to) {
    int (*next)(const char *, const char *) =
        (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    char image_from[PATH_MAX], image_to[PATH_MAX];
    int result = next(from, to);
    if (result == 0 && image_of(from, image_from) && image_of(to, image_to))
        next(image_from, image_to);
    return result;
}

int fsync(int fd) { return sync_file(fd); }
int fdatasync(int fd) { return sync_file(fd); }
