# SPDX-License-Identifier: Apache-2.0
# What differs between machines or with every tuning of an engine is not compared by golden and docs tests.
s/"seconds":[0-9][0-9.e+-]*/"seconds":0/g
s/"bytes":[0-9]+/"bytes":0/g
s/"statistics":\{[^}]*\}/"statistics":{}/g
s/[0-9]+\.[0-9]+ seconds/0 seconds/g
s/[0-9]+ runs a second/0 runs a second/g
s/"rate":[0-9]+/"rate":0/g
# What a build was left without is not compared, but that it is a build's affair.
s/  \(not available: built without [^)]*\)//
s/"missing":"built without [^"]*"/"missing":null/
s/^[0-9]+ operations a second; latency.*/0 operations a second/
