// <uv.h> without two macros of windows.h that are good names.
#include_next <uv.h>
#undef near
#undef far
