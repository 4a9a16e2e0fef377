// One binary for every x86-64: a hot source is compiled once per level of the instruction set
// (kraton_per_isa in CMakeLists.txt) and the best level the processor has is picked at run time.
//
// Such a source defines its entry points as ISA_NAME(f); its header declares f_baseline and f_v3
// and makes the call through ISA_PICK(f). One that gains by AVX-512 is compiled for v4 as well and
// picked by ISA_PICK_V4(f); the kernels of networks are compiled for the level vnni. Elsewhere than
// on x86-64 the baseline is all there is. From one such source to another the call stays on the
// level without asking.
#ifndef KRATON_BASE_ISA_H
#define KRATON_BASE_ISA_H

#include <stdbool.h>

#define ISA_JOIN(name, level) name##_##level
#define ISA_JOIN_EXPANDED(name, level) ISA_JOIN(name, level)
#define ISA_NAME(name) ISA_JOIN_EXPANDED(name, ISA_LEVEL)

#ifdef __x86_64__
// Whether the processor runs code compiled for x86-64-v3.
bool isa_has_v3(void);
// The same for x86-64-v4.
bool isa_has_v4(void);
// The same for x86-64-v4 with the instructions for networks, AVX512-VNNI.
bool isa_has_vnni(void);
#endif

#ifdef ISA_LEVEL
#define ISA_PICK(name) ISA_NAME(name)
#elif defined __x86_64__
#define ISA_PICK(name) (isa_has_v3() ? name##_v3 : name##_baseline)
#define ISA_PICK_V4(name) (isa_has_v4() ? name##_v4 : ISA_PICK(name))
#else
#define ISA_PICK(name) name##_baseline
#define ISA_PICK_V4(name) name##_baseline
#endif

#endif
