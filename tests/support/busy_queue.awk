# SPDX-License-Identifier: Apache-2.0
# The events of a busy queue, without end or `operations` of them: 8 threads that overlap, at most 64 values, all distinct.
#   awk -v operations=500000000 -f busy_queue.awk | assay monitor -o queue
# An operation takes effect at its call, so the history is linearizable. Memory does not grow with it.
BEGIN {
    srand(7)
    for (first = last = 0; !operations || done < operations;) {
        t = int(8 * rand())
        if (open[t]) {
            print "[t" t "] return" result[t]
            open[t] = 0
            done++
        } else {
            open[t] = 1
            if (last - first < 64 && rand() < 0.5) {
                print "[t" t "] call enq(" last ")"
                value[last % 64] = last
                last++
                result[t] = ""
            } else {
                print "[t" t "] call deq"
                result[t] = " " (first < last ? value[first++ % 64] : "empty")
            }
        }
    }
}
