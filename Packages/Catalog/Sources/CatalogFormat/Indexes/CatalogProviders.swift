import BundleFormat
public import HostSystem
public import PluginCore
import PluginRouter

/// The bundles that may meet a need, in any of their offered versions: the custom data of a providers target, whose content is the same.
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
        let fields = CatalogFields(custom: custom)
        let bundles = fields.values("bundles", count: CatalogLimits.providers, or: "notIdentifier") {
            BundleIdentifier($0)
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
}

/// A request's need for a bundle that is not installed.
///
/// ```swift
/// RoutePattern.firstSegments(matching: uri).map { CatalogNeed.route(firstSegment: $0) }
/// ```
public enum CatalogNeed: Hashable, Sendable {
    /// The need for a route.
    ///
    /// Routes are grouped by the keys under which the registry stores their patterns: the first segment in lowercase, or an empty text for
    /// patterns that begin with a capture. An address needs those of `RoutePattern.firstSegments(matching:)`.
    case route(firstSegment: String)
    /// The need for a target with actions.
    case target(String)
    /// The need for a service.
    case service(String)
}

extension CatalogNeed {
    /// Returns all needs that a bundle meets.
    ///
    /// - Parameter manifest: A validated manifest, which may use converters of any host.
    public static func needs(of manifest: Manifest) -> Set<CatalogNeed> {
        var needs = Set(manifest.targets.map { CatalogNeed.target($0.name) })
        needs.formUnion(manifest.services.map { .service($0) })
        for route in manifest.routes {
            let converters = RouteConverters.standard(registering: ConverterNames.names(in: route.pattern))
            // A validated pattern can be parsed; the types of its captures don't change its first segments.
            guard let pattern = try? RoutePattern(route.pattern, converters: converters) else { continue }
            needs.formUnion(pattern.firstSegments.map { .route(firstSegment: $0) })
        }
        return needs
    }
}

/// The names of converters in route patterns, for readers that don't know which converters a host registers.
enum ConverterNames {
    /// Returns all texts in angle brackets that can be the name of a converter.
    static func names(in text: String) -> [String] {
        let pieces = text.utf8.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false).dropFirst()
        let names = pieces.compactMap { piece in
            piece.firstIndex(of: UInt8(ascii: ">")).map { String(Substring(piece[..<$0])) }
        }
        return Set(names.filter(CatalogWords.isConverter)).sorted()
    }
}
