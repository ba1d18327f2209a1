import Console
import FoundationEssentials
import PluginCore
import Testing

@testable import BundleTool

@Suite("bundletool lint", .tags(.medium))
struct LintCommandTests {
    private let fixture: PluginFixture

    init() throws { fixture = try PluginFixture() }

    private func lint(_ words: [String]) throws -> (document: JSON, status: Int32) {
        let reply = try bundletool(["lint", "--json"] + words)
        return (try reply.json, reply.status.rawValue)
    }

    private func words(_ fixture: PluginFixture) -> [String] {
        [fixture.folder.string, "--library", fixture.library.string]
    }

    private static let usual = ["icon-missing", "license-missing", "homepage-missing"]

    @Test("The plugin of a folder is packed and checked, and no package is left")
    func folder() throws {
        try fixture.write(#"{"about": "About", "code": "Code"}"#, to: "plugin/Resources/en.lproj/Localizable.json")
        try fixture.write(#"let code = string("code")"#, to: "plugin/Sources/Shop/Shop.swift")
        let before = try FileManager.default.subpathsOfDirectory(atPath: fixture.root.string).sorted()
        let (document, status) = try lint(words(fixture))
        #expect(document["identifier"] == "com.example.app.shop" && document["version"] == "1.1.0")
        #expect(document["findings.code"].texts == Self.usual + ["text-missing"] && status == 65)
        #expect(document["errors"] == 1 && document["warnings"] == 3 && document["comparedWith"] == .null)
        #expect(document["findings.breaks"] == [[], [], [], []] && document["findings.severity"].texts.count == 4)
        #expect(document["findings.place"].texts.count == 4)
        #expect(document["findings.remedy"].texts.count == 4 && document["silenced"] == [])
        #expect(document["notes"] == ["not compared with a published version; see --against"])
        #expect(try FileManager.default.subpathsOfDirectory(atPath: fixture.root.string).sorted() == before)

        try fixture.write("let code = 1", to: "plugin/Sources/Shop/Shop.swift")
        try fixture.write(#"{"about": "关于", "code": "C"}"#, to: "plugin/Resources/zh-Hans.lproj/Localizable.json")
        #expect(try lint(words(fixture)).document["findings.code"].texts == Self.usual + ["text-unused"])
    }

    @Test("Text output groups findings by rule with the remedy, and ends with their numbers")
    func text() throws {
        try fixture.write(
            #"{"allow": {"icon-missing": "No icons.", "homepage-missing": "None."}}"#, to: "plugin/lint.json")
        let reply = try bundletool(["lint"] + words(fixture))
        #expect(
            reply.text == """
                warning license-missing: the terms of use are unknown
                  - manifest.json: "license" is missing
                  remedy: add "license" to manifest.json, an SPDX expression such as "Apache-2.0", or "LicenseRef-Proprietary" \
                for terms of your own
                note: not compared with a published version; see --against
                com.example.app.shop@1.1.0: 0 errors, 1 warning, 2 silenced

                """)
        #expect(reply.status == .done)
        #expect(try bundletool(["lint", "--strict"] + words(fixture)).status == .badInput)
        #expect(try bundletool(["lint", "--strict", "--allow", "license-missing"] + words(fixture)).status == .done)
    }

    @Test("A package is checked like a folder, as far as it contains what a rule needs")
    func package() throws {
        try fixture.write(#"{"about": "About", "code": "Code"}"#, to: "plugin/Resources/en.lproj/Localizable.json")
        let package = try fixture.packer().pack(into: fixture.output)
        let (document, status) = try lint([package.string])
        #expect(document["findings.code"].texts == Self.usual + ["text-missing"] && status == 65)
        #expect(document["findings.place"].texts.last == "Resources/zh-Hans.lproj/Localizable.json")
        #expect(try refusal { try lint([fixture.root.appending("none.zip").string]) } == "66 fileUnknown")
    }

    @Test(
        "A plugin that cannot be packed has an error with the reason, and its resources are checked nevertheless",
        arguments: [
            ("manifest.json", #"{"formatVersion": 1}"#, "manifest-invalid"),
            ("manifest.json", PluginFixture.manifest.replacing("\"summary\"", with: "\"licence\""), "manifest-invalid"),
            ("manifest.json", PluginFixture.manifest.replacing("\"shop\"", with: "\"other\""), "manifest-invalid"),
            ("Resources/Pages/help.json", "{}", "resource-invalid"),
        ])
    func refused(file: String, content: String, code: String) throws {
        try fixture.write(content, to: "plugin/\(file)")
        try fixture.write("x", to: "plugin/Resources/.DS_Store")
        let (document, status) = try lint(words(fixture))
        #expect(Set(document["findings.code"].texts) == [code, "file-stray"] && status == 65)
        #expect(document["identifier"] == .null)
        #expect(document["notes"] == ["further rules are checked when the plugin can be packed"])
    }

    @Test("A library that no host can load is an error")
    func library() throws {
        try fixture.write("not a library", to: "libShop.so")
        #expect(try lint(words(fixture)).document["findings.code"].texts == ["library-unloadable"])
    }

    @Test(
        "An unknown code is an error, with the nearest one, and so is a folder without packages in place of a catalog")
    func wrongOptions() throws {
        let error = try #require(throws: UsageError.self) { try lint(words(fixture) + ["--allow", "icon-mising"]) }
        #expect(error.nearest == "icon-missing")
        let against = words(fixture) + ["--against", fixture.folder.string]
        #expect(try refusal { try lint(against) } == "66 catalogUnknown")
    }

    @Test("A parameter that the code newly requires is found in the code of both versions")
    func parameters() throws {
        let fixture = try PluginFixture(manifest: PluginFixture.manifest.replacing("1.1.0", with: "1.0.0"))
        let catalog = fixture.root.appending("catalog")
        _ = try fixture.packer().pack(into: catalog)
        try fixture.write(PluginFixture.manifest, to: "plugin/manifest.json")
        try fixture.write(
            BundleToolTests.library(
                ofSwift: PluginFixture.source(
                    "", "struct Order: Codable, Sendable { var value: Int; var currency: String; var note: String? }"
                ).replacing("ActionContract<Int, Int>", with: "ActionContract<Order, Int>")
                    .replacing("{ _, id in id }", with: "{ _, order in order.value }")), to: "libShop.so")
        let (document, status) = try lint(words(fixture) + ["--against", catalog.string])
        #expect(document["comparedWith"] == "1.0.0" && document["notes"] == [] && status == 65)
        #expect(document["findings.code"].texts == Self.usual + ["parameter-required"])
        let expected = "\"Shop.price\" requires the parameter \"currency\", but 1.0.0 had no parameter of this name"
        #expect(document["findings.what"].texts.last == expected)
    }

    @Test("A library that lacks an exported name breaks the plugins that import it")
    func symbols() throws {
        func pack(_ version: String, _ functions: String, into folder: String) throws -> [String] {
            try fixture.write(
                """
                {"formatVersion": 1, "identifier": "com.example.lib.base", "version": "\(version)", "name": "Base",
                "kind": "lib", "entry": "libBase.so", "coreABI": 3}
                """, to: "base/manifest.json")
            let library = try BundleToolTests.library(ofC: PluginFixture.entry + functions, "-Wl,-soname,libBase.so")
            try fixture.write(library, to: "libBase.so")
            let built = fixture.root.appending("libBase.so").string
            let words = [fixture.root.appending("base").string, "--library", built]
            try bundletool(["pack", words[0], words[1], words[2], "-o", fixture.root.appending(folder).string])
            return words
        }
        _ = try pack("1.0.0", "int base(void) { return 1; } int more(void) { return 2; }", into: "catalog")
        let catalog = fixture.root.appending("catalog").string
        for name in ["base", "more"] {
            try fixture.write(
                """
                {"formatVersion": 1, "identifier": "com.example.lib.\(name)-user", "version": "1.0.0", "name": "User",
                "kind": "lib", "entry": "libUser.so", "coreABI": 3,
                "requires": [{"bundle": "com.example.lib.base", "versions": "^1.0.0"}]}
                """, to: "user/manifest.json")
            try fixture.write(
                BundleToolTests.library(
                    ofC: PluginFixture.entry + "int \(name)(void); int use_\(name)(void) { return \(name)(); }",
                    options: ["-Wl,-soname,libUser.so", fixture.root.appending("libBase.so").string]), to: "libUser.so")
            try bundletool(
                "pack", fixture.root.appending("user").string, "-l", fixture.root.appending("libUser.so").string, "-o",
                catalog, "-d", "\(catalog)/com.example.lib.base-1.0.0.zip")
        }
        let words = try pack("1.1.0", "int base(void) { return 1; }", into: "new")
        let findings = try lint(words + ["--against", catalog]).document["findings"].elements
        let finding = try #require(findings.first { $0["severity"] == "error" })
        #expect(finding["code"] == "symbol-removed" && finding["what"] == "it lacks \"more\" of 1.0.0")
        #expect(finding["breaks"] == ["com.example.lib.more-user@1.0.0"])
        let major = try pack("2.0.0", "int base(void) { return 1; }", into: "new")
        let (document, status) = try lint(major + ["--against", catalog])
        #expect(document["errors"] == 0 && status == 0)
        #expect(document["findings.code"].texts.filter { $0 == "dependent-excluded" }.count == 2)
        let again = try pack("1.0.0", "int base(void) { return 3; }", into: "new")
        #expect(try lint(again + ["--against", catalog]).document["findings.code"].texts.contains("version-reused"))
    }
}
