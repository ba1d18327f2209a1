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

    private static let library = "lib/x86_64-unknown-linux-gnu/libAccount.so"

    static let damages = [
        Damage("a bad CRC", "its entry \"Resources/note\": its content does not match its checksum") { package in
            package.set("Resources/note", to: "one line of text")
            package.patch("one line of text", with: "One line of text")
        },
        Damage("a broken stream", "its entry \"\(library)\": not a deflate stream (zlib -3)") { package in
            let name = library
            package.editArchive { bytes in
                let start = try #require(bytes.firstRange(of: Array(name.utf8))).upperBound
                bytes.replaceSubrange(start..<(start + 64), with: repeatElement(0xFF, count: 64))
            }
        },
        Damage("a missing end", "it is not a complete zip archive: no end record") { $0.truncate(to: -10) },
        Damage("its first half", "it is not a complete zip archive: no end record") { $0.truncate(to: 50_000) },
        Damage("a single byte", "it is not a complete zip archive: no end record") { $0.truncate(to: 1) },
        Damage("no byte", "it is not a complete zip archive: no end record") { $0.truncate(to: 0) },
        Damage("another kind of file", "it is not a complete zip archive: no end record") { package in
            package.editArchive { $0 = Array(String(repeating: "This is no zip. ", count: 1000).utf8) }
        },
        Damage("a name that climbs out", "its entry \"../evil\": a \".\" or \"..\" component") { package in
            package.set("__/evil", to: "x")
            package.patch("__/evil", with: "../evil")
        },
        Damage("a name that climbs out from within", "its entry \"Resources/../../../x\": a \".\" or \"..\" component")
        { package in
            package.set("Resources/__/__/__/x", to: "x")
            package.patch("Resources/__/__/__/x", with: "Resources/../../../x")
        },
        Damage("an absolute name", "its entry \"/etc/cron.d/evil\": an absolute path") { package in
            package.set("_etc/cron.d/evil", to: "x")
            package.patch("_etc/cron.d/evil", with: "/etc/cron.d/evil")
        },
        Damage("a symbolic link", "its entry \"Resources/link\": neither a file nor a folder") { package in
            package.set("Resources/link", to: "/etc/passwd")
            package.makeLink("Resources/link")
        },
        Damage("one name twice", "its entry \"Resources/twice\": the name occurs twice") { package in
            package.set("Resources/twice", to: "x")
            package.set("Resources/other", to: "y")
            package.patch("Resources/other", with: "Resources/twice")
        },
        Damage("no manifest", "it does not contain \"manifest.json\"") { try $0.remove("manifest.json") },
        Damage(
            "a manifest beyond measure",
            "its entry \"manifest.json\": 1048577 bytes, 1048576 allowed"
        ) { package in
            package.set("manifest.json", to: String(repeating: " ", count: 1_048_577))
        },
        Damage(
            "a stranger at its top",
            "\"run.sh\" is not allowed in a bundle; expected one of Resources, lib, manifest.json, signature"
        ) { $0.set("run.sh", to: "rm -rf /") },
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

extension PackageEditor {
    /// Marks a file of the finished archive as a symbolic link.
    ///
    /// The upper half of the external attributes is the mode if the upper byte of "version made by" is 3, which is Unix (APPNOTE
    /// 4.4.15).
    fileprivate mutating func makeLink(_ file: String) {
        editArchive { bytes in
            let name = try #require(bytes.lastRange(of: Array(file.utf8)))
            let header = name.lowerBound - 46
            try #require(bytes[header..<(header + 4)].elementsEqual([0x50, 0x4B, 0x01, 0x02]))
            bytes[header + 5] = 3
            bytes.replaceSubrange((header + 40)..<(header + 42), with: [0xFF, 0xA1])
        }
    }
}

extension [UInt8] {
    fileprivate func lastRange(of other: [UInt8]) -> Range<Int>? {
        indices.reversed().first { self[$0...].starts(with: other) }.map { $0..<($0 + other.count) }
    }
}
