public import PluginCore

/// One version of a plugin bundle that lies in the sandbox. Two records are equal when they are of the same version from the
/// same package.
public struct PluginBundle: Sendable {
    /// Identifier and version.
    public let identity: BundleIdentity
    /// The SHA-256 of its seal, which lists all its files, in lower-case hexadecimal.
    public let digest: String
    /// The name a person reads.
    public let name: String
    /// One sentence about it; may be empty.
    public let summary: String
    /// What sort of bundle it is.
    public let kind: BundleKind
    /// The library's file name; `nil` for a bundle without code.
    public let entry: String?
    /// The app groups it shares.
    public let appGroups: [String]
    /// The size of its files in bytes.
    public let size: Int64
    /// When it was installed, in seconds since 1970.
    public let installedAt: Int64
    /// The team that sealed it, and the key.
    public let seal: SealRecord
    /// When its code first ran here to the end of its first use, in seconds since 1970; `nil` while it has not.
    public internal(set) var provenAt: Int64?
    /// What it requires to be there before it is loaded; `nil` when it was not read as an active version, which alone has its
    /// requirements listed.
    var hardRequirements: [BundleRequirement]?
}

/// What the registry keeps of a version's seal, so that a load need not read it.
public struct SealRecord: Hashable, Sendable {
    /// The team's identifier; empty for what an earlier host installed without one.
    public let team: String
    /// Which of the team's keys, as minisign prints it.
    public let keyID: String
    /// The library's SHA-256 in lower-case hexadecimal; `nil` for a bundle without code.
    public let libraryDigest: String?
    /// The library's file as it was when it was last hashed: ``FileStamp``.
    let libraryStamp: String?
    /// Seal and signature as they were when they were last verified, and the key: ``SealGate``.
    var sealStamp: String?
}

extension PluginBundle {
    init(_ manifest: Manifest, digest: String, size: Int64, installedAt: Int64, seal: SealRecord) {
        self.init(
            identity: manifest.identity, digest: digest, name: manifest.name, summary: manifest.summary,
            kind: manifest.kind, entry: manifest.entry, appGroups: manifest.appGroups, size: size,
            installedAt: installedAt, seal: seal, provenAt: nil
        )
    }
}

extension PluginBundle {
    /// A Boolean value that indicates whether it has shown that it runs here. Of one without code that is asked once it has been active, which is all that it can
    /// show.
    var hasRun: Bool { provenAt != nil || entry == nil }

    /// Returns whether it may be gone back to, from what has run here: it is known to have run too, or is not below that.
    ///
    /// - Parameter floor: the highest version that has run here.
    func isWayBack(above floor: SemanticVersion?) -> Bool { hasRun || floor.map { identity.version >= $0 } ?? true }
}

extension PluginBundle: Hashable {
    /// Returns whether both are the same version from the same package.
    public static func == (one: PluginBundle, other: PluginBundle) -> Bool {
        one.identity == other.identity && one.digest == other.digest
    }

    /// Hashes what equality asks for.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
        hasher.combine(digest)
    }
}

/// What the registry says of an identifier: the version in use, and the one to go back to.
public struct InstalledBundle: Hashable, Sendable {
    /// The version in use.
    public let active: PluginBundle
    /// The version that a rollback makes active; `nil` when none is kept, or none to which there is a way back: a newer one has
    /// run here, and it is not known to have.
    public let previous: PluginBundle?
}

extension InstalledBundle {
    /// The version that is the only one to be had once it has run: the active one, when the one below it is not known to have. `nil`
    /// when the way back stays open.
    public var endOfWayBack: SemanticVersion? {
        guard let previous, !previous.hasRun, previous.identity.version < active.identity.version else { return nil }
        return active.identity.version
    }

    /// The version to go back to once another is active: the last that has run, or the one before when none has.
    func kept(below bundle: PluginBundle) -> PluginBundle? {
        // The same version from another package replaces it.
        if active.identity == bundle.identity { return previous }
        guard !active.hasRun, let previous, previous.hasRun, previous != bundle else { return active }
        return previous
    }
}
