import PluginCore
import PluginRuntime

/// A cold open of an installed page from process start to exit, compared with an empty program that links Foundation.
struct ColdOpen {
    let workshop: Workshop
    let empty: FilePath
    let effort: Effort

    func measure(to report: Report) async throws {
        Report.progress("cold open of an installed page")
        try await workshop.manager("cold", catalog: workshop.catalog).install("com.example.app.shop")
        let (open, baseline) = try await medians(
            of: workshop.open(in: "cold"), and: Program(path: empty, arguments: []), runs: effort.count(31))
        report.add(.coldOpen, open, beside: baseline)
    }
}
