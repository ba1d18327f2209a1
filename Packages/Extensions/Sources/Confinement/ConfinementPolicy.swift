import CConfinement
import HostSystem
package import PluginCore
import Processes

/// The rights that remain to a process that confines itself.
///
/// ```swift
/// var policy = ConfinementPolicy(parent: host)
/// policy.limits.addressSpace = 2 << 30
/// policy.readable = [bundle]
/// policy.writable = [container]
/// let report = try policy.apply()
/// ```
package struct ConfinementPolicy {
    /// The number of the process with which this one ends.
    package var parent: Int32
    /// The limits of the kernel.
    package var limits = ProcessLimits()
    /// The folders and files that may be read and listed, and whose libraries may be loaded.
    package var readable: [FilePath] = []
    /// The folders in which files may be created, changed and removed.
    package var writable: [FilePath] = []
    /// The files that every Swift process reads.
    package var system = SystemPaths.ofThisProcess()
    /// A Boolean value that indicates whether outgoing connections are allowed.
    package var isNetworkAllowed = false

    package init(parent: Int32) { self.parent = parent }
}

/// The limits of a process. A limit that is nil stays as it is.
package struct ProcessLimits {
    /// The most bytes of address space, including libraries and the stacks of threads.
    package var addressSpace: UInt64?
    /// The most bytes of private writable memory.
    package var data: UInt64?
    /// The most open files.
    package var openFiles: UInt64?
    /// The most seconds of processor time. SIGXCPU reports their end, and SIGKILL follows a second later.
    package var processorSeconds: UInt64?
    /// The most bytes of a file.
    package var fileSize: UInt64?
}

/// The files of the system that a Swift process reads after it was confined.
package struct SystemPaths {
    /// The folders whose files may be read, but not listed.
    package var libraries: [FilePath]
    /// The files and folders that may be read and listed.
    var files: [FilePath]
    /// The devices that may be read and written.
    var devices: [FilePath]

    /// Returns the folders of the libraries that this process has loaded, and the files of the C library and of Foundation.
    ///
    /// Nothing in `/proc` belongs to them except two items of this process, which ``ConfinementPolicy/apply(on:)`` adds.
    package static func ofThisProcess() -> SystemPaths {
        SystemPaths(
            libraries: loadedFolders(),
            files: existing([
                "/etc/ld.so.cache",
                // Time zones and locales.
                "/etc/localtime", "/etc/timezone", "/usr/share/zoneinfo", "/usr/lib/locale",
                // The C library and libdispatch count processors.
                "/sys/devices/system/cpu/online", "/sys/devices/system/cpu/possible",
                "/dev/urandom",
            ]),
            // A shared mapping of /dev/zero is memory that only the limit of the address space counts.
            devices: existing(["/dev/null"]))
    }

    /// Returns the paths of a process that may use the network: with the files in which the C library and TLS libraries find servers and their certificates.
    func withNetworkFiles() -> SystemPaths {
        var paths = self
        paths.files += Self.existing([
            "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services",
            "/etc/protocols", "/etc/ssl/openssl.cnf", "/etc/ssl/certs", "/usr/share/ca-certificates",
            "/usr/local/share/ca-certificates",
        ])
        return paths
    }

    /// Returns the folders of the loaded libraries, both by the loader's name and by that without links.
    private static func loadedFolders() -> [FilePath] {
        var folders: [FilePath] = []
        // The program comes first, and is not read again.
        for path in LoadedObjects.paths().dropFirst() {
            for folder in [path.parent, FileSystem.resolved(path).parent] where !folders.contains(folder) {
                folders.append(folder)
            }
        }
        return folders
    }

    private static func existing(_ paths: [FilePath]) -> [FilePath] {
        paths.filter { confinement_exists($0.string) }
    }
}
