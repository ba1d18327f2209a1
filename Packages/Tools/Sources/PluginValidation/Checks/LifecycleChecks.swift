import Console
import FoundationEssentials
import PluginCore

/// The checks of loading and unloading.
@MainActor
enum LifecycleChecks {
    /// Loads and unloads the plugin.
    static func load(_ run: CheckRun, _ host: ValidationHost) async throws {
        guard run.manifest.entry != nil else { throw CheckSkipped(reason: "the package contains no code") }
        try await host.load()
        await host.unload()
        for problem in host.log.lateEnds(of: host.identifier) { run.fail(problem) }
    }

    /// Loads and unloads the plugin twice, and lets it answer in between.
    static func loadTwice(_ run: CheckRun, _ host: ValidationHost) async throws {
        try await load(run, host)
        try await host.load()
        for page in await SampleRequest.pages(in: host) { page.page.didClose() }
        await host.unload()
        for problem in host.log.lateEnds(of: host.identifier) { run.fail(problem) }
    }

    /// Uninstalls the plugin while each of its pages is open, and then uses the pages.
    static func unloadWithOpenPages(_ run: CheckRun, _ host: ValidationHost) async throws {
        let pages = await SampleRequest.pages(in: host)
        guard !pages.isEmpty else { throw CheckSkipped.noPages }
        for (_, page) in pages {
            host.navigator.keep(page)
            _ = host.texts(of: page)
        }
        host.begin("uninstall the plugin while \(pages.count) pages are open")
        try await host.uninstall()
        for problem in host.log.lateEnds(of: host.identifier) { run.fail(problem) }
        for (uri, page) in pages {
            host.begin("draw the open page of \(uri.text) after the plugin was uninstalled")
            _ = host.texts(of: page)
            for action in host.watched(page).actions {
                // The page may refuse it, since the plugin is gone.
                try? await host.perform(action.identifier, input: action.initialInput, on: page)
            }
        }
        host.begin("close the open pages after the plugin was uninstalled")
        host.navigator.close()
    }
}

extension CheckSkipped {
    /// There is nothing to open.
    static var noPages: CheckSkipped {
        CheckSkipped(reason: "the plugin has no page that opens with sample parameters")
    }
}

extension PageAction {
    /// The texts that a user sends who changes no field.
    var initialInput: [String: String] { Dictionary(fields.map { ($0.name, $0.initial) }) { first, _ in first } }
}

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
