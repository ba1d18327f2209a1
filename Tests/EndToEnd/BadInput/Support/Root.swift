import Glibc

/// A Boolean value that indicates whether the tests run as root, to whom permissions do not apply.
let isRoot = geteuid() == 0
