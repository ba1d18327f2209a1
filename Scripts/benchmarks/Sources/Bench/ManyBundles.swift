import FoundationEssentials
import PluginCore
import PluginRuntime

/// The same cold open with 10,000 installed bundles, beside 10.
struct ManyBundles {
    let workshop: Workshop

    func measure() async throws -> Figure {
        try await install(10, into: "few")
        try await install(10_000, into: "many")
        let (many, few) = try await medians(of: workshop.open(in: "many"), and: workshop.open(in: "few"))
        return Figure(
            name: "cold open with 10,000 bundles", baseline: "with 10 bundles", measured: many, compared: few,
            budget: 1.2
        )
    }

    private func install(_ count: Int, into sandbox: String) async throws {
        let catalog = workshop.folder.appending("\(sandbox)-catalog")
        try FileManager.default.createDirectory(atPath: catalog.string, withIntermediateDirectories: true)
        let shop = "com.example.app.shop"
        try await workshop.manager(sandbox, catalog: workshop.catalog).install(shop)
        let manager = try workshop.manager(sandbox, catalog: catalog)
        for number in 1..<count {
            let package = try workshop.writeSynthetic(number, to: catalog)
            try await manager.install(packageAt: package)
            // A folder of 10,000 packages would measure the catalog.
            try FileManager.default.removeItem(atPath: package.string)
        }
    }
}
