import Console
import FoundationEssentials
import PluginCore
import Testing

@testable import BundleTool

@Suite("Warnings of packing", .tags(.medium))
struct PackWarningTests {
    private let fixture: PluginFixture

    init() throws { fixture = try PluginFixture() }

    private static func warnings(of fixture: PluginFixture) throws -> [String] {
        var warnings: [String] = []
        _ = try fixture.packer().pack(into: fixture.output) { warnings.append($0) }
        return warnings
    }

    @Test("A sound plugin has no warnings")
    func none() throws { #expect(try Self.warnings(of: PluginFixture()) == []) }

    @Test("A text that a layout uses and no language has, and a missing translation, are warnings")
    func texts() throws {
        let layout = #"""
            {"pages": {"about": {"title": "@about", "content": [{"text": "@missing.key"}, {"label": "@a", "value": "b"},
            {"rows": [{"title": "@about", "detail": "@c"}]}], "actions": [{"id": "x", "title": "@d", "open": "app://@e"}]}}}
            """#
        try fixture.write(layout, to: "plugin/Resources/Pages/help.json")
        try fixture.write(#"{"about": "About", "code": "From code"}"#, to: "plugin/Resources/en.lproj/Localizable.json")
        let asked = ["a", "c", "d", "missing.key"].map {
            "Resources/Pages/help.json: \"@\($0)\" has no text in any language, so the key is shown"
        }
        let code = "Resources/zh-Hans.lproj/Localizable.json: \"code\" is missing, but exists in "
        #expect(try Self.warnings(of: fixture) == asked + [code + "Resources/en.lproj/Localizable.json"])
    }

    @Test(
        "A file that a desktop, an editor or a version control system left is a warning",
        arguments: [
            ".DS_Store", "Pages/.DS_Store", "._help.json", "Thumbs.db", "Pages/help.json~", ".help.json.swp", "a.orig",
            "#help.json#", ".#help.json", ".git/config", "__MACOSX/x",
        ])
    func stray(name: String) throws {
        try fixture.write("x", to: "plugin/Resources/\(name)")
        let warnings = try Self.warnings(of: fixture)
        #expect(warnings.count == 1 && warnings[0].hasPrefix("Resources/\(name): "), "\(warnings)")
        #expect(warnings.first?.hasSuffix("it would be shipped; remove it") == true)
    }

    @Test(
        "A file that is not read because of the case of its name is a warning",
        arguments: [
            (
                "Resources/fr.lproj/localizable.json",
                "Resources/fr.lproj/localizable.json: texts are read from \"<language>.lproj/Localizable.json\" only; rename it"
            ),
            ("resources/a.txt", "resources: it is not packed; the folder must be named \"Resources\""),
        ])
    func wrongCase(name: String, warning: String) throws {
        try fixture.write("{}", to: "plugin/\(name)")
        #expect(try Self.warnings(of: fixture) == [warning])
    }

    @Test(
        "A file for a scale is a warning if its base name is missing or the scale does not exist",
        arguments: [
            (["a.png", "a@2x.png", "a@3x.png", "b/c.png", "b/c@2x.png", "plain", "plain@2x"], nil),
            (["@2x.png", "mail@example.png", "x@ax.png", "a@2xb.png", ".hidden", "a.b@2.png"], nil),
            (["b/a.png", "a@2x.png"], "a@2x.png: there is no \"a.png\", so code that asks for that name"),
            (["b/.a@3x"], "b/.a@3x: there is no \"b/.a\", so code that asks for that name"),
            (["a.png", "a@1x.png"], "a@1x.png: a file for a scale ends in @2x or @3x"),
            (["a.png", "a@4x.png"], "a@4x.png: a file for a scale ends in @2x or @3x"),
            (["a.png", "a@99999999999999999999x.png"], "a@99999999999999999999x.png: a file for a scale ends"),
        ])
    func scales(names: [String], warning: String?) throws {
        for name in names { try fixture.write("x", to: "plugin/Resources/\(name)") }
        let warnings = try Self.warnings(of: fixture)
        #expect(warnings.count == (warning == nil ? 0 : 1), "\(warnings)")
        if let warning { #expect(warnings.first?.hasPrefix("Resources/" + warning) == true, "\(warnings)") }
    }

    @Test("A layout that is not read because of the case of its folder is a warning")
    func pages() throws {
        let fixture = try PluginFixture(manifest: PluginFixture.assets)
        try fixture.remove("plugin/Resources")
        try fixture.write(PluginFixture.layout, to: "plugin/Resources/pages/a.json")
        var warnings: [String] = []
        _ = try Packer(folder: fixture.folder).pack(into: fixture.output) { warnings.append($0) }
        #expect(warnings == ["Resources/pages/a.json: layouts are read from \"Pages\" only; rename \"pages\""])
    }

    @Test("Warnings are printed to standard error and in JSON, and --strict writes no package")
    func program() throws {
        try fixture.write("x", to: "plugin/Resources/.DS_Store")
        let (words, package) = (fixture.packing, fixture.package)
        let warning = try #require(try Self.warnings(of: fixture).first)
        try FileManager.default.removeItem(atPath: package.string)

        let error = try #require(throws: CommandError.self) { try bundletool(words + ["--strict"]) }
        #expect(error.report.details == [warning] && error.exitStatus == .badInput)
        #expect(!fixture.exists(package))

        let reply = try bundletool(words)
        #expect(reply.note == "warning: \(warning)\n" && reply.status == .done)
        #expect(reply.text.hasPrefix(package.string))
        let json = try bundletool(words + ["--json"])
        #expect(json.note == "")
        #expect(try json.json["warnings"] == [.text(warning)])
        try fixture.remove("plugin/Resources/.DS_Store")
        #expect(try bundletool(words + ["--json", "--strict"]).json["warnings"] == [])
    }
}
