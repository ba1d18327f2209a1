import FoundationEssentials
import PluginCore

/// The app as screens on a terminal: how fast it draws, when the first page is there, and the memory of an idle host.
struct Screens {
    /// The time of one frame of a display with 60 of them in a second.
    private static let frame = 0.016

    let workshop: Workshop
    let effort: Effort

    func measure(to report: Report) async throws {
        try measureRedraw(to: report)
        try await measureStart(to: report)
    }

    private func host(_ words: String..., sandbox: String, catalog: FilePath) -> Program {
        Program(
            path: workshop.hostapp,
            arguments: ["--sandbox", workshop.folder.appending(sandbox).string, "--catalog", catalog.string] + words)
    }

    private func measureRedraw(to report: Report) throws {
        let count = effort.count(1_000, smoke: 12)
        Report.progress("keys in a store of \(count) tiles")
        let catalog = workshop.folder.appending("tiles")
        for number in 0..<count { _ = try workshop.writeSynthetic(number, to: catalog) }
        let store = try ScreenProgram(host("store", sandbox: "tiles-sandbox", catalog: catalog), columns: 200, rows: 60)
        _ = try store.time(until: "Synthetic")
        store.settle()
        // The cursor keys move the selection, and each page key draws all tiles anew.
        let keys = ["\u{1B}OB", "\u{1B}OC", "\u{1B}[6~", "\u{1B}OA", "\u{1B}[5~", "\u{1B}OD"]
        var times: [Double] = []
        for number in 0..<effort.count(300, smoke: 6) {
            let key = keys[number % keys.count]
            // The first two keys have a place to move to from every tile that this order reaches.
            times.append(try store.time(of: key))
        }
        times.sort()
        report.add(.screenRedraw, times[min(times.count - 1, times.count * 99 / 100)], beside: Self.frame)
    }

    private func measureStart(to report: Report) async throws {
        Report.progress("the first screen, and the memory of an idle host")
        try await workshop.manager("screens", catalog: workshop.catalog).install("com.example.app.shop")
        let composition = workshop.folder.appending("screens.json").string
        try Data(#"{"formatVersion": 1, "name": "Bench", "start": "app://shop/item/42", "bundles": []}"#.utf8)
            .write(to: URL(filePath: composition))
        let app = host("--composition", composition, sandbox: "screens", catalog: workshop.catalog)
        let page = workshop.open(in: "screens")
        _ = try await page.time()
        var (screens, opens): ([Double], [Double]) = ([], [])
        for _ in 0..<effort.count(31) {
            screens.append(try ScreenProgram(app, columns: 80, rows: 24).time(until: "Buy"))
            opens.append(try await page.time())
        }
        report.add(.firstScreen, median(screens), beside: median(opens))

        let idle = try ScreenProgram(app, columns: 80, rows: 24)
        _ = try idle.time(until: "Buy")
        idle.settle()
        let editor = try ScreenProgram(Program(path: "/usr/bin/vim", arguments: ["/etc/passwd"]), columns: 80, rows: 24)
        _ = try editor.time(until: "root")
        editor.settle()
        report.add(
            .screenMemory, try idle.memory("Private_Dirty:"), beside: try editor.memory("Private_Dirty:"))
        report.add(.screenPages, try idle.memory("Pss:"), beside: try editor.memory("Pss:"))
    }
}
