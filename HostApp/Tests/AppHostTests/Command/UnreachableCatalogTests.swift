import Console
import PluginCore
import PluginRuntime
import Registry
import Testing

@testable import AppHost

@MainActor
@Suite("Commands without a reachable catalog, with and without packages that ship with the host", .tags(.large))
struct UnreachableCatalogTests {
    private let fixture: AssetsFixture

    init() throws { fixture = try AssetsFixture() }

    /// Installs `com.example.notes` and removes the catalog.
    ///
    /// A host that ships packages has `com.example.notes` and `com.example.lantern` among them.
    private func prepare(isShipping: Bool) async throws {
        try await fixture.installed("com.example.notes")
        try fixture.offer("com.example.lantern", routes: AssetsFixture.page(at: "app://lantern"))
        try fixture.loseCatalog(isShipping: isShipping)
    }

    @Test("Packages that ship with the host can be listed, installed and opened")
    func shipped() async throws {
        try await prepare(isShipping: true)
        _ = try await fixture.run("open", "app://lantern")
        #expect(try fixture.manager.registry.active.bundle("com.example.lantern") != nil)
        let again = try await fixture.run("install", "com.example.notes")
        #expect(again.text == "com.example.notes@1.0.0 is already installed.\n")
        let catalog = try await fixture.run("catalog")
        #expect(catalog.text.contains("com.example.lantern") && catalog.json.text().contains("catalogUnreachable"))
        try fixture.folder.remove("app/share/atrium/plugins/com.example.lantern-1.0.0.zip")
        try fixture.folder.remove("app/share/atrium/plugins/com.example.notes-1.0.0.zip")
        #expect(try await fixture.error(of: "catalog").code == .catalogUnreachable)
    }
}
