#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The module's access to the process environment and the clock.
enum Environment {
    static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// The number of this process.
    static var processNumber: Int32 { getpid() }

    /// Returns the current time in seconds since 1970.
    static func now() -> Int64 {
        Int64(time(nil))
    }
}
