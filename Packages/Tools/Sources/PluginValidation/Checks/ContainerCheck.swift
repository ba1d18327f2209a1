import PluginCore
import Synchronization

/// The check of the files that a plugin writes.
@MainActor
enum ContainerCheck {
    /// The files and folders of the sandbox in which the runtime itself keeps its state.
    private nonisolated static let runtimeFiles = [
        "Containers/Bundle/registry.sqlite", "Containers/Bundle/CrashLogs", "Containers/Bundle/CrashReports",
        "Containers/Bundle/host.lock", "Containers/Bundle/MinimumVersions",
    ]

    /// Uses everything that the plugin offers, and compares the files before and after.
    static func run(_ run: CheckRun, _ host: ValidationHost) async throws {
        let root = run.root
        let allowed = try allowedFolders(run, host)
        let before = FileListing(of: root)
        let problems: @Sendable () -> [String] = {
            before.changes(to: FileListing(of: root)).filter { name in
                !allowed.contains { name == $0 || name.hasPrefix($0 + "/") || name.hasPrefix($0 + "-") }
            }.map { "\(place($0)) was written" }
                + ObservedWrites.paths.map { "\($0) was written, outside of the sandbox" }
        }
        ObservedWrites.clear()
        if let reason = ObservedWrites.failure {
            run.warn("writes outside of the sandbox and of \(Surroundings.names) were not observed: \(reason)")
        }
        run.earlyProblems.withLock { $0 = problems }
        await host.useEverything()
        await host.unload()
        for problem in problems() { run.fail(problem) }
    }

    /// Returns the folders that the installed bundles may write to, from the folder of the run.
    private static func allowedFolders(_ run: CheckRun, _ host: ValidationHost) throws -> [String] {
        let start = run.root.string.count + 1
        return try host.writableFolders().map { String($0.string.dropFirst(start)) }
            + runtimeFiles.map { "sandbox/\($0)" }
    }

    /// Returns the place of a file as its author knows it.
    private nonisolated static func place(_ name: String) -> String {
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        let rest = parts.count > 1 ? parts[1] : ""
        return switch parts.first {
        case "home": "~/\(rest) in the home folder"
        case "temporary": "\(rest) in the folder for temporary files of the system (TMPDIR)"
        case "work": "\(rest) in the working folder"
        default: "\(rest) in the sandbox"
        }
    }
}
