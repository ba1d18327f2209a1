internal import FoundationEssentials
public import PluginCore
public import PluginRuntime

/// What a registry says, read all at once.
public struct RegistryState: Sendable, Hashable {
    /// A version, by the name of its folder.
    public struct Version: Sendable, Hashable, CustomStringConvertible {
        /// Identifier and version.
        public let identity: BundleIdentity
        /// The digest that its folder is called by.
        public let digest: String

        /// Such as `com.example.app.shop@1.0.0 (c0ffee012345)`.
        public var description: String { "\(identity) (\(digest.prefix(12)))" }
    }

    /// What is in use under an identifier, and what a rollback returns to.
    public struct Installed: Sendable, Hashable, CustomStringConvertible {
        /// The version in use.
        public let active: Version
        /// The one before.
        public let previous: Version?

        /// Both.
        public var description: String { "\(active)" + (previous.map { ", before \($0)" } ?? "") }
    }

    /// By identifier; of a registry that is not there nothing.
    public let installed: [String: Installed]
    /// Every version that a row names.
    public let named: [Version]
    /// The lowest version that may be installed, by identifier.
    public let floors: [String: SemanticVersion]
    /// The same as the file beside the registry says, which outlives it.
    public let mirroredFloors: [String: SemanticVersion]
    /// What its own check finds wrong.
    public let problems: [String]

    /// Reads the registry of a sandbox from a copy: what a crash has left there stays as it is for who comes next.
    ///
    /// - Parameter scratch: a folder for the copy.
    /// - Throws: ``AtriumError`` when it cannot be read, and what the file system throws.
    public init(of sandbox: Sandbox, copyingTo scratch: FilePath) throws {
        let copy = Sandbox(root: scratch)
        let files = FileManager.default
        if files.fileExists(atPath: scratch.string) { try files.removeItem(atPath: scratch.string) }
        try files.createDirectory(atPath: copy.registry.parent.string, withIntermediateDirectories: true)
        for ending in ["", "-journal", "-wal"] where files.fileExists(atPath: sandbox.registry.string + ending) {
            try files.copyItem(atPath: sandbox.registry.string + ending, toPath: copy.registry.string + ending)
        }
        let registry = Registry(copy)
        problems = try registry.damage()
        named = try registry.versions().map(Version.init)
        floors = try registry.floors()
        let folder = sandbox.registry.parent.appending("Floors")
        var mirrored: [String: SemanticVersion] = [:]
        for name in (try? files.contentsOfDirectory(atPath: folder.string)) ?? [] {
            guard let data = files.contents(atPath: folder.appending(name).string) else { continue }
            mirrored[name] = SemanticVersion(String(decoding: data.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
        }
        mirroredFloors = mirrored
        installed = Dictionary(
            uniqueKeysWithValues: try registry.installed().map { bundle in
                (
                    bundle.active.identity.identifier,
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
