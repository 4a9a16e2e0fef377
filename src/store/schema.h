// The schema, version by version. A new version is a new entry at the end of the list; entries that
// were released never change.
#ifndef KRATON_STORE_SCHEMA_H
#define KRATON_STORE_SCHEMA_H

// SQL that brings the schema from version n to n + 1; NULL past the last.
const char *schema_step(int n);

#endif
