import Console
import Dispatch
import FoundationEssentials
import HostSystem
import PluginCore
import Signing
import Testing
import Trust

@testable import BundleTool

@Suite("Packages of added plugins, with which an author tries a plugin", .tags(.medium))
struct ComponentPackagesTests {
    private let fixture: ComponentFixture

    init() throws {
        fixture = try ComponentFixture()
        for version in ["1.0.0", "2.0.0"] { try fixture.pack(version) }
        try fixture.catalog.run("publish", fixture.catalog.path("packages"))
        try fixture.makeAuthor()
        #expect(try fixture.add("com.example.app.orders", "^1.0.0").status == 0)
    }

    /// Returns the names of the packages. Fetching blocks its thread, which must not be one of the test's tasks.
    private func names(besides given: [String] = [], toPack isPacked: Bool = false) async throws -> [String] {
        let author = fixture.author
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        let (project, given) = (PluginProject(folder: author), given.map { FilePath($0) })
                        let found = isPacked ? project.linkedPackages : project.packages
                        return try found(given).map(\.lastComponent)
                    })
            }
        }
    }

    @Test("The newest version in the range is fetched once, and again after the record has changed")
    func newest() async throws {
        #expect(try await names() == ["com.example.app.orders-1.0.0.zip"])
        try fixture.pack("1.1.0")
        try fixture.catalog.run("publish", fixture.catalog.path("packages"))
        #expect(try await names() == ["com.example.app.orders-1.0.0.zip"])
        #expect(try fixture.add("com.example.app.orders", options: []).status == 0)
        #expect(try await names() == ["com.example.app.orders-1.1.0.zip"])
    }

    @Test("Packing fetches them only if the plugin links one")
    func linked() async throws {
        #expect(try await names(toPack: true) == [])
        let lock = try fixture.text("Components/components.json")
        try lock.replacing("\"module\"", with: "\"library\" : true, \"module\"").write(
            toFile: fixture.author.appending("Components/components.json").string, atomically: true, encoding: .utf8)
        #expect(try await names(toPack: true) == ["com.example.app.orders-1.0.0.zip"])
    }

    @Test("A package of the command line takes the place of that in the catalog, and one that does not exist is named")
    func given() async throws {
        let own = try fixture.catalog.package(ComponentFixture.orders, "1.9.0", in: "own", signedBy: .generate())
        #expect(try await names(besides: [own]) == ["com.example.app.orders-1.9.0.zip"])
        let error = await #expect(throws: CommandError.self) { try await names(besides: ["/nowhere.zip"]) }
        #expect(error?.report.subject == "/nowhere.zip")
    }

    @Test("A package that the recorded team has not signed is refused, although the catalog offers it")
    func untrusted() async throws {
        try fixture.catalog.package(ComponentFixture.orders, "1.2.0", signedBy: .generate())
        try fixture.catalog.run("publish", fixture.catalog.path("packages"))
        let error = await #expect(throws: AtriumError.self) { try await names() }
        #expect(error?.code == .teamUnknown, "\(String(describing: error))")
    }
}
