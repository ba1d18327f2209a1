import BundleTool
import CatalogFormat
import CatalogPublisher
import Console
import Foundation
import PluginCore
import TUFMetadata
import TUFRepository
import Testing

@Suite("bundletool publish, with Interfaces", .tags(.medium))
struct PublishInterfaceTests {
    private let fixture: ComponentFixture

    init() throws { fixture = try ComponentFixture() }

    private static let interface = "com.example.app.orders/com.example.app.orders-1.0.0_interface.zip"

    @Test("The Interface beside a package is published with it, listed, and withdrawn with it")
    func publish() async throws {
        let archive = try fixture.pack("1.0.0")
        let package = fixture.catalog.path("packages/com.example.app.orders-1.0.0.zip")
        let reply = try fixture.catalog.run("publish", package)
        #expect(reply.text.contains("added  the Interface OrdersInterface of com.example.app.orders@1.0.0"))
        #expect(try fixture.catalog.run("publish", package).text.contains("unchanged  the Interface"))
        let reader = try CatalogReader(of: fixture.catalog)
        let file = try #require(await reader.download(Self.interface))
        #expect(FileManager.default.contentsEqual(atPath: file.string, andPath: archive.string))
        let report = try fixture.catalog.report()
        #expect(report.packages.count == 1 && report.problems.isEmpty)
        // A package, its icon, its list and the Interface.
        #expect(report.roles.filter { $0.name.hasPrefix("bin-") }.compactMap(\.targetCount).reduce(0, +) == 4)
        let text = try bundletool("catalog", fixture.catalog.site.string).text
        #expect(text.contains("com.example.app.orders@1.0.0  interface  OrdersInterface  com.example"), "\(text)")
        try fixture.catalog.run("revoke", "com.example.app.orders@1.0.0", "--reason", "No.")
        #expect(try await reader.find(Self.interface) == nil)
        #expect(try fixture.catalog.report().problems.isEmpty)
    }

    @Test("An Interface without its package, of another team, or with other content for its version is refused")
    func refusals() throws {
        let archive = try fixture.pack("1.0.0")
        func code(_ path: String) throws -> Substring? {
            try refusal { try fixture.catalog.run("publish", path) }.split(separator: " ").last
        }
        try FileManager.default.removeItem(atPath: fixture.catalog.path("packages/com.example.app.orders-1.0.0.zip"))
        #expect(try code(archive.string) == "interfaceRefused")
        let package = try fixture.catalog.package(
            ComponentFixture.orders, "1.0.0", team: "com.other", signedBy: fixture.key)
        #expect(try code(package) == "interfaceRefused")
        #expect(try fixture.catalog.report().packages.isEmpty)
        try fixture.catalog.package(ComponentFixture.orders, "1.0.0", signedBy: fixture.key)
        try fixture.catalog.run("publish", package)
        try fixture.pack("1.0.0", source: "import Foundation\n")
        #expect(try code(package) == "versionReused")
        try fixture.catalog.write([1, 2, 3], to: "packages/com.example.app.orders-1.0.0_interface.zip")
        #expect(try code(package) == "componentInvalid")
    }

    @Test("A team exports its Interface, and the owner refuses one that is described as another")
    func team() async throws {
        try fixture.catalog.package(ComponentFixture.orders, "0.9.0", signedBy: fixture.key)
        try fixture.catalog.run("publish", fixture.catalog.path("packages"))
        try fixture.catalog.delegate("com.example", to: "example")
        let archive = try fixture.pack("1.0.0")
        let exported = fixture.catalog.path("team.zip")
        try fixture.catalog.run("publish", fixture.catalog.path("packages"), "--export", exported, keys: "example")

        // The holder of the team's key describes the archive of another module.
        let signers = try fixture.catalog.secretKeys(in: "example")
        let described = try ComponentFixture.described(archive, as: "OtherInterface")
        func forge(_ name: String) throws -> String {
            var editor = try RepositoryEditor(folder: fixture.catalog.site.string)
            try editor.addTarget(Self.interface, file: archive.string, custom: described, role: "com.example")
            let signed = try editor.unsignedTargets(of: "com.example").signed(by: signers)
            try writeExport(signed.bytes, of: "com.example", to: fixture.catalog.path(name))
            return fixture.catalog.path(name)
        }
        let bad = try forge("bad.zip")
        let error = #expect(throws: CommandError.self) { try fixture.catalog.run("publish", "--import", bad) }
        #expect(error?.report.code == "importInvalid" && error?.report.message.contains("of no package") == true)

        try fixture.catalog.run("publish", "--import", exported)
        #expect(try await CatalogReader(of: fixture.catalog).download(Self.interface) != nil)
        // Now there is a package, and only the description is wrong.
        let worse = try forge("worse.zip")
        #expect(throws: CommandError.self) { try fixture.catalog.run("publish", "--import", worse) }
    }
}
