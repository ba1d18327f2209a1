public import PluginCore
public import TUFMetadata

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
        var fields = CatalogFields(custom: custom)
        fields.require(Self.kind, "kind")
        let version = fields.version("version")
        let platform = fields.text("platform", limit: CatalogLimits.word)
        let swift = fields.text("swift", limit: CatalogLimits.word)
        try fields.check(path)
        guard let version, let platform, let swift,
            let sdk = Self(version: version, platform: platform, swift: swift), CatalogPath.sdk(sdk) == path
        else { throw AtriumError(.catalogInvalid, path, reason: "fieldMissing") }
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

/// The versions of the SDK for a platform that a catalog offers: the custom data and the content of a target.
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
        var fields = CatalogFields(custom: custom)
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

    /// The content of the target.
    public var content: [UInt8] { JSONValue.object(custom).text }
}
