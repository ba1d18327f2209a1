import FoundationEssentials
import HostSystem
import PluginCore
import Testing

@testable import BundleTool
@testable import PluginLint

@Suite("The constants of texts", .tags(.medium))
struct TextConstantsTests {
    @Test(
        "A key is named by its words, and no name is a word of Swift or begins with a digit",
        arguments: [
            ("home.title", "homeTitle"), ("title", "title"), ("signIn.emptyName", "signInEmptyName"),
            ("Title_of-page 2", "titleOfPage2"), ("2fa.on", "_2faOn"), ("default", "_default"), ("self", "_self"),
            ("a..b.", "aB"), ("price.was.€", "priceWas"), ("", ""), ("价格", ""), ("resources", "resources"),
        ])
    func names(key: String, name: String) { #expect(TextConstants.name(of: key) == name) }

    @Test("Texts without values are properties, and the others functions of their values")
    func members() {
        let constants = TextConstants(of: ["b.c": "{} and {}: {}", "a": "A {x}", "d": "{}"])
        #expect(constants.problems == [])
        let members = constants.source.split(separator: "\n").filter { $0.contains("_resources.string") }
        #expect(
            members == [
                #"    var a: String { _resources.string("a") }"#,
                "    func bC(_ value1: any Sendable, _ value2: any Sendable, _ value3: any Sendable) -> "
                    + #"String { _resources.string("b.c", value1, value2, value3) }"#,
                #"    func d(_ value1: any Sendable) -> String { _resources.string("d", value1) }"#,
            ])
        #expect(TextConstants.isGenerated(constants.source))
    }

    @Test("Keys with one name, and keys without a name, are problems that name them")
    func collisions() {
        let problems = TextConstants(of: ["item.name": "", "itemName": "{}", "": "", "价格": "", "x": ""]).problems
        #expect(problems.count == 2)
        #expect(problems.first?.hasPrefix("\"\", \"价格\": ") == true, "\(problems)")
        #expect(problems.last?.hasPrefix("\"item.name\", \"itemName\": ") == true, "\(problems)")
    }

    @Test("Whatever is in keys and texts, the file compiles, and looks each key up")
    func hostile() throws {
        let keys = [
            "a\") }", "b\"", "c\\(d)", "e\nf", "g\r\u{0}\u{2028}h", "#\"i\"#", "*/j", "/*k", "l\u{1F600}", "Type",
            "init", "resources", "0", String(repeating: "long.", count: 500), "texts", "string",
        ]
        let texts = Dictionary(uniqueKeysWithValues: keys.map { ($0, "\") } {}\n\\(x)") })
        let constants = TextConstants(of: texts)
        #expect(constants.problems == [])
        let calls = keys.map { "texts.\(TextConstants.name(of: $0))(1)" }.joined(separator: ", ")
        let folder = try TestFolder()
        try folder.write(
            constants.source.replacing("import PluginCore", with: "") + """
                struct BundleResources { func string(_ key: String, _ values: any Sendable...) -> String { key } }
                struct BundleContext { let resources = BundleResources() }
                let texts = BundleContext().texts
                print([\(calls)])
                """, to: "main.swift")
        let program = folder.place("program")
        let built = try runProgram("env", ["swiftc", "-swift-version", "6", folder.place("main.swift"), "-o", program])
        try #require(built.status == 0, "\(built.output)")
        #expect(try runProgram(program, []).output == "\(keys)\n")
    }

    @Test("The file keeps how it imports Core, and is stale only if its constants are")
    func stale() {
        let old = TextConstants(of: ["a": "A"]).source.replacing("\nimport", with: "\ninternal import")
        #expect(TextConstants(of: ["a": "Other"], replacing: old).source == old)
        #expect(TextConstants(of: ["a": "{}"], replacing: old).source != old)
        #expect(
            TextConstants(of: ["a": "", "b": ""], replacing: old).source.contains("\ninternal import PluginCore\n"))
    }

    @Test("The constants of all sample plugins are up to date")
    func samples() throws {
        let plugins = FilePath(#filePath).parent.parent.parent.parent.parent.parent.appending("Plugins")
        let found = try Files.names(below: plugins).filter { $0.hasSuffix("/Texts.swift") }
        #expect(found.count >= 7, "\(found)")
        for name in found {
            let text = String(decoding: try Files.bytes(of: plugins.appending(name), limit: 1 << 20), as: UTF8.self)
            let table = plugins.appending("\(name.prefix { $0 != "/" })/\(TextConstants.table)")
            let texts = try StrictJSON.decode([String: String].self, from: Files.bytes(of: table, limit: 1 << 20))
            #expect(TextConstants(of: texts, replacing: text).source == text, "\(name)")
        }
    }
}

@Suite("bundletool texts", .tags(.medium))
struct TextsCommandTests {
    private let fixture: PluginFixture

    init() throws { fixture = try PluginFixture() }

    private func text(_ module: String) throws -> String {
        let path = fixture.folder.appending("Sources/\(module)/Texts.swift")
        return String(decoding: try Files.bytes(of: path, limit: 1 << 20), as: UTF8.self)
    }

    private func texts() throws -> Reply { try bundletool("texts", fixture.folder.string) }

    @Test("The file of the plugin is created, and the files of modules that have one are replaced")
    func files() throws {
        try fixture.write(#"{"about": "About", "code": "{}"}"#, to: "plugin/Resources/en.lproj/Localizable.json")
        try fixture.write("", to: "plugin/Sources/Widget/Texts.swift")
        try fixture.write("struct Texts {}", to: "plugin/Sources/Other/Texts.swift")
        try fixture.write("", to: "plugin/Sources/Shop/Shop.swift")
        #expect(try texts().text.split(separator: "\n").count == 2)
        #expect(try text("Shop").contains("func code(_ value1: any Sendable)"))
        #expect(try text("Shop") == text("Widget"))
        #expect(try text("Other") == "struct Texts {}")
        try fixture.write(#"{"about": "About"}"#, to: "plugin/Resources/en.lproj/Localizable.json")
        try PluginProject(folder: fixture.folder).writeTexts()
        #expect(try !text("Shop").contains("code") && text("Shop") == text("Widget"))
    }

    @Test("A file that somebody wrote, and texts that can have no constants, are refused")
    func refused() throws {
        try fixture.write("", to: "plugin/Sources/Shop/Shop.swift")
        try fixture.write(#"{"a.b": "", "aB": ""}"#, to: "plugin/Resources/en.lproj/Localizable.json")
        #expect(try refusal { try texts() } == "65 textsInvalid")
        try fixture.write("{", to: "plugin/Resources/en.lproj/Localizable.json")
        #expect(try refusal { try texts() } == "65 textsInvalid")
        try fixture.write("struct Texts {}", to: "plugin/Sources/Shop/Texts.swift")
        #expect(try refusal { try texts() } == "77 fileExists")
        #expect(try text("Shop") == "struct Texts {}")
        try fixture.write(PluginFixture.assets, to: "plugin/manifest.json")
        #expect(try texts().text == "This bundle has no code.\n")
    }
}
