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
