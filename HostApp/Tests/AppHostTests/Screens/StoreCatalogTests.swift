import AppScreens
import PluginCore
import PluginRuntime
import Testing

@testable import AppHost

@Suite("The bundles of the store", .tags(.medium))
struct StoreCatalogTests {
    @Test("Icons are those of installed and offered bundles; what is no image or no icon has no cells")
    func icons() async throws {
        let fixture = try AssetsFixture()
        try fixture.offer("com.example.app.installed", icon: Pictures.redAndBlue)
        try fixture.offer("com.example.app.offered", icon: Pictures.redAndBlue)
        let damaged = Array(Pictures.redAndBlue.prefix(40)) + [UInt8](repeating: 7, count: 99)
        try fixture.offer("com.example.app.hostile", icon: damaged)
        try fixture.offer("com.example.app.plain")
        _ = try await fixture.manager.install("com.example.app.installed")
        try fixture.folder.remove("catalog/com.example.app.installed-1.0.0.zip")
        let catalog = StoreCatalog(manager: fixture.manager)
        let icons = await catalog.icons(of: try await catalog.items())
        #expect(icons.count == 4)
        let drawn = icons.filter { $0.icon != nil }.map(\.item.identifier)
        #expect(Set(drawn) == ["com.example.app.installed", "com.example.app.offered"])
    }
}
