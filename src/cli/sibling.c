#include "cli/sibling.h"

#include "cli/cli.h"
#include "os/file.h"
#include "os/process.h"

#include <errno.h>
#include <stdlib.h>

bool sibling_self(char path[SIBLING_PATH_SIZE], fault *why) {
    return os_self_path(path, SIBLING_PATH_SIZE) ||
           fault_set(why, "cannot find this program's own file");
}

bool sibling_find(const char *name, char path[SIBLING_PATH_SIZE], fault *why) {
    char self[SIBLING_PATH_SIZE];
    if (!sibling_self(self, why))
        return false;
    const char *slash = strrchr(self, '/');
    writer w = writer_on(path, SIBLING_PATH_SIZE);
    write_text(&w, (text){self, slash ? (size_t)(slash - self) + 1 : 0});
    write_string(&w, name);
    if (w.overflow || !os_path_is_program(path))
        return fault_set(why, "%s is not beside this program; it comes with %s", name,
                         strncmp(name, "kraton-lab", 10) == 0 ? "a build of the checkout"
                                                              : "the same package or build");
    return true;
}

bool sibling_holds_page(const char *folder) {
    char index[SIBLING_PATH_SIZE];
    writer w = writer_on(index, sizeof index);
    write_format(&w, "%s/index.html", folder);
    os_file file;
    return folder[0] && !w.overflow && os_file_open(&file, index, OS_FILE_READ) &&
           os_file_close(&file);
}

bool sibling_find_page(char folder[SIBLING_PATH_SIZE]) {
    static const char *const places[] = {KRATON_INSTALLED_WEB, "web"};
    char self[SIBLING_PATH_SIZE];
    fault why;
    if (!sibling_self(self, &why))
        return false;
    const char *slash = strrchr(self, '/');
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        writer w = writer_on(folder, SIBLING_PATH_SIZE);
        write_text(&w, (text){self, slash ? (size_t)(slash - self) : 0});
        write_format(&w, "/%s", places[i]);
        if (!w.overflow && sibling_holds_page(folder))
            return true;
    }
    return false;
}

int sibling_become_lab(const char *name, int argc, char **argv) {
    char path[SIBLING_PATH_SIZE];
    fault why;
    if (!sibling_find("kraton-lab", path, &why))
        return complain("kraton %s: %s", name, why.line);
    char **arguments = calloc((size_t)argc + 3, sizeof *arguments);
    if (!arguments)
        return complain("kraton %s: out of memory", name);
    arguments[0] = path;
    arguments[1] = (char *)(uintptr_t)name;
    memcpy(arguments + 2, argv, (size_t)argc * sizeof *argv);
    os_process_become(path, arguments);
    free(arguments);
    return complain("kraton %s: %s: %s", name, path, strerror(errno));
}

bool sibling_engine(match_engine *e, const rules_game *game, const char *program, fault *why) {
    if (program)
        return match_engine_parse(e, text_of(program), why);
    char path[SIBLING_PATH_SIZE], quoted_path[SIBLING_PATH_SIZE + 2];
    writer q = writer_on(quoted_path, sizeof quoted_path);
    if (!sibling_find(rules_properties_of(game)->engine, path, why))
        return false;
    write_format(&q, "\"%s\"", path); // blanks in it are no separators
    const char *tables = getenv("KRATON_TABLES");
    bool plays_by_tables = tables && tables[0] && rules_properties_of(game)->has_tables;
    return match_engine_set(e, text_of("cmd"), text_of(quoted_path), why) &&
           match_engine_set(e, text_of("dialect"), text_of(dialect_name(DIALECT_OWN)), why) &&
           (!plays_by_tables ||
            match_engine_set(e, text_of("option.TablePath"), text_of(tables), why));
}
