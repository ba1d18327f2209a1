import FoundationEssentials
import Glibc
import PluginCore
import PluginRuntime

/// Installing a thousand small bundles one by one: a bundle at the end beside one at the start.
struct ManyInstalls {
    private static let (count, part) = (1_000, 100)

    let workshop: Workshop

    func measure() async throws -> Figure {
        let packages = workshop.folder.appending("small-packages")
        // Nothing else is offered, so that no catalog is measured.
        let manager = try workshop.manager("small", catalog: workshop.folder.appending("small-catalog"))
        var times: [Double] = []
        // What others have left to be written is not written now.
        sync()
        // The first one makes the registry.
        for number in 0...Self.count {
            let package = try workshop.writeSynthetic(number, to: packages)
            times.append(try await seconds { try await manager.install(packageAt: package) })
            try FileManager.default.removeItem(atPath: package.string)
        }
        times.removeFirst()
        return Figure(
            name: "install a small bundle, the last \(Self.part) of \(Self.count)",
            baseline: "the first \(Self.part)", measured: median(Array(times.suffix(Self.part))),
            compared: median(Array(times.prefix(Self.part))), budget: 1.2
        )
    }
}
