internal import CConfinement
package import PluginCore

/// The files of the system that a Swift process reads after it was confined.
package struct SystemPaths: Sendable {
    /// The folders whose files may be read, but not listed.
    package var libraries: [FilePath]
    /// The files and folders that may be read and listed.
    package var files: [FilePath]
    /// The devices that may be read and written.
    package var devices: [FilePath]

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
    package func withNetworkFiles() -> SystemPaths {
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
        withUnsafeMutablePointer(to: &folders) { folders in
            confinement_each_library(
                { path, context in
                    let folders = context.assumingMemoryBound(to: [FilePath].self)
                    var names = [String(cString: path)]
                    if let real = confinement_real_path(path) {
                        names.append(String(cString: real))
                        confinement_free(real)
                    }
                    for folder in names.map({ FilePath($0).parent }) where !folders.pointee.contains(folder) {
                        folders.pointee.append(folder)
                    }
                }, folders)
        }
        return folders
    }

    private static func existing(_ paths: [FilePath]) -> [FilePath] {
        paths.filter { confinement_exists($0.string) }
    }
}
