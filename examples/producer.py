#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program that writes its events for `assay monitor`: three threads use a queue.

    producer.py FILE [--operations N] [--overtake N] [--pause SECONDS]

An event is one line, written by one call of write() to a file that is opened for appending. So lines are never mixed, and
their order is the order in time: a call is written before the operation begins, a return after it has ended. After SIGHUP
the file is opened again, so that logrotate can rename it. With --overtake N the N-th value that is taken overtakes others:
a bug, for which the monitor is there.
"""
import argparse
import collections
import os
import random
import signal
import threading
import time


class EventLog:
    """Appends events to a file; opens it again when asked to."""

    def __init__(self, path):
        self.path, self.lock, self.reopen = path, threading.Lock(), False
        self.file = self._open()

    def _open(self):
        return os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o640)

    def write(self, line):
        with self.lock:
            if self.reopen:
                self.reopen = False
                os.close(self.file)
                self.file = self._open()
            os.write(self.file, (line + "\n").encode())


class Queue:
    """The queue under test."""

    def __init__(self, overtake):
        self.lock, self.values, self.taken, self.overtake = threading.Lock(), collections.deque(), 0, overtake

    def enq(self, value):
        with self.lock:
            self.values.append(value)

    def deq(self):
        with self.lock:
            if not self.values:
                return "empty"
            self.taken += 1
            if self.overtake and self.taken >= self.overtake and len(self.values) > 1:
                self.overtake = 0
                return self.values.pop()
            return self.values.popleft()


def work(name, log, queue, next_value, operations, pause):
    rng = random.Random(name)
    for _ in range(operations):
        if rng.random() < 0.45:  # so that the queue is empty now and then
            value = next_value()
            log.write(f"[{name}] call enq({value})")
            queue.enq(value)
            log.write(f"[{name}] return")
        else:
            log.write(f"[{name}] call deq")
            result = queue.deq()
            log.write(f"[{name}] return {result}")
        time.sleep(pause)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--operations", type=int, default=1000)
    parser.add_argument("--overtake", type=int, default=0)
    parser.add_argument("--pause", type=float, default=0)
    options = parser.parse_args()
    log, queue = EventLog(options.file), Queue(options.overtake)
    numbers, lock = iter(range(1, 1 << 62)), threading.Lock()

    def next_value():
        with lock:
            return next(numbers)

    def hang_up(_signal, _frame):
        log.reopen = True

    signal.signal(signal.SIGHUP, hang_up)
    threads = [threading.Thread(target=work, args=(f"t{i}", log, queue, next_value, options.operations, options.pause))
               for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
