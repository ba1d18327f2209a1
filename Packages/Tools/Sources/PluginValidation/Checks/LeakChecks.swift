import HostSystem
import PluginCore

/// The checks of what is left after pages were opened and closed many times.
@MainActor
enum LeakChecks {
    /// The number of descriptors that may be open in addition, such as those of a pool.
    private static let descriptorTolerance = 8
    /// The bytes that may be allocated in addition, per opened page and in total, such as a growing cache of the runtime.
    private static let byteTolerance = (perPage: 128, total: 64 << 10)
    /// The share of the closed pages that may still exist, such as those in a cache.
    private static let pageTolerance = 10

    /// A page that is observed without being kept.
    private struct Closed {
        weak var page: (any Page)?
    }

    /// Compares the number of open descriptors before and after.
    static func descriptors(_ run: CheckRun, _ host: ValidationHost) async throws {
        let addresses = try await addresses(in: host)
        let opens = try await warmUp(addresses, run, host)
        guard let before = ProcessUsage.descriptors else {
            throw CheckSkipped(reason: "this system does not tell how many descriptors are open")
        }
        try await open(addresses, opens, host)
        guard let after = ProcessUsage.descriptors else { return }
        run.note("\(before) descriptors before \(opens) opens, \(after) after")
        guard after - before > descriptorTolerance else { return }
        run.fail("\(after - before) more descriptors are open after pages were opened \(opens) times and closed")
    }

    /// Compares the allocated memory before and after, and counts the pages that still exist.
    static func memory(_ run: CheckRun, _ host: ValidationHost) async throws {
        let addresses = try await addresses(in: host)
        let opens = try await warmUp(addresses, run, host)
        var closed: [Closed] = []
        for index in 0..<opens {
            let page = try await host.openAndClose(addresses[index % addresses.count])
            closed.append(Closed(page: page))
        }
        await settle()
        let alive = Set(closed.compactMap { $0.page.map(ObjectIdentifier.init) }).count
        closed = []
        if alive > max(1, opens / pageTolerance) {
            run.fail("\(alive) of \(opens) pages still exist after they were closed")
        }
        guard let before = ProcessUsage.allocatedBytes else {
            return run.warn("this system does not tell how much memory is allocated")
        }
        try await open(addresses, opens, host)
        guard let after = ProcessUsage.allocatedBytes else { return }
        let growth = after - before
        run.note("\(growth / opens) bytes per page after \(opens) opens")
        guard growth > max(byteTolerance.total, byteTolerance.perPage * opens) else { return }
        run.fail("\(growth / opens) bytes stay allocated for each page that was opened and closed (\(opens) times)")
    }

    private static func addresses(in host: ValidationHost) async throws -> [ResourceURI] {
        guard host.manifest.isolation != .process else {
            throw CheckSkipped(reason: "the plugin runs in a process of its own, which only extensions let measure")
        }
        let pages = await SampleRequest.pages(in: host)
        for (_, page) in pages { page.didClose() }
        guard !pages.isEmpty else { throw CheckSkipped.noPages }
        return pages.map(\.uri)
    }

    /// Opens pages until caches are filled.
    ///
    /// - Returns: the number of opens that are to be measured.
    private static func warmUp(_ addresses: [ResourceURI], _ run: CheckRun, _ host: ValidationHost) async throws -> Int
    {
        let opens = max(run.settings.opens, addresses.count)
        try await open(addresses, max(opens / 5, 2 * addresses.count), host)
        return opens
    }

    private static func open(_ addresses: [ResourceURI], _ count: Int, _ host: ValidationHost) async throws {
        for index in 0..<count { try await host.openAndClose(addresses[index % addresses.count]) }
        await settle()
    }

    /// Lets tasks that were started meanwhile end.
    private static func settle() async {
        for _ in 0..<100 { await Task.yield() }
        try? await Task.sleep(for: .milliseconds(50))
    }
}

extension ValidationHost {
    /// Opens a page, draws it, and closes it.
    @discardableResult
    fileprivate func openAndClose(_ uri: ResourceURI) async throws -> any Page {
        let page = try await self.page(for: uri)
        _ = texts(of: page)
        page.didClose()
        return page
    }
}
