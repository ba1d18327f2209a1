import BundleFormat
public import PluginCore
public import TUFMetadata

/// The bundles that may meet a need, in any of their offered versions: the custom data and the content of a providers target.
///
/// It only says which bundles are worth a look; the entry of the chosen version decides.
public struct CatalogProviders: Hashable, Sendable {
    /// The identifiers of the bundles, sorted.
    public var bundles: [BundleIdentifier]
    /// The fields that this version of the format doesn't know.
    private var others = JSONObject()

    /// Creates a list of bundles.
    public init(bundles: [BundleIdentifier] = []) {
        self.bundles = bundles
    }

    /// Reads the custom data of a target.
    ///
    /// - Parameters:
    ///   - custom: The custom data.
    ///   - path: The path of the target, for errors.
    /// - Throws: ``AtriumError`` with code `catalogInvalid` and all problems.
    public init(custom: JSONObject, path: String = "providers") throws(AtriumError) {
        var fields = CatalogFields(custom: custom)
        let texts = fields.texts("bundles", count: CatalogLimits.providers, limit: CatalogLimits.path)
        let bundles = texts.enumerated().compactMap { index, text in
            let identifier = BundleIdentifier(text)
            if identifier == nil {
                fields.add("bundles[\(index)]", ErrorReason("notIdentifier", ["text": .text(text)]))
            }
            return identifier
        }
        fields.requireAscending(bundles.map(\.text), "bundles")
        try fields.check(path)
        self.init(bundles: bundles)
        others = fields.others
    }

    /// The custom data of the target.
    public var custom: JSONObject {
        .custom([("bundles", .array(Set(bundles).map(\.text).sorted().map { .string($0) }))], others)
    }

    /// The content of the target.
    public var content: [UInt8] { JSONValue.object(custom).text }
}
