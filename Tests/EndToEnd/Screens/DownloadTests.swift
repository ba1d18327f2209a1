import PluginCore
import PluginTestKit
import TestServer
import Testing

@Suite("Downloads while screens are shown", .tags(.large))
struct DownloadTests {
    @Test("A download shows its progress on the tile and goes on while one walks around")
    func walksAround() async throws {
        let fixture = try await PublishedFixture()
        try await fixture.publishPackages()
        try await fixture.add(fixture.repository.string, as: "local")
        try await fixture.run("install", Scene.shop)
        try await fixture.run("catalog", "remove", "local")
        // Slow enough to look at other screens meanwhile, whatever else the machine does.
        let server = try WebServer(serving: fixture.repository.string, rate: 1 << 14)
        try await fixture.add(server.address)
        let host = fixture.build.build.appending("bin/hostapp").string
        try await TerminalWindow.run([host, "--sandbox", fixture.sandbox.root.string]) { window in
            try await window.wait(for: "Gift card")
            try await window.press("s")
            try await window.wait(until: { $0.contains("Photos") && $0.contains("▀▀▀▀") }, "an icon of the catalog")
            try await window.type("photos")
            try await window.wait(for: "1 plugin")
            try await window.press("Enter")
            try await window.wait(until: { $0.contains("░") && $0.contains(" %") }, "progress on the tile")
            try await window.press("Escape", "Escape")
            try await window.wait(
                until: { $0.contains("Gift card") && $0.contains("photos ↓") }, "the page, with the download")
            try await window.press("2")
            try await window.wait(until: { $0.contains("Price") && $0.contains("photos ↓") }, "another page meanwhile")
            server.accelerate()
            try await window.wait(for: "com.example.app.photos was installed")
        }
        #expect(try await fixture.active("com.example.app.photos").contains("1.0.0"))
    }
}
