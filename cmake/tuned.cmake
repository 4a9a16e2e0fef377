# Turns a game's params.h into one whose numbers are variables, for the lab's SPSA:
#   cmake -DFILE=src/games/GAME/params.h -DOUT=params.h -P tuned.cmake
# PARAM_NAME becomes search_params[TUNED_NAME]; TUNED_LIST(P) calls P(NAME, VALUE) for each.
file(STRINGS ${FILE} LINES REGEX "^ +PARAM_[A-Z0-9_]+ = -?[0-9]+,")
set(NAMES "")
set(LIST "")
set(DEFINES "")
foreach(LINE ${LINES})
    string(REGEX MATCH "PARAM_([A-Z0-9_]+) = (-?[0-9]+)," MATCHED "${LINE}")
    string(APPEND NAMES "    TUNED_${CMAKE_MATCH_1},\n")
    string(APPEND LIST "    P(${CMAKE_MATCH_1}, ${CMAKE_MATCH_2}) \\\n")
    string(APPEND DEFINES "#define PARAM_${CMAKE_MATCH_1} (search_params[TUNED_${CMAKE_MATCH_1}])\n")
endforeach()
file(WRITE ${OUT} "// Made from params.h by cmake/tuned.cmake.\n#ifndef KRATON_TUNED_PARAMS_H\n"
    "#define KRATON_TUNED_PARAMS_H\n\nextern _Thread_local const int *search_params;\n\n"
    "enum {\n${NAMES}    TUNED_COUNT\n};\n\n#define TUNED_LIST(P) \\\n${LIST}\n${DEFINES}\n#endif\n")
