import FoundationEssentials
import Glibc
import PluginCore
import PluginRuntime

/// The install of a thousand small bundles one by one, with the last bundles compared with the first.
///
/// The last installs in one sandbox alternate with the first installs in another, because the speed of the disk varies during a
/// thousand installs.
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
        // This creates the registry.
        _ = try await install(count, from: packages, in: fresh)
        // Pending writes must not fall into the measurement.
        sync()
        var (last, first): ([Double], [Double]) = ([], [])
        for number in (count - part)..<count {
            // The order alternates, because the second install finds the disk in a different state.
            let isFreshFirst = number.isMultiple(of: 2)
            if isFreshFirst { first.append(try await install(number, from: packages, in: fresh)) }
            last.append(try await install(number, from: packages, in: grown))
            if !isFreshFirst { first.append(try await install(number, from: packages, in: fresh)) }
        }
        report.add(.smallInstall, median(last), beside: median(first))
    }

    /// Returns a manager with an empty catalog, so that no catalog is measured.
    private func manager(_ sandbox: String) throws -> Host {
        try workshop.manager(sandbox, catalog: workshop.folder.appending("small-catalog"))
    }

    /// Returns the time of an install in seconds, without creating the package.
    private func install(_ number: Int, from packages: FilePath, in manager: Host) async throws -> Double {
        let package = try workshop.writeSynthetic(number, to: packages)
        let time = try await seconds { try await manager.transactions.install.run(packageAt: package) }
        try FileManager.default.removeItem(atPath: package.string)
        return time
    }
}
