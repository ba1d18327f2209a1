import Console
import FoundationEssentials
import PluginCore
import PluginRuntime
import Processes

/// The checks of loading and unloading.
extension CheckRun {
    /// Loads and unloads the plugin.
    func load() async throws {
        try require(manifest.entry != nil, "noCode")
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
        try require(!pages.isEmpty, "noPages")
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

extension PageAction.Description {
    /// The texts of a user who enters only what is required.
    var sampleInput: [String: String] {
        let needed = fields.filter { $0.isRequired && $0.initial.isEmpty }
        return Dictionary(needed.map { ($0.name, $0.bounds?.lower ?? "a") }) { first, _ in first }
    }
}

/// The check of an update from the last release and of the way back, with one container and the same app groups.
extension CheckRun {
    func goThereAndBack() async throws {
        guard let released = settings.released else { throw CheckSkipped(key: "noRelease") }
        let (old, new) = (try released.manifest(), manifest)
        let before = makeHost(of: old, released)
        try await before.install("\(old.identity)")
        try await use(before)
        let formats = try databases(of: before)
        let after = makeHost(of: new, released)
        try await after.install("\(new.identity)")
        do {
            try await use(after)
        } catch {
            fail("with the data of \(old.identity.version): \(error.sentence)")
        }
        let raised = try databases(of: after).filter { $0.value > formats[$0.key, default: .max] }
        for (name, format) in raised.sorted(by: { $0.key < $1.key }) where old.dataVersion == new.dataVersion {
            fail(
                "it raises the user_version of \(name) to \(format), but has the data version of \(old.identity.version), \(old.dataVersion)"
            )
        }
        after.begin("roll back from \(new.identity.version)")
        try await after.manager.rollBack(after.identifier)
        do {
            try await use(makeHost(of: old, released))
        } catch {
            fail("\(old.identity.version) does not run after an update and a rollback: \(error.sentence)")
        }
    }

    /// Loads the plugin, and uses everything that it offers.
    private func use(_ host: ValidationHost) async throws {
        if host.manifest.entry != nil { try await host.load() }
        await host.useEverything()
        await host.unload()
    }

    /// Returns the `user_version` of each SQLite database that the plugin may write to, by its path below the container or group.
    private func databases(of host: ValidationHost) throws -> [String: UInt32] {
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

/// The number of descriptors that may be open in addition, such as those of a pool.
private let descriptorTolerance = 8
/// The bytes that may be allocated in addition, per opened page and in total, such as a growing cache of the runtime.
private let byteTolerance = (perPage: 128, total: 64 << 10)
/// The share of the closed pages that may still exist, such as those in a cache.
private let pageTolerance = 10

/// A page that is observed without being kept.
private struct ClosedPage {
    weak var page: (any Page)?
}

/// The checks of what is left after pages were opened and closed many times.
extension CheckRun {
    /// Compares the number of open descriptors before and after.
    func findDescriptorLeak() async throws {
        let (addresses, opens) = try await warmUp()
        guard let before = ProcessUsage.descriptors else { throw CheckSkipped(key: "descriptors") }
        try await open(addresses, opens)
        guard let after = ProcessUsage.descriptors else { return }
        note("\(before) descriptors before \(opens) opens, \(after) after")
        guard after - before > descriptorTolerance else { return }
        fail("\(after - before) more descriptors are open after pages were opened \(opens) times and closed")
    }

    /// Compares the allocated memory before and after, and counts the pages that still exist.
    func findMemoryLeak() async throws {
        let (addresses, opens) = try await warmUp()
        var closed: [ClosedPage] = []
        try await open(addresses, opens) { closed.append(ClosedPage(page: $0)) }
        let alive = Set(closed.compactMap { $0.page.map(ObjectIdentifier.init) }).count
        closed = []
        if alive > max(1, opens / pageTolerance) {
            fail("\(alive) of \(opens) pages still exist after they were closed")
        }
        guard let before = ProcessUsage.allocatedBytes else {
            return warn("this system does not tell how much memory is allocated")
        }
        try await open(addresses, opens)
        guard let after = ProcessUsage.allocatedBytes else { return }
        let growth = after - before
        note("\(growth / opens) bytes per page after \(opens) opens")
        guard growth > max(byteTolerance.total, byteTolerance.perPage * opens) else { return }
        fail("\(growth / opens) bytes stay allocated for each page that was opened and closed (\(opens) times)")
    }

    /// Opens pages until caches are filled.
    ///
    /// - Returns: the addresses of pages, and the number of opens that are to be measured.
    private func warmUp() async throws -> (addresses: [ResourceURI], opens: Int) {
        try require(manifest.isolation != .process, "isolated")
        let pages = await SampleRequest.pages(in: host)
        for (_, page) in pages { page.didClose() }
        try require(!pages.isEmpty, "noPages")
        let opens = max(settings.opens, pages.count)
        try await open(pages.map(\.uri), max(opens / 5, 2 * pages.count))
        return (pages.map(\.uri), opens)
    }

    /// Opens, draws and closes pages, and lets tasks that were started meanwhile end.
    private func open(
        _ addresses: [ResourceURI], _ count: Int, whenClosed: (any Page) -> Void = { _ in }
    ) async throws {
        for index in 0..<count {
            let page = try await host.page(for: addresses[index % addresses.count])
            _ = host.texts(of: page)
            page.didClose()
            whenClosed(page)
        }
        for _ in 0..<100 { await Task.yield() }
        try? await Task.sleep(for: .milliseconds(50))
    }
}
