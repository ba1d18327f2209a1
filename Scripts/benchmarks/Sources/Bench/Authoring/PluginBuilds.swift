import FoundationEssentials
import Glibc
import PluginCore

/// A clean build of a plugin that links the libraries of the SDK, compared with one that builds them from source.
struct PluginBuilds {
    let workshop: Workshop
    let effort: Effort

    private var workspace: FilePath { workshop.folder.appending("workspace") }

    func measure(to report: Report) async throws {
        Report.progress("clean builds of Shop, as binary and as source")
        let copy = #"mkdir -p "$2" && tar -C "$1" --exclude=.build -cf - Packages Plugins | tar -C "$2" -xf -"#
        let words = ["-c", copy, "sh", workshop.build.parent.string, workspace.string]
        _ = try await Program(path: "/bin/sh", arguments: words).time()
        var (binary, source): ([Double], [Double]) = ([], [])
        for _ in 0..<effort.count(3) {
            binary.append(try await build(usingBinaries: true))
            source.append(try await build(usingBinaries: false))
        }
        report.add(.binaryBuild, median(binary), beside: median(source))
    }

    private func build(usingBinaries isBinary: Bool) async throws -> Double {
        let plugin = workspace.appending("Plugins/Shop")
        try? FileManager.default.removeItem(atPath: plugin.appending(".build").string)
        setenv("USE_LIB", isBinary ? "1" : "0", 1)
        defer { unsetenv("USE_LIB") }
        return try await Program(
            path: workshop.build.appending("bin/bundletool"), arguments: ["build", plugin.string]
        ).time()
    }
}
