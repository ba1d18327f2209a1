import PluginCore
import PluginTestKit
import Testing

@Suite("Damaged packages", .tags(.large))
struct ArchiveTests {
    static let remedy = "get the package again; if that does not help, its author must run \"bundletool pack\" again"

    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let finding: String
        let change: @Sendable (inout PackageEditor) throws -> Void

        init(
            _ description: String, _ finding: String, _ change: @escaping @Sendable (inout PackageEditor) throws -> Void
        ) {
            testDescription = description
            self.finding = finding
            self.change = change
        }
    }

    static let damages = [
        Damage("a bad CRC", "its entry \"Resources/note\": its content does not match its checksum") { package in
            package.set("Resources/note", to: "one line of text")
            package.patch("one line of text", with: "One line of text")
        },
        Damage("a missing end", "it is not a complete zip archive: no end record") { $0.truncate(to: -10) },
        Damage("a name that climbs out", "its entry \"../evil\": a \".\" or \"..\" component") { package in
            package.set("__/evil", to: "x")
            package.patch("__/evil", with: "../evil")
        },
        Damage("no manifest", "it does not contain \"manifest.json\"") { try $0.remove("manifest.json") },
    ]

    static func refusal(_ damage: Damage) -> Refusal {
        Refusal(
            status: 65, code: "packageInvalid", subject: "com.example.app.account-1.0.0.zip",
            message: "\"com.example.app.account-1.0.0.zip\" is not a valid package: \(damage.finding)", remedy: remedy)
    }

    @Test("A damaged package is rejected and leaves no files in a new sandbox", arguments: damages)
    func withoutSandbox(damage: Damage) async throws {
        let scene = try Scene()
        try scene.change(Scene.account, "1.0.0", damage.change)
        try await scene.refuses("install", Scene.account, with: Self.refusal(damage))
        #expect(try scene.sandbox.tree().isEmpty)
    }

    @Test("A damaged package is rejected as an update, and the old version stays active", arguments: damages)
    func update(damage: Damage) async throws {
        let scene = try await Scene(installed: Scene.account)
        try scene.change(Scene.account) { package in
            try package.rename(version: "1.0.1")
            try damage.change(&package)
        }
        var refusal = Self.refusal(damage)
        refusal.subject = "com.example.app.account-1.0.1.zip"
        refusal.message = "\"com.example.app.account-1.0.1.zip\" is not a valid package: \(damage.finding)"
        try await scene.refuses("update", Scene.account, with: refusal)
        try await scene.does("open", "app://account")
    }

    @Test("A folder with the name of a package is rejected")
    func folder() async throws {
        let scene = try Scene()
        try scene.catalog.write([], named: "com.example.app.folder-1.0.0.zip/file")
        try await scene.refuses(
            "install", "com.example.app.folder",
            with: Refusal(
                status: 65, code: "packageInvalid", subject: "com.example.app.folder-1.0.0.zip",
                message: "\"com.example.app.folder-1.0.0.zip\" is not a valid package: it is not a regular file",
                remedy: Self.remedy))
    }
}
