#!/bin/sh
# Fails where ARCHITECTURE.md differs from src/components.txt or names functions that do not exist.
exec python3 "$(dirname "$0")/check-includes.py" --architecture
