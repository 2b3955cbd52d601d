/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/shared.h"

const assay_adapter_method queue_methods[] = {[ENQ] = {"enq", 1, NULL}, [DEQ] = {"deq", 1, NULL}, {0}};
const assay_adapter_method stack_methods[] = {[PUSH] = {"push", 1, NULL}, [POP] = {"pop", 1, NULL}, {0}};
const assay_adapter_method set_methods[] = {
    [SET_ADD] = {"add", 1, NULL}, [SET_REMOVE] = {"remove", 1, NULL}, [SET_CONTAINS] = {"contains", 1, NULL}, {0}};
const assay_adapter_method exchanger_methods[] = {[EXCHANGE] = {"exchange", 1, NULL}, {0}};
const assay_adapter_method rwlock_methods[] = {[RDLOCK] = {"rdlock", 1, NULL},
                                               [TRYRDLOCK] = {"tryrdlock", 1, NULL},
                                               [RDUNLOCK] = {"rdunlock", 1, "rdlock tryrdlock"},
                                               [WRLOCK] = {"wrlock", 1, NULL},
                                               [TRYWRLOCK] = {"trywrlock", 1, NULL},
                                               [WRUNLOCK] = {"wrunlock", 1, "wrlock trywrlock"},
                                               {0}};
