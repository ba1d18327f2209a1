#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Whether the tests are run by the user whom no rights stop.
let isRoot = geteuid() == 0
