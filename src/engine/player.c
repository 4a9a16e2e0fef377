#include "engine/player.h"

#include <ctype.h>
#include <errno.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

// The file of a player: letters and digits behind "kraton-", in this program's own folder.
static bool find_player(text name, writer *path, fault *why) {
    char self[PATH_SIZE];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    for (size_t i = 0; i < name.len; i++)
        if (!isalnum((unsigned char)name.at[i]) && name.at[i] != '-')
            len = -1;
    if (len <= 0 || name.len == 0)
        return fault_set(why, "no player %s", fault_quote(name).shown);
    self[len] = '\0';
    const char *slash = strrchr(self, '/');
    write_text(path, (text){self, slash ? (size_t)(slash - self) + 1 : 0});
    write_string(path, "kraton-");
    write_text(path, name);
    return !path->overflow || fault_set(why, "no player %s", fault_quote(name).shown);
}

bool player_take_over(char **arguments, fault *why) {
    char **a = arguments + 1;
    while (*a && strcmp(*a, "--player") != 0)
        a++;
    if (!*a)
        return true;
    if (!a[1])
        return fault_set(why, "a value is missing after --player");
    char path[PATH_SIZE];
    writer w = writer_on(path, sizeof path);
    text name = text_of(a[1]);
    if (!find_player(name, &w, why))
        return false;
    for (char **rest = a; (rest[0] = rest[2]) != NULL; rest++)
        continue;
    arguments[0] = path;
    execv(path, arguments);
    return fault_set(why, "no player %s: %s", fault_quote(name).shown, strerror(errno));
}
