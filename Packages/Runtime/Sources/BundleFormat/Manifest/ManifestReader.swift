internal import FoundationEssentials
public import PluginCore
public import PluginRouter

/// Reads and validates a manifest.
///
/// All problems are reported at once, so that an author can fix them together.
///
/// ```json
/// {
///   "formatVersion": 1, "identifier": "com.example.app.shop", "version": "1.1.0", "name": "Shop", "kind": "app",
///   "entry": "libShop.so", "coreABI": 2,
///   "requires": [
///     { "bundle": "com.example.lib.money", "versions": "^1.0.0" },
///     { "bundle": "com.example.app.account", "versions": "^1.0.0", "onDemand": true }
///   ],
///   "routes": [
///     { "pattern": "shop/item/:id", "page": "item", "exposure": "external", "deadline": 5 },
///     { "pattern": "shop/orders", "page": "orders", "guards": ["Account.requireSignIn"] }
///   ],
///   "targets": [ { "name": "Shop", "actions": ["price", { "name": "reindex", "exposure": "internal" }] } ],
///   "services": ["PriceList"],
///   "extensions": [
///     { "identifier": "com.example.app.shop.wish", "point": "share", "entry": "libShopWish.so", "name": "Wish list",
///       "activation": { "webURLs": { "max": 1 } } }
///   ]
/// }
/// ```
public enum ManifestReader {
    /// The only supported format version.
    public static let formatVersion = 1

    /// The maximum size of a manifest's file, in bytes; larger files are rejected unread.
    public static let sizeLimit = 1 << 20

    /// The longest deadline of a route, in seconds.
    public static let deadlineLimit = 3600.0

    /// Reads a manifest.
    ///
    /// - Parameters:
    ///   - bytes: the file's content.
    ///   - subject: the subject of an error: the package's or the folder's name.
    ///   - converters: the types that a pattern's captures may have.
    /// - Throws: ``AtriumError`` with code `manifestInvalid` and one problem for each violated rule, with its place
    ///   (`routes[2].pattern: ...`).
    public static func read(
        _ bytes: [UInt8], of subject: String, converters: RouteConverters = .standard
    ) throws(AtriumError) -> Manifest {
        let rules = ManifestRules(problems: ManifestProblems(), converters: converters)
        return try validate(draft(bytes, of: subject, rules.problems), of: subject, by: rules)
    }

    /// Decodes a manifest, and collects the problems of single fields.
    ///
    /// - Throws: ``AtriumError`` with code `manifestInvalid` for a file of which nothing can be read.
    static func draft(
        _ bytes: [UInt8], of subject: String, _ problems: ManifestProblems
    ) throws(AtriumError) -> ManifestDraft {
        guard bytes.count <= sizeLimit else {
            throw AtriumError(
                .manifestInvalid, subject,
                problems: [.at("manifest.json", .tooLarge(bytes.count, limit: sizeLimit))]
            )
        }
        do {
            return try StrictJSON.decode(ManifestDraft.self, from: bytes, userInfo: problems.userInfo)
        } catch {
            throw AtriumError(.manifestInvalid, subject, problems: [.at("manifest.json", Self.cause(of: error))])
        }
    }

    /// Returns the manifest that a draft describes.
    ///
    /// - Throws: ``AtriumError`` with code `manifestInvalid` and all problems, those that were collected before included.
    static func validate(
        _ draft: ManifestDraft, of subject: String, by rules: ManifestRules
    ) throws(AtriumError) -> Manifest {
        guard let manifest = rules.validate(draft), rules.problems.all.isEmpty else {
            throw AtriumError(.manifestInvalid, subject, problems: rules.problems.all)
        }
        return manifest
    }

    /// Reads a manifest for a host of which only the names of the converters are known.
    ///
    /// - Parameter names: the converters that the host registers in addition to the standard ones.
    /// - Throws: as ``read(_:of:converters:)``.
    public static func read(
        _ bytes: [UInt8], of subject: String, registeredConverters names: [String]
    ) throws(AtriumError) -> Manifest {
        try read(bytes, of: subject, converters: .standard(registering: names))
    }

    /// Returns whether a text has the form of a guard, a target and an action: Account.requireSignIn.
    public static func isGuard(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 && parts.allSatisfy(ManifestRules.isName)
    }

    private static func cause(of error: any Error) -> ErrorReason {
        (error as? JSONError).map { .verbatim($0.description) } ?? ErrorReason("notManifest")
    }
}
