import FoundationEssentials
import Glibc
import PluginCore

/// The time from saving a file of a running plugin to its new page, compared with a build of the same change alone.
struct LiveChanges {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let workshop: Workshop
    let effort: Effort

    private var bundletool: FilePath { workshop.build.appending("bin/bundletool") }
    private var live: FilePath { workshop.folder.appending("Live") }
    private var built: FilePath { workshop.folder.appending("Built") }

    func measure(to report: Report) async throws {
        Report.progress("changes of a running plugin")
        for plugin in [live, built] {
            let words = ["new", plugin.lastComponent, "--identifier", "com.example.live", "--directory", plugin.string]
            _ = try await Program(path: bundletool, arguments: words).time()
        }
        _ = try await Program(path: bundletool, arguments: ["build", built.string]).time()
        let toolset = built.appending(".build/atrium/toolset.json").string
        let build = Program(
            path: "/usr/bin/env",
            arguments: ["swift", "build", "--package-path", built.string, "--toolset", toolset])

        let input = workshop.folder.appending("in")
        guard mkfifo(input.string, 0o600) == 0 else { throw Failure(description: "no fifo at \(input)") }
        // The plugin runs until this end is closed.
        let end = open(input.string, O_RDWR | O_CLOEXEC)
        try await start()
        try await wait(for: "(greet ", in: "out")
        var (changes, builds): ([Double], [Double]) = ([], [])
        // The first change is not measured, because SwiftPM then reads the packages again.
        for number in 0...effort.count(7) {
            let title = "Change \(number)"
            try save(title, in: live)
            let change = try await seconds { try await wait(for: title + "\n", in: "out") }
            try save(title, in: built)
            let built = try await build.time()
            if number > 0 { (changes, builds) = (changes + [change], builds + [built]) }
        }
        close(end)
        try await wait(for: "", in: "ended")
        report.add(.liveChange, median(changes), beside: median(builds))
    }

    /// Starts the plugin in the background.
    private func start() async throws {
        let run = #"cd "$2"; ("$0" run "$1" --watch <in >out 2>log; >ended) &"#
        let words = ["-c", run, bundletool.string, live.string, workshop.folder.string]
        _ = try await Program(path: "/bin/sh", arguments: words).time()
    }

    /// Changes the title of the plugin's page.
    private func save(_ title: String, in plugin: FilePath) throws {
        let path = plugin.appending("Sources/\(plugin.lastComponent)/HomePage.swift").string
        let lines = try String(contentsOf: URL(filePath: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let changed = lines.map { $0.contains("var title") ? "    var title: String { \"\(title)\" }" : $0 }
        try Data(changed.joined(separator: "\n").utf8).write(to: URL(filePath: path))
    }

    /// Waits until a file in the folder of the run exists and contains a text.
    private func wait(for text: String, in name: String) async throws {
        let file = URL(filePath: workshop.folder.appending(name).string)
        let deadline = ContinuousClock.now + .seconds(300)
        while ContinuousClock.now < deadline {
            if let found = try? String(contentsOf: file, encoding: .utf8), text.isEmpty || found.contains(text) {
                return
            }
            usleep(1_000)
        }
        throw Failure(description: "no \"\(text)\" in \(file.path)")
    }
}
