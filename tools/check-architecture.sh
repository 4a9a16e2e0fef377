#!/bin/sh
# Fails where the table of components in ARCHITECTURE.md differs from src/components.txt.
exec python3 "$(dirname "$0")/check-includes.py" --architecture
