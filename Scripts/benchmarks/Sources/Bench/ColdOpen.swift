import PluginCore
import PluginRuntime

/// A cold `hostapp open` of an installed page, process start to exit, beside an empty program that links Foundation.
struct ColdOpen {
    let workshop: Workshop
    let empty: FilePath

    func measure() async throws -> Figure {
        try await workshop.manager("cold", catalog: workshop.catalog).install("com.example.app.shop")
        let (open, baseline) = try await medians(
            of: workshop.open(in: "cold"), and: Program(path: empty, arguments: [])
        )
        return Figure(
            name: "cold open of an installed page", baseline: "empty program with Foundation", measured: open,
            compared: baseline, budget: 3
        )
    }
}
