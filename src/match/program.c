#include "match/program.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// Whether the path is a file that can be executed; errno says why not.
static bool is_program(const char *path) {
    struct stat file;
    if (stat(path, &file) != 0)
        return false;
    if (S_ISDIR(file.st_mode)) {
        errno = EISDIR;
        return false;
    }
    return access(path, X_OK) == 0;
}

// Writes FOLDER/NAME; an empty folder is the one we are in, as in PATH.
static bool is_in(text folder, const char *name, char path[PROGRAM_PATH_SIZE]) {
    writer w = writer_on(path, PROGRAM_PATH_SIZE);
    write_text(&w, folder.len ? folder : text_of("."));
    write_char(&w, '/');
    write_string(&w, name);
    return !w.overflow && is_program(path);
}

static bool is_in_list(const char *folders, const char *name, char path[PROGRAM_PATH_SIZE]) {
    for (text rest = text_of(folders); rest.len;) {
        size_t colon = text_find(rest, ":");
        if (is_in((text){rest.at, colon}, name, path))
            return true;
        rest = text_skip(rest, colon + 1);
    }
    return false;
}

static bool find_path(const char *name, const char *directory, char path[PROGRAM_PATH_SIZE],
                      fault *why) {
    writer w = writer_on(path, PROGRAM_PATH_SIZE);
    write_string(&w, name);
    errno = ENAMETOOLONG;
    char from_here[PROGRAM_PATH_SIZE];
    bool good =
        !w.overflow && (directory && name[0] != '/' ? is_in(text_of(directory), name, from_here)
                                                    : is_program(path));
    return good || fault_set(why, "%.150s: %s", name, strerror(errno));
}

bool program_find(const char *name, const char *directory, const char *kraton,
                  char path[PROGRAM_PATH_SIZE], fault *why) {
    if (strchr(name, '/'))
        return find_path(name, directory, path, why);
    const char *slash = strrchr(kraton, '/'), *folders = getenv("PATH");
    text home = {kraton, slash ? (size_t)(slash - kraton) : 0};
    if (name[0] && (is_in(home, name, path) || (folders && is_in_list(folders, name, path)) ||
                    is_in(text_of("/usr/games"), name, path)))
        return true;
    return fault_set(why, "no program %s in %.*s, in PATH or in /usr/games",
                     fault_quote(text_of(name)).shown, home.len < 120 ? (int)home.len : 120,
                     home.at);
}

void program_become(char *const command[], fault *why) {
    char kraton[PROGRAM_PATH_SIZE], path[PROGRAM_PATH_SIZE];
    ssize_t len = readlink("/proc/self/exe", kraton, sizeof kraton - 1);
    kraton[len > 0 ? len : 0] = '\0';
    if (!program_find(command[0], NULL, kraton, path, why))
        return;
    execvp(path, command); // unlike execv it starts scripts without a first line #!
    fault_set(why, "%.150s: %s", path, strerror(errno));
}
