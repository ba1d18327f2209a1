import PluginCore
import PluginTestKit

@testable import Shop

/// The plugin loaded on its own in one of its releases.
@MainActor
struct Bench {
    let host: TestBundleContext
    let bundle: ShopBundle

    init(language: String = "en", release: TestedRelease = .second) async throws {
        host = try TestBundleContext(of: ShopBundle.self, manifest: release.manifest, language: language)
        bundle = ShopBundle(context: host.context, release: release.release)
    }

    var mediator: FakeMediator { host.mediator }
    var router: FakeRouter { host.router }

    func page(_ address: String) async throws -> any Page {
        try await host.page(at: address, of: bundle)
    }
}

/// A release of the plugin with its manifest.
enum TestedRelease: CaseIterable, Sendable {
    case first
    case second

    var manifest: String { self == .first ? "Releases/1.0.0/manifest.json" : "manifest.json" }
    var release: Release { self == .first ? .first : .second }

    /// The release that this build contains.
    static var built: TestedRelease {
        #if FirstRelease
            .first
        #else
            .second
        #endif
    }
}
