# SPDX-License-Identifier: Apache-2.0
# unpack.awk root=GOLDEN folder=F1 CASE1 folder=F2 CASE2 ...: unpacks case files, as run.sh explains them: cmd and the input files
# into the folder, the others beside it: F1.needs, F1.status, F1.expected.out, F1.expected.err. A fault of CASE1, with its line, goes
# to F1.fault.

# A path as people write it.
function below_root(path) {
    return index(path, root "/") == 1 ? substr(path, length(root) + 2) : path
}

function fault(text) {
    printf "%s:%d: %s\n", below_root(FILENAME), FNR, text >(folder ".fault")
}

# The lines that follow go to the file.
function begin(path) {
    if (path in seen)
        fault("a second section '" substr($0, 6) "'")
    seen[path] = 1
    out = path
    printf "" >out
}

# No lines may follow.
function end() {
    close(out)
    out = ""
    inside = 0
}

function only(path, text) {
    begin(path)
    print text >out
    end()
}

function is_input(name) {
    return name ~ /^[A-Za-z0-9_+-][A-Za-z0-9._+-]*$/ && name !~ /^(cmd|needs|status|expected\.out|expected\.err)$/
}

function copy(path, line, read) {
    while ((read = (getline line <path)) > 0)
        print line >out
    close(path)
    if (read < 0)
        fault("cannot read " below_root(path))
    end()
}

FNR == 1 {
    above = 1 # the first section: what stands here is for the reader
    out = ""
}

/^====( |$)/ {
    if (out != "")
        close(out)
    out = ""
    above = 0
    inside = 1
    if ($2 == "command" && NF == 2)
        begin(folder "/cmd")
    else if ($2 == "stdout" && NF == 2)
        begin(folder ".expected.out")
    else if ($2 == "stderr" && NF == 2)
        begin(folder ".expected.err")
    else if ($2 == "status" && NF == 3 && $3 ~ /^[0-9]+$/)
        only(folder ".status", $3)
    else if ($2 == "needs" && NF >= 3)
        only(folder ".needs", substr($0, 12))
    else if ($2 == "file" && NF == 3 && is_input($3))
        begin(folder "/" $3)
    else if ($2 == "file" && NF == 5 && is_input($3) && $4 == "from") {
        begin(folder "/" $3)
        copy(root "/" $5)
    } else
        fault("no section is called '" substr($0, 6) "'")
    next
}

out != "" { print >out }

!above && !inside {
    fault("text in a section that is one line")
    inside = 1 # says it once
}
