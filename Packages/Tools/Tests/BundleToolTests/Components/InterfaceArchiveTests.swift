import BundleFormat
import CatalogPublisher
import Console
import Foundation
import PluginCore
import Signing
import Testing
import Trust

@Suite("The archive of an Interface", .tags(.medium))
struct InterfaceArchiveTests {
    private let fixture: ComponentFixture

    init() throws { fixture = try ComponentFixture() }

    private static let source = "Sources/OrdersInterface/OrdersActions.swift"

    private func problems(_ path: FilePath) throws -> [String] {
        let error = #expect(throws: CommandError.self) { try InterfaceArchive(opening: path) }
        return error?.report.code == "componentInvalid" ? error?.report.details ?? [] : []
    }

    @Test("has the sources, and the version of the plugin")
    func valid() throws {
        let archive = try InterfaceArchive(opening: fixture.archive([Self.source: "import PluginCore\n"]))
        let version = try identity("1.0.0", of: ComponentFixture.orders)
        #expect(archive.module == "OrdersInterface" && archive.identity == version)
        let folder = fixture.catalog.root.appending("extracted")
        try archive.extract(to: folder)
        let text = try String(contentsOfFile: folder.appending(Self.source).string, encoding: .utf8)
        #expect(text == "import PluginCore\n")
    }

    @Test(
        "Anything that is not a Swift source of the module is refused",
        arguments: [
            ("Package.swift", "only sources in"), ("Plugins/Run/plugin.swift", "only sources in"),
            ("Sources/Macros/Macro.swift", "only sources in"),
            ("Sources/OrdersInterface/Package.swift", "package manifest"),
            ("Sources/OrdersInterface/Package@swift-6.3.swift", "names consist of"),
            ("Sources/OrdersInterface/main.swift", "main file of a program"),
            ("Sources/OrdersInterface/shim.c", "only Swift sources"),
            ("Sources/OrdersInterface/include/module.modulemap", "only Swift sources"),
            ("Sources/OrdersInterface/.hidden.swift", "names consist of"),
            ("Sources/OrdersInterface/a\"b.swift", "names consist of"),
        ])
    func otherFiles(name: String, problem: String) throws {
        let found = try problems(fixture.archive([Self.source: "", name: "code"]))
        #expect(found.count == 1 && found[0].hasPrefix("\(name): ") && found[0].contains(problem), "\(found)")
    }

    @Test(
        "A source that needs other modules, or declares a macro, is refused",
        arguments: [
            ("import Money", "it imports Money"), ("@_exported import Orders", "it imports Orders"),
            ("  public import struct PackagePlugin.Path", "it imports PackagePlugin"),
            ("@freestanding(expression) macro x() = #externalMacro(module: \"M\", type: \"T\")", "it declares a macro"),
        ])
    func sources(text: String, problem: String) throws {
        let found = try problems(fixture.archive([Self.source: "import PluginCore\n\(text)\n"]))
        #expect(found.count == 1 && found[0].contains(problem), "\(found)")
    }

