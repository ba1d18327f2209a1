public import HostSystem
public import PluginCore

/// The Interface of a plugin in a catalog, as the custom data of its target describes it.
///
/// Hosts never look for it: authors fetch it to build plugins that call this one. Its archive has the version of the plugin.
///
/// ```swift
/// let interface = try CatalogInterface(custom: target.custom ?? JSONObject(), path: path)
/// print(interface.module)     // OrdersInterface
/// ```
public struct CatalogInterface: Hashable, Sendable {
    /// The identity of the plugin.
    public let identity: BundleIdentity
    /// The name of the Swift module.
    public let module: String
    /// The SHA-256 of the seal of the archive in lowercase hexadecimal, which identifies the content.
    public let sealDigest: String
    /// The team whose seal the archive has. Its signature is verified by the author who fetches it.
    public let team: String
    /// The fields that this version of the format doesn't know.
    private var others = JSONObject()

    private static let kind = "interface"

    /// Describes an Interface.
    public init(identity: BundleIdentity, module: String, sealDigest: String, team: String) {
        self.identity = identity
        self.module = module
        self.sealDigest = sealDigest
        self.team = team
    }

    /// Reads the custom data of a target.
    ///
    /// - Parameters:
    ///   - custom: The custom data.
    ///   - path: The path of the target, which names the plugin.
    /// - Throws: ``AtriumError`` with code `catalogInvalid` and all problems.
    public init(custom: JSONObject, path: String) throws(AtriumError) {
        let fields = CatalogFields(custom: custom)
        fields.require(Self.kind, "kind")
        let module = fields.text("module", limit: CatalogLimits.module, or: "notModule", unless: Self.isModule)
        let (sealDigest, team) = (fields.digest("seal"), fields.team())
        try fields.check(path)
        guard let identity = CatalogPath.identity(ofInterface: path) else {
            throw AtriumError(.catalogInvalid, path, reason: "fieldMissing")
        }
        self.init(identity: identity, module: module, sealDigest: sealDigest, team: team)
        others = fields.others
    }

    /// The custom data of the target.
    public var custom: JSONObject {
        .custom(
            [
                ("kind", .string(Self.kind)), ("module", .string(module)), ("seal", .string(sealDigest)),
                ("team", .string(team)),
            ], others)
    }

    /// Returns whether a text can be the name of a module: ASCII letters and digits, beginning with a capital letter.
    public static func isModule(_ text: String) -> Bool { CatalogWords.isModule(text) }
}

/// The archive of an SDK in a catalog, as the custom data of its target describes it.
///
/// An SDK belongs to no team: the owner of the catalog signs its target.
public struct CatalogSDK: Hashable, Sendable {
    /// The version of the SDK.
    public let version: SemanticVersion
    /// The triple of the platform on which it runs.
    public let platform: String
    /// The version of Swift that it needs.
    public let swift: String
    /// The fields that this version of the format doesn't know.
    private var others = JSONObject()

    private static let kind = "sdk"

    /// Describes an SDK; returns `nil` for a platform that is not a triple.
    public init?(version: SemanticVersion, platform: String, swift: String) {
        guard CatalogWords.isPlatform(platform), swift.utf8.count <= CatalogLimits.word else { return nil }
        self.version = version
        self.platform = platform
        self.swift = swift
    }

    /// Reads the custom data of a target.
    ///
    /// - Throws: ``AtriumError`` with code `catalogInvalid` and all problems.
    public init(custom: JSONObject, path: String) throws(AtriumError) {
        let fields = CatalogFields(custom: custom)
        fields.require(Self.kind, "kind")
        let version = fields.version("version")
        let platform = fields.text("platform", limit: CatalogLimits.word)
        let swift = fields.text("swift", limit: CatalogLimits.word)
        try fields.check(path)
        guard let sdk = Self(version: version, platform: platform, swift: swift), CatalogPath.sdk(sdk) == path else {
            throw AtriumError(.catalogInvalid, path, reason: "fieldMissing")
        }
        self = sdk
        others = fields.others
    }

    /// The custom data of the target.
    public var custom: JSONObject {
        .custom(
            [
                ("kind", .string(Self.kind)), ("version", .string("\(version)")), ("platform", .string(platform)),
                ("swift", .string(swift)),
            ], others)
    }
}

/// The versions of the SDK for a platform that a catalog offers: the custom data of a target, whose content is the same.
public struct CatalogSDKVersions: Hashable, Sendable {
    /// The versions, newest first.
    public private(set) var versions: [SemanticVersion]
    /// The fields that this version of the format doesn't know.
    private var others = JSONObject()

    /// Creates a list.
    public init(_ versions: [SemanticVersion] = []) { self.versions = versions.sorted(by: >) }

    /// Reads the custom data of a target.
    ///
    /// - Throws: ``AtriumError`` with code `catalogInvalid` and all problems.
    public init(custom: JSONObject, path: String) throws(AtriumError) {
        let fields = CatalogFields(custom: custom)
        versions = fields.versions("versions")
        try fields.check(path)
        others = fields.others
    }

    /// Adds a version.
    public mutating func add(_ version: SemanticVersion) {
        versions = Set(versions + [version]).sorted(by: >)
    }

    /// The custom data of the target.
    public var custom: JSONObject {
        .custom([("versions", .array(versions.map { .string("\($0)") }))], others)
    }
}
