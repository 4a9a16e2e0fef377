#include "match/program.h"

#include "base/minmax.h"
#include "base/suggest.h"
#include "os/file.h"
#include "os/process.h"
#include "rules/rules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { NICENESS = 5, NOT_STARTED = 127 };

// --- finding it ---------------------------------------------------------------------------------

// Writes FOLDER/NAME. An empty folder is the current one, as in PATH.
static bool is_in(text folder, const char *name, char path[PROGRAM_PATH_SIZE]) {
    writer w = writer_on(path, PROGRAM_PATH_SIZE);
    write_text(&w, folder.len ? folder : text_of("."));
    write_char(&w, '/');
    write_string(&w, name);
    return !w.overflow && os_path_is_program(path);
}

static bool is_in_list(const char *folders, const char *name, char path[PROGRAM_PATH_SIZE]) {
    for (text rest = text_of(folders); rest.len;) {
        size_t end = text_find(rest, OS_PATH_LIST);
        if (is_in((text){rest.at, end}, name, path))
            return true;
        rest = text_skip(rest, end + 1);
    }
    return false;
}

static text folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return (text){path, slash ? (size_t)(slash - path) : 0};
}

static bool find_path(const char *name, const char *directory, char path[PROGRAM_PATH_SIZE],
                      fault *why) {
    writer w = writer_on(path, PROGRAM_PATH_SIZE);
    write_string(&w, name);
    errno = ENAMETOOLONG;
    char from_here[PROGRAM_PATH_SIZE];
    bool good = !w.overflow && (directory && !os_path_is_absolute(name)
                                    ? is_in(text_of(directory), name, from_here)
                                    : os_path_is_program(path));
    return good || fault_set(why, "%.150s: %s", name, strerror(errno));
}

bool program_find(const char *name, const char *directory, const char *kraton,
                  char path[PROGRAM_PATH_SIZE], fault *why) {
    if (os_path_name(name) != name)
        return find_path(name, directory, path, why);
    const char *folders = getenv("PATH");
    text home = folder_of(kraton);
    if (name[0] && (is_in(home, name, path) || (folders && is_in_list(folders, name, path)) ||
                    is_in(text_of("/usr/games"), name, path)))
        return true;
    suggestion near = suggest_for(text_of(name));
    for (int i = 0; rules_nth(i); i++)
        suggest_offer(&near, rules_properties_of(rules_nth(i))->engine);
    return fault_set(why, "no program %s in %.*s, in PATH or in /usr/games%s",
                     fault_quote(text_of(name)).shown, (int)min_size(home.len, 120), home.at,
                     suggest_hint(&near).shown);
}

bool program_find_guard(const char *kraton, char path[PROGRAM_PATH_SIZE], fault *why) {
    return is_in(folder_of(kraton), "kraton-guard", path) ||
           fault_set(why, "%.150s is missing: build or install it with kraton", path);
}

// --- starting it --------------------------------------------------------------------------------

static int complain_not_started(const char *name, const char *why) {
    fprintf(stderr, "kraton: cannot start %s: %s\n", name, why);
    return NOT_STARTED;
}

// Becomes the command. Returns only when that fails, with the reason.
static void become(char *const command[], fault *why) {
    char kraton[PROGRAM_PATH_SIZE], path[PROGRAM_PATH_SIZE];
    if (!os_self_path(kraton, sizeof kraton))
        kraton[0] = '\0';
    if (!program_find(command[0], NULL, kraton, path, why))
        return;
    os_process_become(path, command);
    fault_set(why, "%.150s: %s", path, strerror(errno));
}

int program_limit_main(int count, char *const words[]) {
    int64_t megabytes, seconds;
    bool is_idle = count >= 4 && text_is(text_of(words[2]), "idle");
    if (count < 4 || !text_to_int(text_of(words[0]), 0, 1 << 20, &megabytes) ||
        !text_to_int(text_of(words[1]), 0, INT32_MAX, &seconds) ||
        (!is_idle && !text_is(text_of(words[2]), "nice"))) {
        fprintf(stderr, "usage: kraton limit MEGABYTES SECONDS nice|idle CMD...\n");
        return NOT_STARTED;
    }
    os_prefer_to_end();
    bool good = os_limit_no_core() && (!megabytes || os_limit_memory((uint64_t)megabytes << 20)) &&
                (!seconds || os_limit_cpu(seconds)) &&
                (is_idle ? os_limit_to_idle_time() : os_process_nice(NICENESS));
    fault why;
    if (good)
        become(words + 3, &why);
    else
        fault_set(&why, "no limits: %s", strerror(errno));
    return complain_not_started(words[3], why.line);
}
