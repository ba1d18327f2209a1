public import PluginCore
public import TUFMetadata

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
        var fields = CatalogFields(custom: custom)
        fields.require(Self.kind, "kind")
        let module = fields.text("module", limit: CatalogLimits.module, or: "notModule", unless: Self.isModule)
        let (sealDigest, team) = (fields.digest("seal"), fields.team())
        try fields.check(path)
        guard let identity = CatalogPath.identity(ofInterface: path), let module, let sealDigest, let team else {
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
