public import Registry
internal import FoundationEssentials
public import PluginCore
import PluginRuntime

/// The complete content of a registry.
public struct RegistryState: Sendable, Hashable {
    /// A version, identified by the name of its folder.
    public struct Version: Sendable, Hashable, CustomStringConvertible {
        /// The identifier and the version.
        public let identity: BundleIdentity
        /// The digest in the name of the folder.
        public let digest: String

        /// The identity with the start of the digest.
        public var description: String { "\(identity) (\(digest.prefix(12)))" }
    }

    /// The active version of a bundle and its rollback target.
    public struct Installed: Sendable, Hashable, CustomStringConvertible {
        /// The active version.
        public let active: Version
        /// The previous version, which is the rollback target.
        public let previous: Version?

        /// Both versions as text.
        public var description: String { "\(active)" + (previous.map { ", before \($0)" } ?? "") }
    }

    /// The installed bundles by identifier. Empty for a missing registry.
    public let installed: [String: Installed]
    /// All versions in the registry.
    public let named: [Version]
    /// The minimum versions by identifier.
    public let minimumVersions: [String: SemanticVersion]
    /// The minimum versions in the file next to the registry, which survives the loss of the registry.
    public let mirroredMinimumVersions: [String: SemanticVersion]
    /// The problems that the integrity check finds.
    public let problems: [String]

    /// Reads a copy of a sandbox's registry, so that the files of a crashed host remain unchanged for the next one.
    ///
    /// - Parameters:
    ///   - sandbox: The sandbox.
    ///   - scratch: A folder for the copy.
    /// - Throws: ``AtriumError`` if the registry cannot be read, and the errors of the file system.
    public init(of sandbox: Sandbox, copyingTo scratch: FilePath) throws {
        let copy = Sandbox(root: scratch)
        let files = FileManager.default
        if files.fileExists(atPath: scratch.string) { try files.removeItem(atPath: scratch.string) }
        try files.createDirectory(atPath: copy.registry.parent.string, withIntermediateDirectories: true)
        for ending in ["", "-journal", "-wal"] where files.fileExists(atPath: sandbox.registry.string + ending) {
            try files.copyItem(atPath: sandbox.registry.string + ending, toPath: copy.registry.string + ending)
        }
        let registry = Registry(copy)
        problems = try registry.damage().map(\.description)
        named = try registry.versions.all().map(Version.init)
        minimumVersions = Dictionary(
            uniqueKeysWithValues: try registry.minimumVersions.all().map { ($0.key.text, $0.value) })
        let folder = sandbox.registry.parent.appending("MinimumVersions")
        var mirrored: [String: SemanticVersion] = [:]
        for name in (try? files.contentsOfDirectory(atPath: folder.string)) ?? [] {
            guard let data = files.contents(atPath: folder.appending(name).string) else { continue }
            mirrored[name] = SemanticVersion(String(decoding: data.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
        }
        mirroredMinimumVersions = mirrored
        installed = Dictionary(
            uniqueKeysWithValues: try registry.active.all().map { bundle in
                (
                    bundle.active.identity.identifier.text,
                    Installed(active: Version(bundle.active), previous: bundle.previous.map(Version.init))
                )
            })
    }
}

extension RegistryState.Version {
    init(_ bundle: PluginBundle) {
        self.init(identity: bundle.identity, digest: bundle.digest)
    }
}
