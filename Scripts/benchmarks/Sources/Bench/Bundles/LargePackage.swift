import Authoring
import Resolver
import FoundationEssentials
import PluginCore
import BundleFormat
import PluginRuntime

/// A signed package of 100 MB, and a second version in which one file of a megabyte differs.
struct LargePackage {
    static let identifier: BundleIdentifier = "com.benchmark.hundred"
    /// The only file that differs between the versions, except for manifest and signature.
    static let changed = "Resources/changed.bin"

    let first: FilePath
    let second: FilePath

    /// Creates the packages.
    ///
    /// - Parameter folder: the destination, which needs space for twice the content.
    init(in folder: FilePath, by team: BenchTeam, effort: Effort) throws {
        let content = folder.appending("content")
        defer { try? FileManager.default.removeItem(atPath: content.string) }
        try FileManager.default.createDirectory(
            atPath: content.appending("Resources").string, withIntermediateDirectories: true)
        var random = Random(state: 0x9E37_79B9_7F4A_7C15)
        // Most large files in bundles are already compressed, such as pictures, films and archives.
        for number in 0..<effort.count(27) {
            try Self.write(random.bytes(3_400_000), to: content.appending("Resources/noise-\(number).bin"))
        }
        for number in 0..<effort.count(12) {
            try Self.write(random.text(2_000_000), to: content.appending("Resources/text-\(number).txt"))
        }
        first = try Self.pack(content, "1.0.0", random.bytes(1_000_000), to: folder, by: team)
        second = try Self.pack(content, "1.1.0", random.bytes(1_000_000), to: folder, by: team)
    }

    private static func pack(
        _ content: FilePath, _ version: String, _ changed: [UInt8], to folder: FilePath, by team: BenchTeam
    ) throws -> FilePath {
        let manifest = """
            {"formatVersion": 1, "identifier": "\(identifier)", "version": "\(version)", "name": "Hundred",
             "kind": "assets"}
            """
        try write(changed, to: content.appending(Self.changed))
        try write(Array(manifest.utf8), to: content.appending("manifest.json"))
        guard let number = SemanticVersion(version) else { throw AtriumError(.versionUnknown, version) }
        let identity = BundleIdentity(identifier: identifier, version: number)
        let path = folder.appending(PackageFile.name(of: identity))
        var package = PackageWriter()
        try package.add(folder: content)
        try package.write(to: path, of: identity, sealedBy: team.sealer)
        return path
    }

    private static func write(_ bytes: [UInt8], to path: FilePath) throws {
        try Data(bytes).write(to: URL(filePath: path.string))
    }
}
