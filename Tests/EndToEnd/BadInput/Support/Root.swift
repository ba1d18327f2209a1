#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A Boolean value that indicates whether the tests are run by the user whom no rights stop.
let isRoot = geteuid() == 0
