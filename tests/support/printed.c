/* SPDX-License-Identifier: Apache-2.0 */
#include "support/printed.h"

#include "model/model.h"

const char *const printed_model[PRINTED_MODELS] = {"cc", "ccv", "cm", "ccm", "wsc", "sc", "wccm", "wtso", "tso", "pso"};

enum {
    CAUSAL = CC | CCV | CM,
    BUFFERED = WCCM | WTSO | TSO | PSO,
    ALL = CAUSAL | CCM | WSC | SC | BUFFERED,
};

const struct printed printed[PRINTED] = {
    {"Fig. 1a", "wx1 rx2 | wx2 rx1", CC | CM},
    {"Fig. 1b", "wz1 wx1 wy1 | wx2 rz0 ry1 rx2", CC | CCV | BUFFERED},
    {"Fig. 1c", "wx1 wx2 ry1 | wy1 wy2 ry2 rx1", CAUSAL | BUFFERED},
    {"Fig. 1d", "wx1 ry0 wy1 rx1 | wx2 ry0 wy2 rx2", CAUSAL | CCM | BUFFERED},
    {"Fig. 3, IRIW", "wx1 | wy1 | rx1 ry0 | ry1 rx0", CAUSAL},
    {"Fig. 2.5a", "wx1 ry0 | wy1 rx1", ALL},
    {"Fig. 2.8d", "wx1 | wx2 rx1 rx2", CC},
    {"Fig. 2.8e", "wx1 wy1 | ry1 wx2 | rx2 rx1", PSO},
    {"Fig. 4.8a", "rz2 wy2 rx1 | wx1 wy1 wz1 | wt1 ws1 wz2 | rz2 wx2 ry1 | rz1 wt2 rs1 | rz1 ws2 rt1", ALL & ~SC},
    {"Fig. 4.11 rebuilt", "wz1 wy1 wx2 | wx4 wf1 | rf1 wy2 rz1 | rf1 wz2 ry1", ALL},
    {"Fig. 5.6a as printed",
     "wx1 wy1 wz3 wt1 | wx2 wy2 wz4 wt2 | rt1 wx4 wt3 | rt1 wy4 wt4 | rt2 wx3 wt5 | rt2 wy3 wt6 |"
     "rt3 ry2 | rt4 rx2 | rt5 ry1 | rt6 rx1",
     CC | CM | PSO},
    {"Fig. 5.6a repaired",
     "wx1 wy1 wz3 wt1 | wp2 wq2 wz4 wt2 | rt1 wp4 wt3 | rt1 wq4 wt4 | rt2 wx3 wt5 | rt2 wy3 wt6 |"
     "rt3 rq2 | rt4 rp2 | rt5 ry1 | rt6 rx1",
     ALL & ~(SC | TSO)},
    {"own future", "rx1 wx1", 0},
    {"a guard that the thesis' listing of CM forgets", "wx1 rx3 wx2 | wx3 rx1 rx2", CC | CM},
    {"a closure that the thesis' listing of CCv forgets", "wy4 wx1 | wx2 wy3 | rx1 rx2 | ry3 ry4", CC | CM | PSO},
    {"a value nobody wrote", "wx1 | rx2", 0},
    {"an initial value after a cause", "wx1 wy1 | ry1 rx0", PSO},
    {"two read-modify-writes of one value", "ux01 | ux02", CAUSAL},
    {"read-modify-write of its own value", "ux11", 0},
    {"fences order nothing in the causal models", "wx1 f ry0 | wy1 f rx0", CAUSAL},
    {"a pending write that was seen", "wx1 wx2? | rx2 rx1", 0},
    {"pending operations that nobody saw", "wx1 rx? | rx0 rx1 ux12?", ALL},
    {"a pending rmw that takes no part in the refutation", "ux49 ux41? | wx4 | ux98 rx4", 0},
    {"an rmw whose own value is read, after others that come before it", "wy1 uy12 rx1 ry2 | wy9 wx1", ALL},
    {"the same, with nothing before it", "uy01 rx1 ry1 | wy9 wx1", CC | CCV | PSO},
    {"an rmw of the initial value on a cycle of what its thread observes", "wa1 uc01 wb2 rb1 rd2 ra1 | wb1 wa2 wd2",
     CC | PSO},
};

unsigned printed_set(const struct printed *x)
{
    unsigned set = 0;
    for (unsigned m = 0; m < PRINTED_MODELS; m++)
        if ((x->satisfies >> m & 1) && model_find(printed_model[m]))
            set |= models_named(printed_model[m]);
    return set;
}
