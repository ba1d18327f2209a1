import CBaseline
import FoundationEssentials
import PluginCore
import PluginRuntime

/// Loading a plugin, manifest to principal object, beside a plain dlopen and dlsym of the same library in C.
///
/// Every load is of a file of its own, because the loader knows a file that it has seen; and the libraries that the plugin
/// needs are there in both cases, as they are in a host.
struct PluginLoad {
    private static let runs = 41

    let workshop: Workshop

    func measure() async throws -> Figure {
        let catalog = workshop.folder.appending("copies")
        try FileManager.default.createDirectory(atPath: catalog.string, withIntermediateDirectories: true)
        let manager = workshop.manager("load", catalog: catalog)
        await manager.connect(NoPages(), supply: nil)
        let library = try await shopLibrary()
        var (runtime, baseline): ([Double], [Double]) = ([], [])
        for number in 0..<Self.runs {
            let identifier = try workshop.writeCopy(of: library, number, to: catalog)
            try await manager.install(identifier, version: SemanticVersion("1.0.0"))
            let copy = catalog.appending("plain\(number).so")
            try Data(library).write(to: URL(filePath: copy.string))
            baseline.append(
                try await seconds {
                    guard baseline_load(copy.string, PluginEntry.symbol) != nil else {
                        throw AtriumError(.libraryUnloadable, copy.string)
                    }
                }
            )
            runtime.append(
                try await seconds {
                    _ = try manager.registry.manifest(of: manager.requireInstalled(identifier).active)
                    _ = try await manager.principal(of: identifier)
                }
            )
        }
        return Figure(
            name: "load a plugin, manifest to principal", baseline: "dlopen and dlsym in C", measured: median(runtime),
            compared: median(baseline), budget: 1.3
        )
    }

    /// Shop's library, out of its package.
    private func shopLibrary() async throws -> [UInt8] {
        let manager = workshop.manager("source", catalog: workshop.catalog)
        let bundle = try await manager.install("com.example.app.shop").bundle
        let folder = manager.sandbox.folder(of: bundle.identity, digest: bundle.digest)
        return Array(
            try Data(contentsOf: URL(filePath: folder.appending("lib/\(Platform.triple)/libShop.so").string))
        )
    }
}

/// Nothing is shown while loading is measured.
@MainActor
private final class NoPages: Navigator {
    let pages: [any Page] = []
    func push(_ page: any Page) {}
    func pop() {}
    func present(_ page: any Page) async -> (any Sendable)? { nil }
    func dismiss(returning value: (any Sendable)?) {}
    func show(notice: String) {}
}
