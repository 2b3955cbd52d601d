/* SPDX-License-Identifier: Apache-2.0 */
/* The litmus shapes: small programs whose outcomes tell memory models apart. The names are those that the literature on
 * hardware memory models uses (SB, MP, LB, S, R, 2+2W, WRC, RWC, ISA2, IRIW, n6 and the shapes of coherence). */
#include "collect/collect.h"

const struct hardware_shape hardware_shapes[] = {
    /* two threads that write and read two variables each: all six shapes */
    {"SB", "Wx Ry | Wy Rx", "store buffering"},
    {"MP", "Wx Wy | Ry Rx", "message passing"},
    {"LB", "Rx Wy | Ry Wx", "load buffering"},
    {"S", "Wx Wy | Ry Wx", "a write after a read of the flag"},
    {"R", "Wx Wy | Wy Rx", "two writes against a write and a read"},
    {"2+2W", "Wx Wy | Wy Wx", "two writes each, in opposite orders"},
    /* fences that make the first and the fifth sequentially consistent under store buffers, and fences that do not */
    {"SB+fence", "Wx F Ry | Wy Rx", "store buffering, one side with a fence"},
    {"SB+fences", "Wx F Ry | Wy F Rx", "store buffering, both sides with a fence"},
    {"SB+rmws", "Xx Ry | Xy Rx", "store buffering with exchanges instead of writes"},
    {"R+fence", "Wx Wy | Wy F Rx", "R with a fence before the read"},
    /* a thread sees its own write before the others do */
    {"SB+own", "Wx Rx Ry | Wy Ry Rx", "store buffering, each thread reads its own write first"},
    {"n6", "Wx Rx Ry | Wy Wx", "R, one thread reads its own write first"},
    /* coherence: one variable */
    {"CoRR", "Wx | Rx Rx", "two reads against a write"},
    {"CoWW", "Wx Wx | Rx Rx", "two reads against two writes"},
    {"CoWR", "Wx Rx | Wx", "a read after a write against a write"},
    {"CoRW", "Rx Wx | Wx Rx", "a write after a read"},
    {"RMW", "Xx Xx | Xx Xx", "exchanges alone"},
    /* three and four threads: is a write seen by all others at once? */
    {"3.SB", "Wx Ry | Wy Rz | Wz Rx", "store buffering in a circle of three"},
    {"WRC", "Wx | Rx Wy | Ry Rx", "a write, told by another thread"},
    {"RWC", "Wx | Rx Ry | Wy Rx", "a write, read and missed"},
    {"ISA2", "Wx Wy | Ry Wz | Rz Rx", "message passing over a third thread"},
    {"IRIW", "Wx | Wy | Rx Ry | Ry Rx", "independent reads of independent writes"},
    {0},
};
