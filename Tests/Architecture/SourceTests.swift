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
}
