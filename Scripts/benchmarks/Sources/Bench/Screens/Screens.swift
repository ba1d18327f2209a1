import FoundationEssentials
import PluginCore
import PluginRuntime

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

    /// Writes the description of an app, and returns its path.
    private func composition(_ name: String, fields: String) throws -> String {
        let path = workshop.folder.appending("\(name).json").string
        try Data("{\"formatVersion\": 1, \"name\": \"Bench\", \(fields)\"bundles\": []}".utf8).write(
            to: URL(filePath: path))
        return path
    }

    private func measureRedraw(to report: Report) throws {
        // Also the smallest store has more tiles than two screens, so that each key has a place to move to.
        let count = effort.count(1_000, smoke: 120)
        Report.progress("keys in a store of \(count) tiles")
        let catalog = workshop.folder.appending("tiles")
        for number in 0..<count { _ = try workshop.writeSynthetic(number, to: catalog) }
        let app = try composition("tiles", fields: "")
        let store = try ScreenProgram(
            host("--composition", app, "store", sandbox: "tiles-sandbox", catalog: catalog), columns: 200, rows: 60)
        _ = try store.time(until: "Synthetic")
        store.settle()
        // The cursor keys move the selection, and each page key draws all tiles anew.
        let keys = ["\u{1B}OB", "\u{1B}OC", "\u{1B}[6~", "\u{1B}OA", "\u{1B}[5~", "\u{1B}OD"]
        var times: [Double] = []
        for number in 0..<effort.count(300, smoke: 6) {
            let key = keys[number % keys.count]
            times.append(try store.time(of: key))
        }
        times.sort()
        report.add(.screenRedraw, times[min(times.count - 1, times.count * 99 / 100)], beside: Self.frame)
    }

    private func measureStart(to report: Report) async throws {
        Report.progress("the first screen, and the memory of an idle host")
        try await workshop.manager("screens", catalog: workshop.catalog).install("com.example.app.shop")
        let start = try composition("screens", fields: #""start": "app://shop/item/42", "#)
        let app = host("--composition", start, sandbox: "screens", catalog: workshop.catalog)
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
    }
}
