public import PluginCore

/// A version of a plugin bundle in the sandbox.
///
/// Two records are equal when they have the same version and the same seal.
public struct PluginBundle: Sendable {
    /// The identifier and version.
    public let identity: BundleIdentity
    /// The SHA-256 of its seal, which lists all its files, in lowercase hexadecimal.
    public let digest: String
    /// The display name.
    public let name: String
    /// A one-sentence description; may be empty.
    public let summary: String
    /// The kind of bundle.
    public let kind: BundleKind
    /// The library's file name; `nil` for a bundle without code.
    public let entry: String?
    /// The app groups that it belongs to.
    public let appGroups: [String]
    /// The size of its files in bytes.
    public let size: Int64
    /// The time of installation, in seconds since 1970.
    public let installedAt: Int64
    /// The team and the key that sealed it.
    public let seal: SealRecord
    /// The time when the version has first run successfully, in seconds since 1970; `nil` until then.
    public package(set) var hasRunSince: Int64?
    /// The requirements that must be active before it is loaded; `nil` unless the record was read as an active version.
    var hardRequirements: [BundleRequirement]?
}

/// The information about a version's seal in the registry, so that loading need not read the seal.
public struct SealRecord: Hashable, Sendable {
    /// The team's identifier; empty for an unsigned version installed by an early host.
    public let team: String
    /// The ID of the team's key, in the format of minisign.
    public let keyID: String
    /// The library's SHA-256 in lowercase hexadecimal; `nil` for a bundle without code.
    public let libraryDigest: String?
    /// The stamp of the library's file at the last verification.
    package let libraryStamp: String?
    /// The stamp of seal, signature and key at the last verification.
    package var sealStamp: String?

    package init(team: String, keyID: String, libraryDigest: String?, libraryStamp: String?, sealStamp: String? = nil) {
        self.team = team
        self.keyID = keyID
        self.libraryDigest = libraryDigest
        self.libraryStamp = libraryStamp
        self.sealStamp = sealStamp
    }
}

extension PluginBundle {
    package init(_ manifest: Manifest, digest: String, size: Int64, installedAt: Int64, seal: SealRecord) {
        self.init(
            identity: manifest.identity, digest: digest, name: manifest.name, summary: manifest.summary,
            kind: manifest.kind, entry: manifest.entry, appGroups: manifest.appGroups, size: size,
            installedAt: installedAt, seal: seal, hasRunSince: nil
        )
    }
}

extension PluginBundle {
    /// A Boolean value that indicates whether the version has run successfully.
    ///
    /// A version without code only needs to have been active.
    var hasRun: Bool { hasRunSince != nil || entry == nil }

    /// Returns whether the version is a valid rollback target: it has run successfully, or isn't below the minimum version.
    ///
    /// - Parameter minimumVersion: the highest version that has run here.
    package func isRollbackTarget(above minimumVersion: SemanticVersion?) -> Bool {
        hasRun || minimumVersion.map { identity.version >= $0 } ?? true
    }
}

extension PluginBundle: Hashable {
    /// Returns whether both have the same version and the same seal.
    public static func == (one: PluginBundle, other: PluginBundle) -> Bool {
        one.identity == other.identity && one.digest == other.digest
    }

    /// Hashes the identity and the seal's digest.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
        hasher.combine(digest)
    }
}

/// The active version of a bundle and its rollback target.
public struct InstalledBundle: Hashable, Sendable {
    /// The active version.
    public let active: PluginBundle
    /// The version that a rollback makes active.
    ///
    /// It is `nil` when none is kept, or when the kept one isn't known to have run and is below a version that has.
    public let previous: PluginBundle?

    package init(active: PluginBundle, previous: PluginBundle?) {
        self.active = active
        self.previous = previous
    }
}

extension InstalledBundle {
    /// The version whose first successful run removes the rollback target; `nil` when the target stays valid.
    ///
    /// It is the active version, when the version below it isn't known to have run successfully.
    public var endOfRollbackTarget: SemanticVersion? {
        guard let previous, !previous.hasRun, previous.identity.version < active.identity.version else { return nil }
        return active.identity.version
    }

    /// Returns the rollback target after another version has become active: the last one that has run, or else the current one.
    func kept(below bundle: PluginBundle) -> PluginBundle? {
        // The same version with different content replaces the active one.
        if active.identity == bundle.identity { return previous }
        guard !active.hasRun, let previous, previous.hasRun, previous != bundle else { return active }
        return previous
    }
}
