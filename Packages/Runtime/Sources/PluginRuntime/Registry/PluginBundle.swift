public import PluginCore

/// One version of a plugin bundle that lies in the sandbox.
public struct PluginBundle: Hashable, Sendable {
    /// Identifier and version.
    public let identity: BundleIdentity
    /// The SHA-256 of the package it came in, in lower-case hexadecimal.
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

    init(_ manifest: Manifest, digest: String, size: Int64, installedAt: Int64) {
        self.init(
            identity: manifest.identity, digest: digest, name: manifest.name, summary: manifest.summary,
            kind: manifest.kind, entry: manifest.entry, appGroups: manifest.appGroups, size: size,
            installedAt: installedAt
        )
    }

    init(
        identity: BundleIdentity, digest: String, name: String, summary: String, kind: BundleKind, entry: String?,
        appGroups: [String], size: Int64, installedAt: Int64
    ) {
        self.identity = identity
        self.digest = digest
        self.name = name
        self.summary = summary
        self.kind = kind
        self.entry = entry
        self.appGroups = appGroups
        self.size = size
        self.installedAt = installedAt
    }
}

/// What the registry says of an identifier: the version in use, and the one to go back to.
public struct InstalledBundle: Hashable, Sendable {
    /// The version in use.
    public let active: PluginBundle
    /// The version that a rollback makes active; `nil` when there is none.
    public let previous: PluginBundle?
}
