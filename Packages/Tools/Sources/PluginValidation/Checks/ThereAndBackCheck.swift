import Console
import FoundationEssentials
import PluginCore

/// The check of an update from the last release and of the way back, with one container and the same app groups.
@MainActor
enum ThereAndBackCheck {
    static func run(_ run: CheckRun, _ host: ValidationHost) async throws {
        guard let released = run.settings.released else {
            throw CheckSkipped(reason: "the last release is unknown; name its catalog with --against")
        }
        let (old, new) = (try released.manifest(), run.manifest)
        let before = run.makeHost(of: old, released)
        try await before.installVersion()
        try await use(before)
        let formats = try databases(of: before)
        let after = run.makeHost(of: new, released)
        try await after.installVersion()
        do {
            try await use(after)
        } catch {
            run.fail("with the data of \(old.identity.version): \(sentence(error))")
        }
        let raised = try databases(of: after).filter { name, format in formats[name].map { format > $0 } ?? false }
        for (name, format) in raised.sorted(by: { $0.key < $1.key }) where old.dataVersion == new.dataVersion {
            run.fail(
                "it raises the user_version of \(name) to \(format), but has the data version of \(old.identity.version), \(old.dataVersion)"
            )
        }
        try await after.rollBack()
        do {
            try await use(run.makeHost(of: old, released))
        } catch {
            run.fail("\(old.identity.version) does not run after an update and a rollback: \(sentence(error))")
        }
    }

    /// Loads the plugin, and uses everything that it offers.
    private static func use(_ host: ValidationHost) async throws {
        if host.manifest.entry != nil { try await host.load() }
        await host.useEverything()
        await host.unload()
    }

    private static func sentence(_ error: any Error) -> String { FailureReport.of(error).report.message }

    /// Returns the `user_version` of each SQLite database that the plugin may write to, by its path below the container or group.
    private static func databases(of host: ValidationHost) throws -> [String: UInt32] {
        var formats: [String: UInt32] = [:]
        for folder in try host.writableFolders() {
            for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder.string)) ?? [] {
                // The header of the file format: its name, and the number at offset 60.
                let content = FileManager.default.contents(atPath: folder.appending(name).string) ?? Data()
                guard content.count >= 64, content.starts(with: Array("SQLite format 3".utf8)) else { continue }
                formats[name] = content[60..<64].reduce(0) { $0 << 8 | UInt32($1) }
            }
        }
        return formats
    }
}
