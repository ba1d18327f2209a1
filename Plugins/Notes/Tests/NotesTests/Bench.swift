import PluginCore
import PluginTestKit

@testable import Notes

/// The plugin loaded on its own, in a container that it can share with its extensions.
@MainActor
struct Bench {
    let host: TestBundleContext
    let bundle: NotesBundle

    init(language: String = "en", container: TestContainer? = nil) throws {
        host = try TestBundleContext(of: NotesBundle.self, language: language, container: container)
        bundle = NotesBundle(context: host.context)
    }

    func page(_ address: String) async throws -> any Page { try await host.page(at: address, of: bundle) }

    /// Writes a note as a user does.
    func write(_ text: String) async throws {
        let page = try await page("app://notes")
        try await page.perform("add", input: ["text": text], on: FakeNavigator(showing: page))
    }
}