    @Test(
        "A library has the textual interface of its module, with no option that could load code, and binaries",
        arguments: [
            ("-swift-version 6 -O -module-name Money", "import _Concurrency", "libMoney.so", nil),
            ("-Xllvm -load=lib/evil.so", "", "libMoney.so", "it has the option -Xllvm for the compiler"),
            ("-module-name Money -I /tmp", "", "libMoney.so", "it has the option -I for the compiler"),
            ("-enforce-exclusivity=checked\t-load\t/x.so", "", "libMoney.so", "it has the option -enforce-exclusivity"),
            ("-O\r-load /x.so", "", "libMoney.so", "it has the option -O\r-load"),
            ("-swift-version\u{2028}-load", "", "libMoney.so", "it has the option -swift-version\u{2028}"),
            ("-module-name Money", "import Other", "libMoney.so", "it imports Other"),
            ("-module-name Money", "", "libOther.so", "only Library/Money.swiftinterface and"),
            ("-module-name Money", "", nil, "it lacks the library"),
        ] as [(String, String, String?, String?)])
    func library(flags: String, code: String, binary: String?, problem: String?) throws {
        let description = """
            {"formatVersion":1,"kind":"library","identifier":"com.example.app.orders","version":"1.0.0","module":"Money"}
            """
        var files = ["Library/Money.swiftinterface": "// swift-module-flags: \(flags)\n\(code)\n"]
        if let binary { files["Library/x86_64-unknown-linux-gnu/\(binary)"] = "ELF" }
        let path = try fixture.archive(files, description: description)
        guard let problem else { return #expect(try InterfaceArchive(opening: path).isLibrary) }
        #expect(try problems(path).contains { $0.contains(problem) }, "\(problem)")
    }

    @Test("A path that leads out of the folder is refused")
    func traversal() throws {
        let path = try fixture.archive([Self.source: "", "Sources/OrdersInterface/aa/evil.swift": ""])
        try patch(path) { $0.replace(Array("OrdersInterface/aa/".utf8), with: Array("OrdersInterface/../".utf8)) }
        let found = try problems(path)
        #expect(found.first?.contains("..") == true, "\(found)")
    }

    @Test("A link is refused")
    func link() throws {
        let path = try fixture.archive([Self.source: "/etc/passwd"])
        try patch(path) { bytes in
            // The mode is in the upper half of the external attributes of the entry in the directory.
            let mark: [UInt8] = [0x50, 0x4B, 0x01, 0x02]
            for start in bytes.indices.dropLast(46) where Array(bytes[start..<start + 4]) == mark {
                let length = Int(bytes[start + 28]) | Int(bytes[start + 29]) << 8
                let name = String(decoding: bytes[(start + 46)..<(start + 46 + length)], as: UTF8.self)
                if name == Self.source { (bytes[start + 40], bytes[start + 41]) = (0xFF, 0xA1) }
            }
        }
        #expect(try !problems(path).isEmpty)
    }

    @Test("Too many and too large files are refused")
    func sizes() throws {
        var files: [String: String] = [:]
        for index in 0..<257 { files["Sources/OrdersInterface/F\(index).swift"] = "" }
        #expect(try problems(fixture.archive(files)).contains("it has more than 256 sources"))
        for index in 257..<600 { files["Sources/OrdersInterface/F\(index).swift"] = "" }
        #expect(try problems(fixture.archive(files)).first?.contains("entries, 512 allowed") == true)
        let large = try problems(fixture.archive([Self.source: String(repeating: "/ abc\n", count: 200_000)]))
        #expect(large.first?.contains("it has more than 1.0 MB") == true || large.count == 1, "\(large)")
        var many: [String: String] = [:]
        for index in 0..<5 {
            many["Sources/OrdersInterface/F\(index).swift"] = String(repeating: "//\n", count: 349_000)
        }
        #expect(try problems(fixture.archive(many)).contains { $0.hasPrefix("it has more than 4") })
    }

    @Test("Content that is not the sealed one is refused: changed, added, missing, executable")
    func seal() throws {
        let changed = try fixture.archive([Self.source: "let a = 1"], unsealed: [Self.source: "let a = 2"])
        #expect(try problems(changed) == ["\(Self.source): it differs from the sealed file"])
        let more = "Sources/OrdersInterface/More.swift"
        #expect(try problems(fixture.archive([Self.source: ""], unsealed: [more: ""])) == ["\(more): it is not sealed"])
        let executable = try problems(fixture.archive([Self.source: ""], executable: Self.source))
        #expect(executable == ["\(Self.source): it is executable"])
        #expect(try problems(fixture.archive([:])) == ["it has no sources"])
    }

    @Test(
        "A description that names no module or no plugin is refused",
        arguments: [
            "{}", #"{"formatVersion":2,"kind":"interface","identifier":"a.b","version":"1.0.0","module":"A"}"#,
            #"{"formatVersion":1,"kind":"sdk","identifier":"a.b","version":"1.0.0","module":"A"}"#,
            #"{"formatVersion":1,"kind":"interface","identifier":"a.b","version":"1.0.0","module":"../A"}"#,
            #"{"formatVersion":1,"kind":"interface","identifier":"a.b","version":"1.0.0","module":"PluginCore"}"#,
            #"{"formatVersion":1,"kind":"interface","identifier":"a.b","version":"x","module":"A"}"#,
        ])
    func description(text: String) throws {
        let found = try problems(fixture.archive([Self.source: ""], description: text))
        #expect(found.count == 1 && found[0].hasPrefix("component.json: "), "\(found)")
    }

    @Test("Only a trusted team that owns the identifier can sign it")
    func signer() throws {
        let archive = try InterfaceArchive(opening: fixture.archive([Self.source: ""]))
        let key = fixture.key.publicKey
        let trusted = try ComponentFixture.trust(key)
        try archive.verify(by: trusted, for: .install, at: 1_795_262_400)
        let foreign = try ComponentFixture.trust(key, owning: "org.other")
        let other = try ComponentFixture.trust(SigningKey.generate().publicKey)
        for (store, code) in [
            (foreign, AtriumError.Code.teamForeign), (other, .teamUnknown), (.empty, .teamUnknown),
            (try trusted.revoking(key: key.id, reason: "lost", at: 0), .keyRevoked),
        ] {
            let error = #expect(throws: AtriumError.self) {
                try archive.verify(by: store, for: .install, at: 1_795_262_400)
            }
            #expect(error?.code == code)
        }
    }

    private func patch(_ path: FilePath, _ change: (inout [UInt8]) -> Void) throws {
        let url = URL(filePath: path.string)
        var bytes = Array(try Data(contentsOf: url))
        change(&bytes)
        try Data(bytes).write(to: url)
    }
}
