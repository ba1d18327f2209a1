import PluginCore

import Glibc

/// The module's access to the process environment and the clock.
enum Environment {
    static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Returns the variables of this process for a program whose libraries are looked for in some folders first, as `NAME=value`.
    static func variables(findingLibrariesIn folders: [FilePath]) -> [String] {
        var (all, next): ([String], UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) = ([], environ)
        while let text = next?.pointee {
            all.append(String(cString: text))
            next = next?.advanced(by: 1)
        }
        guard !folders.isEmpty else { return all }
        let name = "LD_LIBRARY_PATH"
        let paths = folders.map(\.string) + (variable(name).map { [$0] } ?? [])
        return all.filter { !$0.hasPrefix(name + "=") } + [name + "=" + paths.joined(separator: ":")]
    }

    /// The number of this process.
    static var processNumber: Int32 { getpid() }

    /// Returns the current time in milliseconds since 1970.
    static func milliseconds() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// Returns the current time in seconds since 1970.
    static func now() -> Int64 {
        Int64(time(nil))
    }
}
