/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/shared.h"

const assay_adapter_method queue_methods[] = {[ENQ] = {"enq", 1, NULL}, [DEQ] = {"deq", 1, NULL}, {0}};
const assay_adapter_method stack_methods[] = {[PUSH] = {"push", 1, NULL}, [POP] = {"pop", 1, NULL}, {0}};
const assay_adapter_method deque_methods[] = {[DEQUE_PUSH_FRONT] = {"push-front", 2, NULL},
                                              [DEQUE_PUSH_BACK] = {"push-back", 2, NULL},
                                              [DEQUE_POP_FRONT] = {"pop-front", 2, NULL},
                                              [DEQUE_POP_BACK] = {"pop-back", 2, NULL},
                                              [DEQUE_PEEK_FRONT] = {"peek-front", 1, NULL},
                                              [DEQUE_PEEK_BACK] = {"peek-back", 1, NULL},
                                              {0}};
const assay_adapter_method set_methods[] = {
    [SET_ADD] = {"add", 1, NULL}, [SET_REMOVE] = {"remove", 1, NULL}, [SET_CONTAINS] = {"contains", 1, NULL}, {0}};
const assay_adapter_method map_methods[] = {
    [MAP_PUT] = {"put", 3, NULL},
    [MAP_GET] = {"get", 1, NULL},
    [MAP_REMOVE] = {"remove", 2, NULL},
    [MAP_CONTAINS_KEY] = {"contains-key", 1, NULL},
    [MAP_CONTAINS_VALUE] = {"contains-value", 2, NULL},
    [MAP_SIZE] = {"size", 1, NULL},
    {0},
};
const assay_adapter_method exchanger_methods[] = {[EXCHANGE] = {"exchange", 1, NULL}, {0}};
const assay_adapter_method rwlock_methods[] = {[RDLOCK] = {"rdlock", 1, NULL},
                                               [TRYRDLOCK] = {"tryrdlock", 1, NULL},
                                               [RDUNLOCK] = {"rdunlock", 1, "rdlock tryrdlock"},
                                               [WRLOCK] = {"wrlock", 1, NULL},
                                               [TRYWRLOCK] = {"trywrlock", 1, NULL},
                                               [WRUNLOCK] = {"wrunlock", 1, "wrlock trywrlock"},
                                               {0}};
