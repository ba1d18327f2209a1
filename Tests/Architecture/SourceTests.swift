import Testing

@Suite("Reading source files", .tags(.small))
struct SourceTests {
    @Test(
        "The module of every form of import is found",
        arguments: [
            ("import Zip", ["Zip"]),
            ("@preconcurrency public import Zip", ["Zip"]),
            ("@_spi(Loading) package import Zip", ["Zip"]),
            ("internal import struct Zip.ZipEntry", ["Zip"]),
            ("import Zip.Codec.Inflater", ["Zip"]),
            ("import `Zip`", ["Zip"]),
            ("import\n    Zip", ["Zip"]),
            ("import /* why */ Zip // not SQLite", ["Zip"]),
            ("import Zip; import SQLite;import TUF", ["Zip", "SQLite", "TUF"]),
            (
                "#if os(Linux)\n  import Zip\n#elseif true\n  import SQLite\n#else\nimport TUF\n#endif",
                ["Zip", "SQLite", "TUF"]
            ),
            ("let a = \"\"\"\n  \\(b(\"\\(c)\")) \"\n  \"\"\"\nimport Zip", ["Zip"]),
            ("let a = /\"/\nimport Zip", ["Zip"]),
            ("let a = #/ \" /* /#\nimport Zip", ["Zip"]),
            ("let a = ##\"\"# \\(\"##\nimport Zip", ["Zip"]),
            ("let a = b / c; let d = \"/\"\nimport Zip", ["Zip"]),
            ("/* outer /* inner */ import SQLite */ import Zip", ["Zip"]),
        ])
    func findsImports(text: String, modules: [String]) {
        #expect(SourceFile(path: "a.swift", text: text).imports.map(\.module) == modules)
    }

    @Test(
        "A word that is not an import is not taken for one",
        arguments: [
            "// import Zip", "/* import Zip */", "/// ```\n/// import Zip\n/// ```", "let a = \"import Zip\"",
            "let a = \"\"\"\n  import Zip\n  \"\"\"", "let a = #\"\" import Zip\"#", "let a = \"\\\" import Zip\"",
            "call(import: zip)", "kind = .import", "let `import` = zip", "func f(import zip: Int) {}",
            "let a = \"\\(b + \"import Zip\")\"", "#if canImport(Zip)\n#endif",
        ])
    func findsNoImport(text: String) {
        #expect(SourceFile(path: "a.swift", text: text).imports == [])
    }

    @Test("Lines are counted correctly after comments and strings of several lines")
    func countsLines() {
        let text = "/* 1\n2 /* 3\n */ */\nlet a = \"\"\"\n  5 \\(6 +\n 7)\n  \"\"\"\nimport Zip\n"
        #expect(SourceFile(path: "a.swift", text: text).imports == [Import(module: "Zip", line: 8)])
    }

    @Test(
        "Declared types are found, and other words are not taken for types",
        arguments: [
            ("public final class A {}", ["class A"]),
            ("enum A { enum B { case c } }", ["enum A", "enum B: 1"]),
            ("enum A {\n #if DEBUG\n indirect case b\n #endif\n}", ["enum A: 3"]),
            ("enum A { static func f(x: Int) { switch x { case 0: g() } } }", ["enum A"]),
            ("distributed actor A {}\nprotocol B: C {}", ["actor A", "protocol B"]),
            ("import struct A.B\nlet actor = 1; f(actor: actor); g(for: .actor) { actor in actor }", []),
            ("func f(actor name: Int) -> any Protocol { \"struct B\" }", []),
        ])
    func findsTypes(text: String, types: [String]) {
        let found = TypeDeclaration.all(in: SourceFile(path: "a.swift", text: text).tokens)
        #expect(found.map { "\($0.keyword) \($0.name)" + ($0.firstCase.map { ": \($0)" } ?? "") } == types)
    }
}
