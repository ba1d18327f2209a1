import FoundationEssentials
import PluginCore
import PluginRuntime

/// A cold open with 10,000 installed bundles compared with 10.
struct ManyBundles {
    let workshop: Workshop
    let effort: Effort

    func measure(to report: Report) async throws {
        let many = effort.count(10_000, smoke: 10)
        Report.progress("cold open among \(many) installed bundles")
        try await install(effort.count(10, smoke: 2), into: "few")
        try await install(many, into: "many")
        let (measured, compared) = try await medians(
            of: workshop.open(in: "many"), and: workshop.open(in: "few"), runs: effort.count(61))
        report.add(.coldOpenAmongMany, measured, beside: compared)
    }

    private func install(_ count: Int, into sandbox: String) async throws {
        let catalog = workshop.folder.appending("\(sandbox)-catalog")
        try FileManager.default.createDirectory(atPath: catalog.string, withIntermediateDirectories: true)
        let shop: BundleIdentifier = "com.example.app.shop"
        try await workshop.manager(sandbox, catalog: workshop.catalog).install(shop)
        let manager = try workshop.manager(sandbox, catalog: catalog)
        for number in 1..<count {
            let package = try workshop.writeSynthetic(number, to: catalog)
            try await manager.transactions.install.run(packageAt: package)
            // Keeping 10,000 packages in the folder would measure the catalog.
            try FileManager.default.removeItem(atPath: package.string)
        }
    }
}
