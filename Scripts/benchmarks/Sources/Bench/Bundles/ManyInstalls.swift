import FoundationEssentials
import Glibc
import PluginCore
import PluginRuntime

/// Installing a thousand small bundles one by one: a bundle at the end beside one at the start.
///
/// The end of one sandbox is measured in turns with the start of another: over a thousand installs in a row it would be the disk's
/// own moods that are compared.
struct ManyInstalls {
    private static let (count, part) = (1_000, 100)

    let workshop: Workshop

    func measure() async throws -> Figure {
        let packages = workshop.folder.appending("small-packages")
        let (grown, fresh) = (try manager("grown"), try manager("fresh"))
        for number in 0..<(Self.count - Self.part) { _ = try await install(number, from: packages, in: grown) }
        // It makes the registry.
        _ = try await install(Self.count, from: packages, in: fresh)
        // What was left to be written is not written now.
        sync()
        var (last, first): ([Double], [Double]) = ([], [])
        for number in (Self.count - Self.part)..<Self.count {
            // Who comes second finds the disk busier or warmer than who comes first.
            let isFreshFirst = number.isMultiple(of: 2)
            if isFreshFirst { first.append(try await install(number, from: packages, in: fresh)) }
            last.append(try await install(number, from: packages, in: grown))
            if !isFreshFirst { first.append(try await install(number, from: packages, in: fresh)) }
        }
        return Figure(
            name: "install a small bundle, the last \(Self.part) of \(Self.count)",
            baseline: "the first \(Self.part)", measured: median(last), compared: median(first), budget: 1.2
        )
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
