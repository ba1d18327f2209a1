import PluginCore
import Processes

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
        guard let before = ProcessUsage.descriptors else {
            throw CheckSkipped(reason: "this system does not tell how many descriptors are open")
        }
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
        guard manifest.isolation != .process else {
            throw CheckSkipped(reason: "the plugin runs in a process of its own, which only extensions let measure")
        }
        let pages = await SampleRequest.pages(in: host)
        for (_, page) in pages { page.didClose() }
        guard !pages.isEmpty else { throw CheckSkipped.noPages }
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
