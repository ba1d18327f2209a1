import FoundationEssentials
import Glibc
import PluginCore
import Registry
import PluginRuntime

/// The install of a package of 100 MB compared with extracting it, its memory, and an update of one file.
///
/// All runs alternate on one file system, with the package in the page cache and no other data to be written.
struct LargeInstall {
    private static let memory = 64 << 20

    let workshop: Workshop
    /// This program itself, because peak memory can be measured only by a process that is small.
    let program: FilePath
    let effort: Effort

    private var runs: Int { effort.count(5) }
    private var sandbox: Sandbox { Sandbox(root: workshop.folder.appending("hundred")) }
    private var target: FilePath { workshop.folder.appending("unzipped") }

    func measure(to report: Report) async throws {
        Report.progress("making a large package")
        let folder = workshop.folder.appending("hundred-packages")
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder.string) }
        let package = try LargePackage(in: folder, by: workshop.team, effort: effort)
        Report.progress("installing and updating a large package")
        let (install, update) = (install(package.first), install(package.second))
        let unzip = Program(
            path: "/bin/sh",
            arguments: ["-c", "unzip -q \"$1\" -d \"$2\" && sync", "sh", package.first.string, target.string])
        var times: (installs: [Double], unzips: [Double], updates: [Double]) = ([], [], [])
        var (peaks, written, differing): ([Int], [Int], [Int]) = ([], [], [])
        for run in 0...runs {
            let (installed, updated) = try await (fresh(install), settled(update))
            let blocks = try blocks()
            let unzipped = try await settled(unzip)
            try clear()
            // The first run fills the page cache.
            guard run > 0 else { continue }
            times.installs.append(installed)
            times.unzips.append(unzipped)
            times.updates.append(updated)
            written.append(blocks.written)
            differing.append(blocks.differing)
        }
        report.add(.largeInstall, median(times.installs), beside: median(times.unzips))
        for _ in 0..<runs { peaks.append(try peak(of: install)) }
        try clear()
        report.add(.installMemory, median(peaks.map(Double.init)), beside: Double(Self.memory))
        report.add(.largeUpdate, median(times.updates), beside: median(times.installs))
        report.add(.updateBlocks, median(written.map(Double.init)), beside: median(differing.map(Double.init)))
    }

    private func install(_ package: FilePath) -> Program {
        Program(
            path: workshop.hostapp,
            arguments: [
                "--sandbox", sandbox.root.string, "--catalog", workshop.folder.appending("hundred-catalog").string,
                "install", package.string,
            ]
        )
    }

    /// Returns the time of a program in a sandbox that is new except for its trust file.
    private func fresh(_ program: Program) async throws -> Double {
        try clear()
        try workshop.team.admit(to: sandbox)
        return try await settled(program)
    }

    /// Returns the time of a program while no other data needs to be written.
    private func settled(_ program: Program) async throws -> Double {
        sync()
        return try await program.time()
    }

    private func peak(of install: Program) throws -> Int {
        try clear()
        try workshop.team.admit(to: sandbox)
        let measuring = Program(path: program, arguments: ["peak-memory", install.path.string] + install.arguments)
        return Int(try measuring.reading())
    }

    private func clear() throws {
        for path in [sandbox.root, target] where FileManager.default.fileExists(atPath: path.string) {
            try FileManager.default.removeItem(atPath: path.string)
        }
    }

    /// Returns the disk space of the second version in addition to the first, and that of the files that differ.
    private func blocks() throws -> (written: Int, differing: Int) {
        let place = sandbox.plugins.appending(LargePackage.identifier.text)
        let versions = try FileManager.default.contentsOfDirectory(atPath: place.string).sorted()
            .map { place.appending($0) }
        guard versions.count == 2 else { throw AtriumError(.bundleNotInstalled, LargePackage.identifier) }
        var (new, differing) = (NewBlocks(), NewBlocks())
        _ = try new.count(versions[0])
        let changed = ["manifest.json", "signature", LargePackage.changed]
        return (
            try new.count(versions[1]),
            try changed.reduce(0) { $0 + (try differing.count(versions[1].appending($1))) }
        )
    }
}
