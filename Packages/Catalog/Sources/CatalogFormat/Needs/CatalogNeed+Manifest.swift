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
