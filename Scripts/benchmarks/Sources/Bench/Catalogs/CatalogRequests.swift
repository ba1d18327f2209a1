import PluginCore
import PluginRuntime
import Registry
import RemoteCatalog
import TestServer

/// A catalog on a web server: its refresh with nothing new, and opening an installed page beside it.
struct CatalogRequests {
    struct Flaw: Error, CustomStringConvertible {
        let description: String
    }

    /// The most bytes that a refresh with nothing new may receive.
    private static let mostBytes = 64 << 10

    let workshop: Workshop
    let effort: Effort

    func measure(to report: Report) async throws {
        Report.progress("making a catalog of \(effort.count(100_000, smoke: 20)) packages")
        let catalog = try LargeCatalog(in: workshop, effort: effort)
        let server = try WebServer(serving: catalog.folder.string, lifetime: 3_600)
        try await measureRefresh(catalog, on: server, to: report)
        try await measureOpen(catalog, on: server, to: report)
    }

    /// Measures a refresh in a host whose state is the newest one, compared with the same requests by one process of curl.
    private func measureRefresh(_ catalog: LargeCatalog, on server: WebServer, to report: Report) async throws {
        Report.progress("refresh with nothing new")
        // The first refresh reads the metadata of each bundle in the sandbox, and the others only after a change.
        let name = "refreshed"
        let refresh = hostapp(name, "catalog", "refresh")
        let sandbox = Sandbox(root: workshop.folder.appending(name))
        try workshop.team.admit(to: sandbox)
        _ = try await add(catalog, on: server, to: name).time()
        // Installing a package shows that it is a catalog that hosts can use.
        _ = try await hostapp(name, "install", LargeCatalog.installable).time()
        let requests = try await requests(to: server) { _ = try await refresh.time() }
        guard requests.contains(where: { $0.status == 200 }) else {
            throw Flaw(description: "the refresh made no successful request: \(requests)")
        }
        let curl = curl(requests.map { server.address + $0.path })
        let same = try await self.requests(to: server) { _ = try await curl.time() }
        guard same.map(\.count) == requests.map(\.count), Set(same.map(\.connection)).count == 1 else {
            throw Flaw(description: "curl fetched \(same) in place of \(requests)")
        }
        report.add(
            .refreshBytes, Double(requests.reduce(0) { $0 + $1.sent }), beside: Double(Self.mostBytes))
        var times: (refreshes: [Double], curls: [Double]) = ([], [])
        for run in 0...effort.count(31) {
            let (refreshed, fetched) = (try await refresh.time(), try await curl.time())
            // The first run fills the page cache.
            guard run > 0 else { continue }
            times.refreshes.append(refreshed)
            times.curls.append(fetched)
        }
        report.add(.refresh, median(times.refreshes), beside: median(times.curls))
    }

    /// Measures a cold open in a sandbox with the catalog, compared with one without a catalog.
    private func measureOpen(_ catalog: LargeCatalog, on server: WebServer, to report: Report) async throws {
        Report.progress("cold open beside a catalog on a web server")
        for sandbox in ["without-web", "with-web"] {
            try await workshop.manager(sandbox, catalog: workshop.catalog).install("com.example.app.shop")
        }
        _ = try await add(catalog, on: server, to: "with-web").time()
        _ = try await hostapp("with-web", "catalog", "refresh").time()
        let page = "app://shop/item/42"
        var times: (Double, Double) = (.nan, .nan)
        let requests = try await requests(to: server) {
            times = try await medians(
                of: hostapp("with-web", "open", page), and: hostapp("without-web", "open", page),
                runs: effort.count(61))
        }
        guard requests.isEmpty else { throw Flaw(description: "opening a page made the requests \(requests)") }
        report.add(.coldOpenBesideWeb, times.0, beside: times.1)
        report.add(counts: "requests to the catalog's server while the page was opened: \(requests.count)")
    }

    private func hostapp(_ sandbox: String, _ arguments: String...) -> Program {
        Program(
            path: workshop.hostapp, arguments: ["--sandbox", workshop.folder.appending(sandbox).string] + arguments)
    }

    private func add(_ catalog: LargeCatalog, on server: WebServer, to sandbox: String) -> Program {
        hostapp(
            sandbox, "catalog", "add", "large", server.address, "--root",
            catalog.folder.appending("metadata/1.root.json").string)
    }

    private func curl(_ addresses: [String]) -> Program {
        Program(
            path: "/usr/bin/curl", arguments: ["--silent"] + addresses.flatMap { ["--output", "/dev/null", $0] })
    }

    /// Returns the requests to a server during a closure.
    private func requests(
        to server: WebServer, during body: () async throws -> Void
    ) async throws -> [WebServer.Request] {
        let first = try await mark(server) + 1
        try await body()
        return try await Array(server.requests[first..<mark(server)])
    }

    /// Makes a request, and waits until the server has logged it, and so all requests before it. Returns its position in the log.
    private func mark(_ server: WebServer) async throws -> Int {
        let path = "/mark-\(server.requests.count)"
        _ = try await curl([server.address + path]).time()
        for _ in 0..<1_000 {
            if let index = server.requests.lastIndex(where: { $0.path == path }) { return index }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Flaw(description: "nginx did not log a request")
    }
}
