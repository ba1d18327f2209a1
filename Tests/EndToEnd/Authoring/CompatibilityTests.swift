import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The interfaces of the last release", .tags(.large), .timeLimit(.minutes(10)))
struct CompatibilityTests {
    /// The interfaces of the last release's SDK, in `Tests/Interfaces`.
    private let last: FilePath
    /// The interfaces of this build's SDK.
    private let own: FilePath
    private let folder: ThrowawayFolder

    init() throws {
        folder = try ThrowawayFolder()
        (last, own) = (folder.appending("last"), folder.appending("own"))
        let build = Workplace.root.appending("build")
        let stored = Workplace.root.appending("Tests/Interfaces")
        for (copy, modules) in [(last, stored), (own, build.appending("modules"))] {
            try copy.makeFolder()
            try build.appending("include/CPluginEntry").copy(to: copy.appending("CPluginEntry"))
            for module in Self.modules {
                let name = "\(module).swiftinterface"
                try modules.appending(name).copy(to: copy.appending(name))
            }
        }
    }

    private static let modules = ["PageLayouts", "PluginCore", "PluginDatabase", "PluginExtension", "SQLite"]

    @Test("Nothing of them is gone or changed", arguments: modules)
    func kept(module: String) async throws {
        #expect(try await breaks(of: module) == [])
    }

    @Test("A declaration that is gone, a requirement of a protocol, and a case of a frozen enum are found")
    func found() async throws {
        let file = own.appending("PluginCore.swiftinterface")
        var text = try file.text
        let page = "protocol Page : AnyObject, Swift.Sendable {\n"
        for (old, new) in [
            ("  case modal\n", ""), ("  case perBundle\n", "  case perBundle\n  case perHost\n"),
            (page, page + "  func stay()\n"),
        ] {
            try #require(text.contains(old), "\(old)")
            text = text.replacing(old, with: new)
        }
        try file.write(text)
        #expect(
            try await breaks(of: "PluginCore") == [
                "EnumElement Presentation.modal has been removed",
                "EnumElement ServicePolicy.perHost is added to a non-resilient type",
                "Func Page.stay() has been added as a protocol requirement",
            ])
    }

    @Test("A plugin that was compiled with them runs on this host")
    func runs() async throws {
        let library = try await compiled(
            swift: """
                final class Sample: BundleDelegate {
                    let context: BundleContext
                    init(context: BundleContext) { self.context = context }

                    static var routes: some RouteSet<Sample> {
                        Route(PageRoute<NoValue>("account", name: "home")) { _ in SamplePage { "as before" } }
                    }
                }
                """, against: last)
        let scene = try Scene(with: library, pages: ["account": "home"])
        #expect(try await scene.run("open", "app://account").stdout.contains("as before"))
    }

    /// Returns what in a module breaks the libraries of plugins that were built with the last release.
    private func breaks(of module: String) async throws -> [String] {
        let result = try await Executable("/usr/bin/env").run(
            [
                "swift-api-digester", "-diagnose-sdk", "-abi", "-module", module, "-swift-version", "6",
                "-BI", last.string, "-I", own.string, "-bsdk", "/", "-sdk", "/",
                "-module-cache-path", folder.appending("cache").string,
            ], timeout: .seconds(300))
        try #require(result.status == 0 && !(result.stdout + result.stderr).contains("error:"), "\(result)")
        let lines = (result.stdout + result.stderr).split(separator: "\n").map(String.init)
        return lines.filter { !$0.hasPrefix("/*") && !$0.hasSuffix("is a new API without '@available'") }.sorted()
    }
}
