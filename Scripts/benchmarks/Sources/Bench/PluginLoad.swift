import CBaseline
import FoundationEssentials
import PluginCore
import PluginRuntime

/// Loading a plugin, from the registry's word on its manifest to its principal object, beside a plain dlopen and dlsym of
/// the same library in C.
///
/// Each load is the first of its process, as in a host, and the libraries that the plugin needs are in the process in both
/// cases. The runtime's clock starts where the router hands over: the registry has been asked which bundle serves.
struct PluginLoad {
    private static let runs = 61
    private static let shop = "com.example.app.shop"
    private static let first = "com.example.app.account"

    let workshop: Workshop
    /// This program, which runs itself for each load.
    let program: FilePath

    func measure() async throws -> Figure {
        let manager = workshop.manager("load", catalog: workshop.catalog)
        let bundle = try await manager.install(Self.shop).bundle
        let library = manager.sandbox.folder(of: bundle.identity, digest: bundle.digest)
            .appending("lib/\(Platform.triple)/libShop.so")
        let plain = Program(path: program, arguments: ["load-plain", library.string])
        let whole = Program(path: program, arguments: ["load-plugin", manager.sandbox.root.string])
        var (runtime, baseline): ([Double], [Double]) = ([], [])
        for _ in 0..<Self.runs {
            baseline.append(try plain.reading())
            runtime.append(try whole.reading())
        }
        return Figure(
            name: "load a plugin, manifest to principal", baseline: "dlopen and dlsym in C", measured: median(runtime),
            compared: median(baseline), budget: 1.3
        )
    }

    /// One load by the runtime, in seconds.
    static func plugin(sandbox: FilePath) async throws -> Double {
        let manager = BundleManager(
            sandbox: Sandbox(root: sandbox), catalog: DirectoryCatalog(folder: "/nonexistent"),
            services: HostServices(languages: ["en"], log: { _, _, _ in })
        )
        await manager.connect(NoPages(), supply: nil)
        _ = try await manager.principal(of: first)
        return try await seconds { _ = try await manager.principal(of: shop) }
    }

    /// One load in C, in seconds.
    static func plain(library: FilePath) async throws -> Double {
        _ = baseline_load("/tmp/lbsb/acc.so", PluginEntry.symbol)
        return try await seconds {
            guard baseline_load(library.string, PluginEntry.symbol) != nil else {
                throw AtriumError(.libraryUnloadable, library.string)
            }
        }
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
