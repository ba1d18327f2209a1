import PluginCore
import PluginTestKit
import Testing

@Suite("Packages that must not be installed", .tags(.large))
struct PackageTests {
    /// A fault of the package of Account, with the expected error.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int32
        let code: String
        let words: [String]
        /// The source in C of a library that takes the place of Account's.
        let source: String?
        let change: @Sendable (inout PackageEditor) throws -> Void

        init(
            _ description: String, _ status: Int32, _ code: String, _ words: String..., source: String? = nil,
            change: @escaping @Sendable (inout PackageEditor) throws -> Void = { _ in }
        ) {
            (testDescription, self.status, self.code, self.words) = (description, status, code, words)
            (self.source, self.change) = (source, change)
        }
    }

    private static let help = "Resources/Pages/help.json"

    static let faults = [
        Fault("no seal", 77, "unsigned", "there is no signature/seal.json") { $0.removeSeal() },
        Fault(
            "a missing and a new file", 77, "sealBroken", "\(help): it is sealed, but missing",
            "Resources/more.txt: it is not sealed"
        ) { package in
            package.keepSeal()
            package.set("Resources/more.txt", to: "more")
            try package.remove(help)
        },
        Fault("a bad CRC", 65, "packageInvalid", "\"Resources/note\": its content does not match its checksum") {
            $0.set("Resources/note", to: "one line of text")
            $0.patch("one line of text", with: "One line of text")
        },
        Fault("a missing end", 65, "packageInvalid", "it is not a complete zip archive: no end record") {
            $0.editArchive { $0.removeLast(10) }
        },
        Fault("a name that climbs out", 65, "packageInvalid", "\"../evil\": a \".\" or \"..\" component") {
            $0.set("__/evil", to: "x")
            $0.patch("__/evil", with: "../evil")
        },
        Fault("no manifest", 65, "packageInvalid", "does not contain \"manifest.json\"") {
            try $0.remove("manifest.json")
        },
        Fault("no library", 65, "libraryMissing", "it does not contain \(Scene.library)") {
            try $0.remove(Scene.library)
        },
        Fault("a text for a library", 65, "libraryUnloadable", "it is not an ELF file") {
            $0.set(Scene.library, to: String(repeating: "This is no library. ", count: 100))
        },
        Fault(
            "a library that is not a plugin's, with all that is wrong", 65, "libraryUnloadable",
            "it does not export plugin_entry_v3", "it does not declare which Core it was built for",
            "no library defines nobody_has_this",
            source: "int nobody_has_this(void); int use(void) { return nobody_has_this(); }"),
        Fault(
            "a library for another machine", 77, "libraryIncompatible",
            "it is built for riscv, but this host is x86_64"
        ) { package in
            // The field e_machine is at offset 18, and 243 is EM_RISCV.
            try package.edit(Scene.library) { $0.replaceSubrange(18..<20, with: [243, 0]) }
        },
        Fault(
            "an invalid manifest, with all that is wrong", 65, "manifestInvalid", "version: \"1.x\"",
            "rotes: no such field; did you mean \"routes\"?", "name: it is empty", "requires[0].bundle: \"a b\"",
            "routes[0].pattern: \"**/a\""
        ) {
            $0.set(
                "manifest.json",
                to: """
                    {
                      "formatVersion": 1, "identifier": "com.example.app.account", "version": "1.x", "name": "", "kind": "app",
                      "rotes": [], "requires": [{"bundle": "a b", "versions": "^1.0.0"}],
                      "routes": [{"pattern": "**/a", "page": "home"}]
                    }
                    """)
        },
    ]

    @Test(
        "A package with an invalid seal, archive, manifest or library is not installed, by name or on demand",
        arguments: faults)
    func refused(fault: Fault) async throws {
        let scene = try Scene()
        try await scene.damage(with: fault)
        for arguments in [["install", Scene.account], ["open", "app://account"]] {
            try await scene.refuses(arguments, with: fault)
        }
        #expect(try scene.sandbox.tree().isEmpty)
    }

    @Test("A package with a fault neither prevents other updates nor hides other packages of the catalog")
    func others() async throws {
        let fault = try #require(Self.faults.last)
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.account)
        try await scene.damage(with: fault, as: "1.0.1")
        let person = try await scene.run("catalog")
        #expect(person.stderr.hasPrefix("error: the manifest of ") && person.stdout.contains(Scene.orders), "\(person)")
        struct Listing: Decodable { let (problems, packages): ([[String: Refusal]], [JSON]) }
        let script = try await scene.run("catalog", "--json").json(as: Listing.self)
        #expect(script.problems.map { $0["error"]?.text } == [person.stderr] && script.packages.count == 10)
        let all = try await scene.run("update")
        #expect(all.stdout.contains("Updated \(Scene.shop) from 1.0.0 to 1.1.0.\n"), "\(all)")
        #expect(all.stdout.contains("\(Scene.account)@1.0.0 stays; the package of 1.0.1 is not usable.\n"), "\(all)")
        #expect(all.stderr.contains("1.0.1 is skipped: manifestInvalid"), "\(all)")
    }

    @Test("A package of an unknown team, or of a team that does not own its identifier, is not installed")
    func otherTeam() async throws {
        let rival = try SigningIdentity(team: "com.rival")
        let scene = try await Scene(installed: Scene.shop)
        try scene.change(Scene.account) { try $0.sign(by: rival) }
        let install = ["install", Scene.account]
        try await scene.refuses(install, status: 77, code: "teamUnknown", saying: "no team \"com.rival\"")
        try scene.sandbox.trust(rival)
        try await scene.refuses(
            install, status: 77, code: "teamForeign",
            saying: "team \"com.example\" owns \"com.example.app.account\", but team \"com.rival\" signed it")
    }

    @Test("A version below one that has run is rejected even after the plugin was uninstalled")
    func minimumVersion() async throws {
        let scene = try await Scene(installed: Scene.shop)
        try await scene.run("open", "app://shop")
        try await scene.run("uninstall", Scene.shop)
        try await scene.refuses(
            ["install", "\(Scene.shop)@1.0.0"], status: 77, code: "downgrade", saying: "1.1.0 has run here")
        try await scene.run("install", Scene.shop)
    }
}

extension Scene {
    /// Plants a fault in a version of Account in the catalog.
    fileprivate func damage(with fault: PackageTests.Fault, as version: String = "1.0.0") async throws {
        var library: [UInt8]?
        if let source = fault.source { library = try await compiled(c: source) }
        try change(Self.account) { package in
            if version != "1.0.0" { try package.rename(version: version) }
            if let library { package.set(Self.library, to: library) }
            try fault.change(&package)
        }
    }

    fileprivate func refuses(_ arguments: [String], with fault: PackageTests.Fault) async throws {
        let refusal = try await refuses(arguments, status: fault.status, code: fault.code)
        let told = ([refusal.message] + (refusal.details ?? [])).joined(separator: "\n")
        for word in fault.words { #expect(told.contains(word), "\(told)") }
    }
}

extension PackageEditor {
    /// Replaces bytes of the finished archive wherever they occur, which can create names that a correct writer rejects.
    ///
    /// - Parameter other: The replacement, with as many bytes as `text`, so that offsets do not change.
    fileprivate mutating func patch(_ text: String, with other: String) {
        editArchive { bytes in
            let before = bytes
            bytes.replace(Array(text.utf8), with: Array(other.utf8))
            try #require(bytes != before && bytes.count == before.count)
        }
    }
}
