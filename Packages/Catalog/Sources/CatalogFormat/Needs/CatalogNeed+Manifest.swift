public import PluginRuntime
import BundleFormat
public import PluginCore
import PluginRouter

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
