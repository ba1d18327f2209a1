#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// This module's one door to what surrounds the process.
enum Environment {
    static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Seconds since 1970.
    static func now() -> Int64 {
        Int64(time(nil))
    }
}
