// Engines as the user names them: on the command line as `key=value` parts joined by commas, in a
// config file as JSON objects with the same keys.
//
//   cmd=PROGRAM [ARGUMENT...]   what to start; a part without `=` is this one. Blanks separate
//   words,
//                               '...' and "..." keep them together
//   name=TEXT  dialect=uci|ucci|cecp|sau  dir=FOLDER  tc=CONTROL  restart=auto|always
//   st=SECONDS  depth=N  nodes=N  margin=SECONDS
//                               limits besides tc; another tc leaves them as they are
//   ponder=on|off              thinks on the opponent's time, where its protocol knows how (off)
//   option.NAME=VALUE           an option of the engine's own; without `=`, one that has no value
//   initstr=LINE[\nLINE...]      sent before the greeting
//
// A part begins behind a comma with a word and `=`; a word that is no key is refused. Such a comma
// inside a value is written `\,`; between the settings of tc and in a command's quotes it stands
// for itself.
#ifndef KRATON_MATCH_SPEC_H
#define KRATON_MATCH_SPEC_H

#include "match/player.h"

#include <jansson.h>

void match_engine_free(match_engine *e);
// Adds what the text says to an engine (zeroed at first).
MUST_USE bool match_engine_parse(match_engine *e, text spec, fault *why);
// The same from a JSON object. It may also be one of cutechess' engines.json (command, protocol,
// workingDirectory, initStrings, options as a list) or of fastchess' config.json (args, proto,
// limit).
MUST_USE bool match_engine_from_json(match_engine *e, const json_t *object, fault *why);
// Sets one key.
MUST_USE bool match_engine_set(match_engine *e, text key, text value, fault *why);
// An engine without a name gets one from its program.
void match_engine_complete(match_engine *e);

#endif
