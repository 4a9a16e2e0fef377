#include "engine/sibling.h"

#include "os/file.h"
#include "os/process.h"

#include <errno.h>

enum { PATH_SIZE = 4096 };

void sibling_become(const char *name, char **arguments, fault *why) {
    char path[PATH_SIZE];
    if (!os_self_path(path, sizeof path)) {
        fault_set(why, "cannot find this program's own file");
        return;
    }
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    writer w = writer_on(path + folder, sizeof path - folder);
    write_format(&w, "kraton-%s", name);
    if (w.overflow || !os_path_is_program(path)) {
        fault_set(why, "kraton-%s is not beside this program: build it", name);
        return;
    }
    arguments[0] = path;
    os_process_become(path, arguments);
    fault_set(why, "%s: %s", path, strerror(errno));
}
