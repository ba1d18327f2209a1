import HostSystem
public import PluginCore

/// A package in a catalog, as the custom data of its target describes it.
///
/// A host chooses and explains versions by it, and fetches a package only to install it.
///
/// ```swift
/// let entry = try CatalogEntry(custom: target.custom ?? JSONObject(), path: path, converters: converters)
/// try entry.requireSame(as: PackageFile(path: downloaded), converters: converters)
/// ```
public struct CatalogEntry: Hashable, Sendable {
    /// The channel of packages for everybody.
    public static let stableChannel = "stable"
    /// The shares of installations to which a version can be offered, in percent.
    public static let rollouts = 0...100

    /// The manifest.
    public let manifest: Manifest
    /// The bytes of `manifest.json` in the package.
    ///
    /// The custom data contains them as one string, because a manifest can have fractions and signed metadata cannot.
    public let manifestText: [UInt8]
    /// The SHA-256 of the package's seal in lowercase hexadecimal, which identifies the content.
    public let sealDigest: String
    /// The team whose seal the package has. Its signature is verified by the host.
    public let team: String
    /// The channel: `stable`, or another such as `beta`.
    public var channel: String
    /// The share of installations to which the version is offered, in percent.
    public var rollout: Int
    /// The platforms and builds for which the package has its libraries, sorted; empty for a bundle without code.
    public let platforms: [String]
    /// The name and the summary by language tag.
    public let texts: [String: LocalizedTexts]
    /// The path of the target with the icon, a PNG file in the folder of the package, or nil.
    public let icon: String?
    /// The deltas to the package, newest base first.
    public var deltas: [CatalogDelta] = []
    /// The parts of the package for single platforms or builds, sorted; none for a package with the libraries of one.
    public var parts: [CatalogPart] = []
    /// The builds of the libraries as far as these name them, sorted: the hosts that the version serves, by platform, compiler and Core ABI.
    public var hosts: [String] = []
    /// The fields that this version of the format doesn't know.
    let others: JSONObject

    /// Returns whether a text can be the name of a channel: lowercase letters, digits and hyphens, beginning with a letter.
    public static func isChannel(_ text: String) -> Bool { CatalogWords.isChannel(text) }
}

/// The name and the summary of a bundle in one language, as far as the package has them.
public struct LocalizedTexts: Hashable, Sendable {
    /// The key of the name in a package's string tables.
    public static let nameKey = "bundle.name"
    /// The key of the summary in a package's string tables.
    public static let summaryKey = "bundle.summary"

    /// The display name, or nil for that of the manifest.
    public let name: String?
    /// The description in one sentence, or nil for that of the manifest.
    public let summary: String?

    /// Creates the texts of a language.
    public init(name: String?, summary: String?) {
        self.name = name
        self.summary = summary
    }
}
