# Turns a file into C: cmake -DFILE=in -DOUT=out.c -DNAME=symbol -P embed.cmake
# The bytes are NAME[], their number is NAME_size.
file(READ ${FILE} BYTES HEX)
string(LENGTH "${BYTES}" SIZE)
math(EXPR SIZE "${SIZE} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," BYTES "${BYTES}")
file(WRITE ${OUT} "#include <stddef.h>\n\n"
    "extern const unsigned char ${NAME}[];\nextern const size_t ${NAME}_size;\n\n"
    "const unsigned char ${NAME}[] = {${BYTES}};\nconst size_t ${NAME}_size = ${SIZE};\n")
