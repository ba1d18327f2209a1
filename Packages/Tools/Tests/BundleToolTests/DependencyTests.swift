import BundleFormat
import Console
import FoundationEssentials
import HostSystem
import PluginCore
import PluginRuntime
import Testing

@testable import BundleTool

@Suite("Plugins that link the library of another bundle", .tags(.small))
struct DependencyTests {
    /// A packed library and a plugin that links it.
    private struct Workshop {
        let fixture: PluginFixture
        let package: FilePath

        /// Creates the library and the plugin.
        ///
        /// - Parameters:
        ///   - requires: the requirements in the plugin's manifest.
        ///   - isAsked: `true` if the plugin's code is asked for its declarations; then the library decides the priority of a route.
        init(requires: String, soname: String? = "libBase.so", kind: String = "lib", isAsked: Bool = false) throws {
            fixture = try PluginFixture(
                manifest: PluginFixture.manifest.replacing(#""requires": ["#, with: #""requires": [\#(requires)"#))
            let root = fixture.root
            try fixture.write(
                """
                {"formatVersion": 1, "identifier": "com.example.lib.base", "version": "1.0.0", "name": "Base",
                "kind": "\(kind)", "entry": "libBase.so", "coreABI": 3}
                """, to: "base/manifest.json")
            let base = try library(
                ofC: PluginFixture.entry + "int base(void) { return 7; }",
                options: (soname.map { ["-Wl,-soname,\($0)"] } ?? []))
            try fixture.write(kind == "app" ? PluginFixture.built.get() : base, to: "libBase.so")
            let linked = root.appending("libBase.so").string
            try fixture.write(
                isAsked
                    ? library(
                        ofSwift: PluginFixture.source(
                            ".priority(Int(base()))", "@_silgen_name(\"base\") func base() -> Int32"), linked)
                    : library(
                        ofC: PluginFixture.entry + "int base(void); int use(void) { return base(); }",
                        options: ["-Wl,--allow-shlib-undefined", linked]), to: "libShop.so")
            package = try Packer(folder: root.appending("base"), library: root.appending("libBase.so"))
                .pack(into: root.appending("libraries"))
        }

        @discardableResult
        func pack(_ more: String...) throws -> Reply { try bundletool(fixture.packing + more) }

        func refusal(_ more: String...) throws -> AtriumError {
            try #require(throws: AtriumError.self) { try bundletool(fixture.packing + more) }
        }
    }

    private static let needed = #"{"bundle": "com.example.lib.base", "versions": "^1.0.0"}, "#

    @Test("A plugin that links a library is packed and inspected with the library's package, and rejected without it")
    func named() throws {
        let shop = try Workshop(requires: Self.needed, isAsked: true)
        let refusal = try shop.refusal()
        #expect(refusal.code == .libraryUnloadable)
        let unseen = "needs libBase.so, which this host does not provide, and these required bundles are unknown: "
        let problem = try #require(refusal.problems.first).sentence
        #expect(problem.hasPrefix("libShop.so: it \(unseen)com.example.lib.base"))
        #expect(!shop.fixture.exists(shop.fixture.output))

        try shop.pack("--dependency", shop.package.string)
        let package = shop.fixture.package.string
        let alone = try bundletool("inspect", package).text
        #expect(alone.contains("result           no host of this release can load it\n"))
        let both = try bundletool("inspect", package, "-d", shop.package.string).text
        #expect(both.contains("result           a host of this release can load it\n"), "\(both)")
        // The code that was asked has called the library.
        #expect(both.contains("priority 7"), "\(both)")
        #expect(try bundletool("inspect", shop.package.string).text.contains("soname           libBase.so\n"))
    }

    @Test(
        "A plugin must require a matching version of the library that it links, and not only on demand",
        arguments: [
            ("", AtriumError.Code.libraryUnloadable),
            (needed.replacing("}", with: #", "onDemand": true}"#), .libraryUnloadable),
            (needed.replacing("^1", with: "^2"), .dependencyUnmet),
        ])
    func required(requires: String, code: AtriumError.Code) throws {
        let shop = try Workshop(requires: requires)
        let refusal = try shop.refusal("-d", shop.package.string)
        #expect(refusal.code == code, "\(refusal)")
        #expect(!shop.fixture.exists(shop.fixture.output))
    }

    @Test("A plugin cannot link the library of a bundle that is not of kind lib")
    func otherKind() throws {
        let shop = try Workshop(requires: Self.needed, soname: nil, kind: "app")
        let refusal = try shop.refusal("-d", shop.package.string)
        #expect(refusal.code == .libraryUnloadable)
        let problem = try #require(refusal.problems.first).sentence
        #expect(problem.contains("/libBase.so, which this host does not provide"), "\(problem)")
    }

    @Test("The package of a plugin that is called is accepted beside those of libraries")
    func called() throws {
        let called = #"{"bundle": "com.example.app.other", "versions": "*", "onDemand": true}, "#
        let shop = try Workshop(requires: Self.needed + called, isAsked: true)
        let catalog = try CatalogFixture()
        try shop.pack("-d", shop.package.string, "-d", catalog.package("com.example.app.other"))
    }

    @Test("A library without a soname is rejected with the linker options that set it")
    func soname() throws {
        let error = try #require(throws: AtriumError.self) { try Workshop(requires: Self.needed, soname: nil) }
        #expect(error.code == .libraryUnloadable && error.problems.count == 1)
        let end = "the plugin's author must link it with -Xlinker -soname -Xlinker libBase.so"
        #expect(error.problems.first?.sentence.hasSuffix(end) == true, "\(error)")
    }
    @Test("A dependency's package that does not exist is named in the error")
    func missing() throws {
        let shop = try Workshop(requires: Self.needed)
        let error = try #require(throws: CommandError.self) { try shop.pack("-d", "/nowhere.zip") }
        #expect(error.exitStatus == .notFound && error.report.subject == "/nowhere.zip")
    }
}
