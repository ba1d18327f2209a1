import FoundationEssentials
import Glibc
import PluginCore
import PluginRuntime

/// Installing a thousand small bundles one by one: a bundle at the end beside one at the start.
///
/// The end of one sandbox is measured in turns with the start of another: over a thousand installs in a row it would be the disk's
/// own moods that are compared.
struct ManyInstalls {
    let workshop: Workshop
    let effort: Effort

    private var count: Int { effort.count(1_000, smoke: 4) }
    private var part: Int { effort.count(100, smoke: 2) }

    func measure(to report: Report) async throws {
        Report.progress("installing small bundles")
        let packages = workshop.folder.appending("small-packages")
        let (grown, fresh) = (try manager("grown"), try manager("fresh"))
        for number in 0..<(count - part) { _ = try await install(number, from: packages, in: grown) }
        // It makes the registry.
        _ = try await install(count, from: packages, in: fresh)
        // What was left to be written is not written now.
        sync()
        var (last, first): ([Double], [Double]) = ([], [])
        for number in (count - part)..<count {
            // Who comes second finds the disk busier or warmer than who comes first.
            let isFreshFirst = number.isMultiple(of: 2)
            if isFreshFirst { first.append(try await install(number, from: packages, in: fresh)) }
            last.append(try await install(number, from: packages, in: grown))
            if !isFreshFirst { first.append(try await install(number, from: packages, in: fresh)) }
        }
        report.add(.smallInstall, median(last), beside: median(first))
    }

    /// Nothing else is offered, so that no catalog is measured.
    private func manager(_ sandbox: String) throws -> BundleManager {
        try workshop.manager(sandbox, catalog: workshop.folder.appending("small-catalog"))
    }

    /// The time it takes in seconds, without making the package.
    private func install(_ number: Int, from packages: FilePath, in manager: BundleManager) async throws -> Double {
        let package = try workshop.writeSynthetic(number, to: packages)
        let time = try await seconds { try await manager.install(packageAt: package) }
        try FileManager.default.removeItem(atPath: package.string)
        return time
    }
}
