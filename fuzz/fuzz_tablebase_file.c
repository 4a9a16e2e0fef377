// Any bytes as the files of an endgame table, once as they are and once with a header and checksums
// that fit them: refused with one line that names the file, or read to the end.
#include "tablebase/surakarta/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 4096 };

static char dir[] = "/tmp/kraton-fuzz-XXXXXX";

static void check(bool good) {
    if (!good)
        abort();
}

static void remove_files(void) {
    char path[TB_PATH_SIZE];
    for (int kind = TB_VALUES; kind <= TB_PACKED; kind++)
        if (tb_file_path(path, dir, (tb_kind)kind, TB_COUNT, 1, 1))
            unlink(path);
    rmdir(dir);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    check(mkdtemp(dir) != NULL);
    atexit(remove_files);
    tb_index_prepare(2);
    return 0;
}

static void read_file(tb_kind kind, const uint8_t *bytes, size_t size) {
    char path[TB_PATH_SIZE];
    check(tb_file_path(path, dir, kind, TB_COUNT, 1, 1));
    FILE *f = fopen(path, "wb");
    check(f && fwrite(bytes, 1, size, f) == size && fclose(f) == 0);
    tb_reader r;
    fault why = {""};
    tb_file_state state = tb_reader_open(&r, dir, kind, TB_COUNT, 1, 1, &why);
    check(state == TB_FILE_FINE || (state == TB_FILE_BAD && strstr(why.line, "count-1v1")));
    if (state != TB_FILE_FINE)
        return;
    check(tb_reader_check(&r, &why) || strstr(why.line, "count-1v1"));
    static uint8_t distances[TB_BLOCK_BYTES];
    int8_t values[1024];
    check(r.header.entries <= sizeof values);
    if (kind == TB_VALUES)
        tb_reader_values(&r, 0, r.header.entries, values);
    else if (kind == TB_PACKED)
        check(tb_reader_unpack(&r, 0, distances, &why) || strstr(why.line, "count-1v1"));
    else
        check(tb_reader_distances(&r, 0, distances, &why) || strstr(why.line, "count-1v1"));
    tb_reader_close(&r);
}

// The bytes between a header and a directory that fit: in the directory of distances the first
// eight bytes say where the block begins.
static void read_forged(tb_kind kind, const uint8_t *bytes, size_t size) {
    static uint8_t file[TB_HEADER_BYTES + MOST + TB_DISTANCES_DIRECTORY];
    size_t place = kind == TB_VALUES ? 0 : 8;
    if (size < place || size > MOST)
        return;
    size_t body = size - place, end = TB_HEADER_BYTES + body;
    memcpy(file + TB_HEADER_BYTES, bytes + place, body);
    memcpy(file + end, bytes, place);
    uint64_t from = place ? tb_get_64(bytes) : TB_HEADER_BYTES;
    from = from <= end ? from : 0;
    tb_put_64(file + end + place, tb_checksum(file + from, end - from));
    tb_header h = {.kind = kind,
                   .rules = TB_COUNT,
                   .movers = 1,
                   .others = 1,
                   .entries = tb_split_of(1, 1).size,
                   .blocks = 1,
                   .bytes = end + place + 8,
                   .directory = tb_checksum(file + end, place + 8)};
    tb_header_encode(&h, file);
    read_file(kind, file, end + place + 8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (int kind = TB_VALUES; kind <= TB_PACKED; kind++) {
        read_file((tb_kind)kind, data, size);
        read_forged((tb_kind)kind, data, size);
    }
    tb_kind kind;
    tb_rules rules;
    int a, b;
    if (tb_file_parse_name((text){(const char *)data, size}, &kind, &rules, &a, &b)) {
        char name[TB_NAME_SIZE];
        tb_file_name(name, kind, rules, a, b);
        check(a >= 1 && b >= 1 && a + b <= TB_MAX_PIECES);
    }
    return 0;
}
