package import HostSystem
public import PluginCore
public import PluginRouter

/// Reads and validates a manifest.
///
/// All problems are reported at once, so that an author can fix them together.
///
/// ```json
/// {
///   "formatVersion": 1, "identifier": "com.example.app.shop", "version": "1.1.0", "name": "Shop", "kind": "app",
///   "entry": "libShop.so", "coreABI": 3,
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

    /// The fields that only a layer reads. A host without it keeps them as they are, and ignores them.
    package static let layerFields = ["extensions", "extensionPoints"]

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
        try read(bytes, of: subject, converters: converters, reporting: ManifestProblems())
    }

    /// Reads a manifest that may lack declarations.
    ///
    /// - Parameters:
    ///   - lacksCode: `true` if those of the bundle's code may be missing.
    ///   - check: checks the fields of layers.
    /// - Throws: ``AtriumError`` with code `manifestInvalid` and all problems, those that were collected before included.
    package static func read(
        _ bytes: [UInt8], of subject: String, converters: RouteConverters, lacksCode: Bool = false,
        reporting problems: ManifestProblems, checking check: (Manifest, ManifestProblems) -> Void = { _, _ in }
    ) throws(AtriumError) -> Manifest {
        let rules = ManifestRules(converters: converters, lacksCode: lacksCode)
        func refusal(_ problem: ErrorReason) -> AtriumError {
            AtriumError(.manifestInvalid, subject, problems: [.at("manifest.json", problem)])
        }
        guard bytes.count <= sizeLimit else { throw refusal(.tooLarge(bytes.count, limit: sizeLimit)) }
        let manifest: Manifest?
        do {
            manifest = try ManifestFields.read(bytes, reporting: problems, rules.manifest)
        } catch {
            throw refusal((error as? JSONError).map { .verbatim($0.description) } ?? ErrorReason("notManifest"))
        }
        if let manifest { check(manifest, problems) }
        guard let manifest, problems.all.isEmpty else {
            throw AtriumError(.manifestInvalid, subject, problems: problems.all)
        }
        return manifest
    }

    /// Returns whether a text is the file name of a library, with only characters that file systems, the loader and `String` treat alike.
    package static func isLibraryName(_ text: String) -> Bool {
        text.utf8.count <= 255 && text.hasPrefix("lib") && text.hasSuffix(".so")
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || "._+-".unicodeScalars.contains($0))
            }
    }

    /// Returns whether a text has the form of a guard, a target and an action: Account.requireSignIn.
    public static func isGuard(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 && parts.allSatisfy(ManifestRules.isName)
    }
}

/// The limits of a manifest's size, which bound the work that anyone who offers a package can cause in a host.
enum ManifestLimits {
    /// The maximum length of a version, in bytes.
    ///
    /// After the longest identifier it is part of the package's file name, and with a part of the seal's digest it names a
    /// folder; names have at most 255 bytes.
    static let version = 122
    /// The highest data version, which is the name of a folder.
    static let dataVersion = 1_000_000
    static let routes = 8192
    /// The maximum number of expansions of all patterns together, each of which is a row of the registry.
    static let expansions = 16384
    /// The maximum length of a pattern, in bytes.
    static let pattern = 2048
    static let guards = 64
    static let targets = 1024
    /// The maximum number of actions of one target.
    static let actions = 1024
    static let requirements = 256
    static let services = 1024
    static let appGroups = 64
    static let permissions = 64
    /// The maximum length of a license expression, in bytes.
    static let license = 256
    /// The maximum length of the address of a web page, in bytes.
    static let homepage = 2048
    /// The maximum length of the author's name, in bytes.
    static let author = 256
    /// The maximum length of a description, in bytes.
    static let description = 4096
}

extension RouteConverters {
    /// Returns the standard converters and others of which only the names are known; those accept any text.
    public static func standard(registering names: [String]) -> Self {
        var converters = Self.standard
        for name in names where converters[name] == nil {
            converters.register(RouteConverter(name, example: name) { _ in true })
        }
        return converters
    }
}

extension Manifest {
    /// Returns whether a bundle with this manifest certainly handles an address.
    ///
    /// - Parameter converters: the types that a pattern's captures may have.
    public func serves(_ query: RouteQuery, converters: RouteConverters) -> Bool {
        routes.contains { declaration in
            let route = try? Route(declaration, owner: identity.identifier.text, converters: converters)
            return route.map(query.isServed) ?? false
        }
    }
}
