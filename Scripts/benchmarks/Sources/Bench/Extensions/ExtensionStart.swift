import ExtensionHost
import PluginCore
import PluginExtension
import PluginRuntime

/// The cold start of a widget, from the request to the reply of its new process, compared with an empty program that links Foundation.
struct ExtensionStart {
    let workshop: Workshop
    let empty: FilePath
    let effort: Effort

    func measure(to report: Report) async throws {
        Report.progress("cold start of an extension")
        let manager = try workshop.manager("widget", catalog: workshop.catalog)
        try await manager.install("com.example.app.stocks")
        // The stamp of a file that was written less than a tick ago is not trusted.
        try await Task.sleep(for: .milliseconds(100))
        let extensions = workshop.extensions(of: manager)
        let baseline = Program(path: empty, arguments: [])
        _ = try await start(extensions)
        _ = try await baseline.time()
        var (starts, empties): ([Double], [Double]) = ([], [])
        for _ in 0..<effort.count(61) {
            starts.append(try await start(extensions))
            empties.append(try await baseline.time())
        }
        report.add(.extensionStart, median(starts), beside: median(empties))
    }

    /// Returns the time until the widget's content has arrived, and ends its process.
    private func start(_ extensions: ExtensionManager) async throws -> Double {
        let time = try await seconds {
            _ = try await extensions.run(
                "com.example.app.stocks.widget", at: ExtensionPoints.today, WidgetRequest(columns: 40, rows: 6))
        }
        await extensions.endAll()
        return time
    }
}
