import Console
import FoundationEssentials
import PluginCore
import PluginRuntime

/// The checks of loading and unloading.
extension CheckRun {
    /// Loads and unloads the plugin.
    func load() async throws {
        guard manifest.entry != nil else { throw CheckSkipped(reason: "the package contains no code") }
        try await host.load()
        await unload()
    }

    private func unload() async {
        await host.unload()
        failForLateEnds()
    }

    private func failForLateEnds() {
        for problem in host.log.lateEnds(of: host.identifier) { fail(problem) }
    }

    /// Loads and unloads the plugin twice, and lets it answer in between.
    func loadTwice() async throws {
        try await load()
        try await host.load()
        for page in await SampleRequest.pages(in: host) { page.page.didClose() }
        await unload()
    }

    /// Uninstalls the plugin while each of its pages is open, and then uses the pages.
    func unloadWithOpenPages() async throws {
        let pages = await SampleRequest.pages(in: host)
        guard !pages.isEmpty else { throw CheckSkipped.noPages }
        for (_, page) in pages {
            host.navigator.keep(page)
            _ = host.texts(of: page)
        }
        host.begin("uninstall the plugin while \(pages.count) pages are open")
        // With the bundles that require it.
        _ = try await host.manager.transactions.uninstall.run([host.identifier], cascade: true)
        failForLateEnds()
        for (uri, page) in pages {
            host.begin("draw the open page of \(uri.text) after the plugin was uninstalled")
            // The page may refuse its actions, since the plugin is gone.
            await host.use(page)
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
extension CheckRun {
    func goThereAndBack() async throws {
        guard let released = settings.released else {
            throw CheckSkipped(reason: "the last release is unknown; name its catalog with --against")
        }
        let (old, new) = (try released.manifest(), manifest)
        let before = makeHost(of: old, released)
        try await before.install("\(old.identity)")
        try await Self.use(before)
        let formats = try Self.databases(of: before)
        let after = makeHost(of: new, released)
        try await after.install("\(new.identity)")
        do {
            try await Self.use(after)
        } catch {
            fail("with the data of \(old.identity.version): \(Self.sentence(error))")
        }
        let raised = try Self.databases(of: after).filter { $0.value > formats[$0.key, default: .max] }
        for (name, format) in raised.sorted(by: { $0.key < $1.key }) where old.dataVersion == new.dataVersion {
            fail(
                "it raises the user_version of \(name) to \(format), but has the data version of \(old.identity.version), \(old.dataVersion)"
            )
        }
        after.begin("roll back from \(new.identity.version)")
        try await after.manager.rollBack(after.identifier)
        do {
            try await Self.use(makeHost(of: old, released))
        } catch {
            fail("\(old.identity.version) does not run after an update and a rollback: \(Self.sentence(error))")
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
