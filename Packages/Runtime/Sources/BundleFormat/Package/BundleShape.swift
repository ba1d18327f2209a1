import HostSystem
package import PluginCore

extension Manifest {
    /// The file names of the libraries: the bundle's own, and those of its extensions.
    package var libraries: [String] { [entry].compactMap(\.self) + extensions.map(\.entry) }
}

/// The items that a bundle may have at its top level.
package enum BundleShape {
    private static let topLevel = ["Resources", "lib", "manifest.json", "signature"]

    /// Returns the path in a bundle of a library for a platform, by default for this one.
    package static func libraryPath(of entry: String, for platform: String = Platform.triple) -> String {
        "lib/\(platform)/\(entry)"
    }

    /// Returns the reason for the first item that doesn't belong in a bundle, if there is one.
    ///
    /// - Parameter paths: the paths of files and folders, relative to the bundle.
    package static func flaw(in paths: some Sequence<String>) -> ErrorReason? {
        for path in paths {
            let name = path.utf8.prefix { $0 != UInt8(ascii: "/") }
            guard topLevel.contains(where: { $0.utf8.elementsEqual(name) }) else {
                return ErrorReason(
                    "itemNotAllowed", ["item": "\(Substring(name))", "allowed": .list(topLevel)])
            }
        }
        return nil
    }

    /// Returns the reason for the first file below `lib` that is neither the bundle's library nor one of its extensions'.
    ///
    /// The libraries of other platforms lie in folders of their own, under the same names.
    package static func libraryFlaw(in paths: some Sequence<String>, of manifest: Manifest) -> ErrorReason? {
        for path in paths where path.hasPrefix("lib/") {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count != 3 || !manifest.libraries.contains(parts[2]) else { continue }
            return ErrorReason(
                "libraryNotDeclared", ["file": .text(path), "declared": .list(manifest.libraries)])
        }
        return nil
    }

    /// Checks the files of a seal in the same way; files that aren't sealed are reported elsewhere.
    package static func findings(in seal: Seal) -> [SealFinding] {
        flaw(in: seal.files.lazy.map(\.path)).map { [SealFinding(.packageInvalid, nil, $0)] } ?? []
    }
}
