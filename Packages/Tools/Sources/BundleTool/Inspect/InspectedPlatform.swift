import BundleFormat
import Console
import HostSystem
public import Preflight
import PluginCore

/// A platform for which a package is sealed, with an assessment of its libraries.
public struct InspectedPlatform: Sendable {
    /// The triple.
    public let triple: String
    /// The libraries by their file names; none if the file has been left without those of this platform.
    public let libraries: [(entry: String, report: LibraryReport)]

    /// The machine of the libraries according to their files, such as `aarch64`; empty if there are none.
    public var architecture: String { libraries.first?.report.facts.architecture ?? "" }

    /// A Boolean value that indicates whether the package has its libraries.
    public var isContained: Bool { !libraries.isEmpty }

    /// The libraries of a platform.
    typealias Libraries = [(entry: String, report: LibraryReport)]

    /// Returns the platforms of a package.
    ///
    /// - Parameters:
    ///   - files: the names of the files in the package.
    ///   - sealed: the platforms of its seal, if there is one.
    ///   - own: the assessments of the libraries for this machine, which cover more than those of others.
    static func all(
        in package: PackageFile, _ manifest: Manifest, files: [String], sealed: [String],
        own: (library: LibraryReport?, extensions: Libraries)
    ) throws(AtriumError) -> [InspectedPlatform] {
        let contained = Set(files.compactMap { Seal.platform(of: $0) })
        let entries = [manifest.entry].compactMap(\.self) + manifest.extensions.map(\.entry)
        var platforms: [InspectedPlatform] = []
        for triple in contained.union(sealed).sorted() {
            var libraries: Libraries = []
            if triple == Platform.triple, contained.contains(triple), let library = own.library,
                let first = entries.first
            {
                libraries = [(first, library)] + own.extensions
            } else if contained.contains(triple) {
                for entry in entries {
                    let report = try package.libraryReport(for: manifest, named: entry, platform: triple)
                    if let report { libraries.append((entry, report)) }
                }
            }
            platforms.append(InspectedPlatform(triple: triple, libraries: libraries))
        }
        return platforms
    }

    var json: JSONText {
        [
            "triple": .string(triple),
            "architecture": .string(orNull: architecture.isEmpty ? nil : architecture),
            "isContained": .bool(isContained),
            "libraries": .array(
                libraries.map { found in
                    [
                        "entry": .string(found.entry), "architecture": .string(found.report.facts.architecture),
                        "findings": .strings(found.report.findings.map(\.reason.sentence)),
                    ]
                }),
        ]
    }
}
