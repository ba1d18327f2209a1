import PluginRuntime
import CatalogFormat
import PluginCore
import PluginRouter
import Testing

@testable import BundleFormat

@Suite("Needs that a bundle meets", .tags(.small))
struct CatalogNeedTests {
    @Test("A bundle meets the needs for its targets, its services and the first segments of all its routes")
    func all() throws {
        var sample = SamplePackage()
        sample.routes = ["Shop/item/:id", "shop", "(/beta)/cart", ":tab/x", "app://help/**", "photo/:id<slug>/:x<int>"]
        sample.targets = ["Money", "Shop"]
        sample.services = ["PriceList"]
        let manifest = try ManifestReader.read(
            Array(sample.manifest.utf8), of: "sample", converters: .standard(registering: ["slug"]))
        let routes: Set<CatalogNeed> = [
            .route(firstSegment: "shop"), .route(firstSegment: "beta"), .route(firstSegment: "cart"),
            .route(firstSegment: ""), .route(firstSegment: "help"), .route(firstSegment: "photo"),
        ]
        #expect(
            CatalogNeed.needs(of: manifest)
                == routes.union([.target("Money"), .target("Shop"), .service("PriceList")]))
    }

    @Test("An address needs the keys under which its route is listed")
    func address() throws {
        var sample = SamplePackage()
        sample.routes = ["SHOP/item/:id"]
        let manifest = try ManifestReader.read(Array(sample.manifest.utf8), of: "sample")
        let keys = RoutePattern.firstSegments(matching: try ResourceURI("app://Shop/item/7"))
        #expect(CatalogNeed.needs(of: manifest).contains { need in keys.contains { need == .route(firstSegment: $0) } })
    }
}
