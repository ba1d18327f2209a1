import PluginCatalog
import Doctor
import FoundationEssentials
import PluginCore
import PluginRouter
import PluginRuntime
import Registry

/// Operations whose time must grow linearly with the size of external input.
struct LargeInputs {
    let workshop: Workshop
    let effort: Effort

    private var runs: Int { effort.count(5) }

    func measure(to report: Report) async throws {
        try await measureStrayFiles(to: report)
        try await measureUnknownAddress(to: report)
        try await measureSuggestions(to: report)
        try await measurePlaceholders(to: report)
    }

    private func measureStrayFiles(to report: Report) async throws {
        let most = effort.count(2_000, smoke: 4)
        Report.progress("doctor among \(most) stray files")
        func checkup(_ count: Int) async throws -> () async throws -> Double {
            let catalog = workshop.folder.appending("stray-catalog")
            let manager = try workshop.manager("stray-\(count)", catalog: catalog)
            try await manager.transactions.install.run(packageAt: try workshop.writeSynthetic(count, to: catalog))
            let bundle = try manager.registry.requireInstalled(BenchTeam.bundle("synthetic.n\(count)")).active
            let folder = manager.sandbox.folder(of: bundle.identity, digest: bundle.digest)
            // Installed files are read-only.
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.string)
            for number in 0..<count {
                try Data().write(to: URL(filePath: folder.appending("stray-\(number)").string))
            }
            return { await seconds { _ = Checkup(of: manager).findings() } }
        }
        try await add(.strayFiles, to: report, of: checkup(most), and: checkup(most / 2))
    }

    private func measureUnknownAddress(to report: Report) async throws {
        let count = effort.count(1_000, smoke: 4)
        Report.progress("an unknown address with \(count) packages in the catalog")
        let catalog = workshop.folder.appending("unknown-catalog")
        for number in 0..<count { _ = try workshop.writeSynthetic(number, to: catalog) }
        // The stamp of a file that was written less than a tick ago is not trusted.
        try await Task.sleep(for: .milliseconds(100))
        let open = {
            let router = try workshop.manager("unknown", catalog: catalog, installsOnDemand: true).router
            return try await seconds { try await requireUnknown("app://nowhere", router) }
        }
        let list = { try await seconds { _ = try DirectoryCatalog(folder: catalog).listing() } }
        try await add(.unknownAddress, to: report, of: open, and: list)
    }

    private func measureSuggestions(to report: Report) async throws {
        let (routes, segments) = (effort.count(8_000, smoke: 8), effort.count(60_000, smoke: 60))
        Report.progress("an unknown address of \(segments) segments among \(routes) routes")
        let router = Router.alone()
        for number in 0..<routes {
            try await router.register("r\(number)/**", kind: .handler, options: RouteOptions()) { _ in .object(true) }
        }
        func open(_ segments: Int) -> () async throws -> Double {
            let address = "app://nowhere" + String(repeating: "/a", count: segments)
            return { try await seconds { try await requireUnknown(address, router) } }
        }
        try await add(.suggestions, to: report, of: open(segments), and: open(segments / 2))
    }

    private func measurePlaceholders(to report: Report) async throws {
        let count = effort.count(200_000, smoke: 20)
        Report.progress("a page with \(count) placeholders")
        let router = Router.alone().leased(to: Lease(owner: BenchTeam.identifier))
        func fill(_ count: Int) async throws -> () async throws -> Double {
            let text = String(repeating: "{x}", count: count)
            let layout = "{\"pages\": {\"a\": {\"title\": \"T\", \"content\": [{\"text\": \"\(text)\"}]}}}"
            let pages = try JSONDecoder().decode(PageLayout.self, from: Data(layout.utf8)).pages
            guard let screen = pages["a"] else { throw Stopwatch.NothingFound() }
            let value = String(repeating: "a", count: 900)
            let page = await LayoutPage(screen, parameters: ["x": value], router: router) { $0 }
            return { await seconds { _ = await page.content } }
        }
        try await add(.placeholders, to: report, of: await fill(count), and: await fill(count / 2))
    }

    private func add(
        _ figure: Figure, to report: Report, of one: () async throws -> Double, and other: () async throws -> Double
    ) async throws {
        var (ones, others): ([Double], [Double]) = ([], [])
        for _ in 0..<runs {
            ones.append(try await one())
            others.append(try await other())
        }
        report.add(figure, median(ones), beside: median(others))
    }

    private func requireUnknown(_ address: String, _ router: Router) async throws {
        do {
            _ = try await router.open(ResourceURI(address), userInfo: [:], presentation: .push)
        } catch let error as AtriumError where error.code == .routeUnknown {
            return
        }
        throw Stopwatch.NothingFound()
    }
}
