import Glibc

/// The platform whose libraries this process can load.
public enum Platform {
    /// The size of a memory page, in bytes.
    package static let pageSize = UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 4096))

    /// The triples of the platforms for which packages are made: those of the hosts on Linux.
    public static let all = ["aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"]

    /// The triple that names this platform's folder for libraries in a bundle.
    public static var triple: String {
        #if arch(x86_64)
            "x86_64-unknown-linux-gnu"
        #elseif arch(arm64)
            "aarch64-unknown-linux-gnu"
        #else
            "unknown-unknown-linux-gnu"
        #endif
    }
}
