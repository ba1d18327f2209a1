import BundleFormat
import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

@Suite("Checks of a plugin", .tags(.medium))
@MainActor
struct ContractTests {
    private static let manifest = """
        {"formatVersion": 1, "identifier": "com.example.app.hello", "version": "1.2.0", "name": "Hello", "kind": "app",
        "entry": "libHello.so", "coreABI": 3, "routes": [{"pattern": "hello/:name", "page": "home"},
        {"pattern": "hello/about", "page": "about", "layout": "help/about"}, {"pattern": "hello/size", "object": "size"}],
        "targets": [{"name": "Hello", "actions": ["greet", "wave"]}], "services": ["Greeting"]}
        """

    private static let files = [
        "manifest.json": manifest,
        "Resources/en.lproj/Localizable.json": #"{"hello": "Hello, {}!", "about": "About", "bye": "Bye"}"#,
        "Resources/zh-Hans.lproj/Localizable.json": #"{"hello": "你好！", "about": "关于"}"#,
        "Resources/Pages/help.json": #"{"pages": {"about": {"title": "@about", "content": [{"text": "@more"}]}}}"#,
        "Sources/Hello/Hello.swift": #"strings.string("hello", name) + strings.string("gone") + string("a.\(b)")"#,
    ]

    private let folder: TestFolder
    private let plugin: PluginFolder

    init() throws {
        folder = try TestFolder()
        for (name, text) in Self.files { try folder.write(text, to: name) }
        plugin = PluginFolder(of: folder.place("Sources/Hello/Hello.swift"))
    }

    private enum Contracts {
        static let home = PageRoute<Greeting>("hello/:name", name: "home")
        static let size = ValueRoute<NoValue, Int>("hello/size", name: "size")
        static let greet = ActionContract<NoValue, NoValue>("greet", on: "Hello")
        static let wave = ActionContract<NoValue, NoValue>("wave", on: "Hello")
        static let shout = ActionContract<NoValue, NoValue>("shout", on: "Hello")
        static let greeting = ServiceContract<Int>("Greeting")
        static let clock = ServiceContract<Int>("Clock")
    }

    private final class Hello: BundleDelegate {
        init(context: BundleContext) {}

        static var routes: some RouteSet<Hello> {
            Route(Contracts.home) { _, _ in HelloPage() }
            Route(Contracts.size) { _ in 1 }
        }

        static var targets: some TargetSet<Hello> {
            Action(Contracts.greet) { _ in }
            Action(Contracts.wave) { _ in }
        }

        static var services: some ServiceSet<Hello> { Service(Contracts.greeting) { _ in 1 } }
    }

    /// A plugin that does not do what its manifest declares.
    private final class Goodbye: BundleDelegate {
        init(context: BundleContext) {}

        static var routes: some RouteSet<Goodbye> {
            Route(Contracts.home) { _, _ in HelloPage() }
                .priority(3)
            Route(PageRoute<NoValue>("hello/bye")) { _ in HelloPage() }
            Route(Contracts.size) { _ in throw AtriumError(.resourceUnknown, "the size") }
        }

        static var targets: some TargetSet<Goodbye> {
            Action(Contracts.greet) { _ in }
            Action(Contracts.shout) { _ in }
        }

        static var services: some ServiceSet<Goodbye> { Service(Contracts.clock) { _ in 1 } }
    }

    @MainActor
    private final class HelloPage: Page {
        let title = "Hello"
        var content: [PageElement] { [] }
    }

    @Test("A plugin that provides exactly what it declares has no problems")
    func kept() async throws {
        let bench = try TestBundleContext(of: Hello.self, file: plugin.manifestFile)
        #expect(bench.context.identity.description == "com.example.app.hello@1.2.0")
        let hello = Hello(context: bench.context)
        let contract = ManifestContract(bench.manifest)
        let samples = ["hello/:name": "app://hello/Ann"]
        #expect(await contract.problems(of: hello, in: bench.context, samples: samples) == [])
    }

    @Test("All problems of a plugin are reported")
    func broken() async throws {
        try folder.remove("Resources/Pages/help.json")
        let error = #expect(throws: AtriumError.self) { try plugin.manifest(of: Goodbye.self) }
        let undeclared = ["place: services[0]", "Hello.wave"]
        let found = error?.problems.map(\.description) ?? []
        for clause in undeclared { #expect(found.contains { $0.contains(clause) && $0.contains("unbound") }) }
        #expect(found.count == undeclared.count, "\(found)")

        let bench = try TestBundleContext(of: Hello.self, file: plugin.manifestFile)
        let problems = await ManifestContract(bench.manifest).problems(
            of: Goodbye(context: bench.context), in: bench.context,
            samples: ["hello/:name": "app://goodbye/x", "nowhere": "app://x"])
        let clauses = [
            "nowhere", "does not take its sample", "hello/about: ", "hello/size: resourceUnknown",
        ]
        for clause in clauses { #expect(problems.contains { $0.contains(clause) }, "\(clause): \(problems)") }
        #expect(problems.count == clauses.count, "\(problems)")
    }

    private struct Greeting: Codable, Sendable {
        var name: String
        var loud: Bool?
    }

    @Test("A contract has no problems if the manifest declares it and its addresses lead to it")
    func contract() throws {
        let contract = ManifestContract(try plugin.manifest())
        let home = PageRoute<Greeting>("hello/:name")
        #expect(contract.problems(of: home, samples: [Greeting(name: "a/b", loud: true)]) == [])
        let size = ValueRoute<NoValue, Int>("hello/size")
        #expect(contract.problems(of: size, samples: [NoValue()]) == [])
    }

    @Test("All problems of a contract are reported")
    func brokenContract() throws {
        let contract = ManifestContract(try plugin.manifest())
        let misspelled = ValueRoute<NoValue, Int>("hello/sise")
        #expect(contract.problems(of: misspelled) == ["hello/sise is not declared; did you mean hello/size?"])
        let handler = HandlerRoute<NoValue, Int>("hello/size")
        #expect(contract.problems(of: handler) == ["hello/size is declared as object, not as handler"])
        let home = PageRoute<Greeting>("hello/:name")
        let problems = contract.problems(of: home, samples: [Greeting(name: "about"), Greeting(name: "")])
        #expect(problems.count == 2)
        #expect(problems.first == "app://hello/about of hello/:name leads to hello/about")
        #expect(problems.last?.contains("parameterType: name") == true)
    }

    @Test("Texts are compared between languages, sources and layouts")
    func strings() throws {
        let problems = try StringsContract(plugin).problems()
        let arguments = "hello does not take the same arguments in en and zh-Hans"
        let missing = ["nothing is there for gone", "nothing is there for more"]
        #expect(problems == ["zh-Hans lacks bye", arguments] + missing)
    }

    @Test("Texts of a plugin without page layouts can be checked")
    func stringsWithoutLayouts() throws {
        let folder = try ThrowawayFolder()
        try folder.write(#"{"a": "A"}"#, to: "Resources/en.lproj/Localizable.json")
        try folder.write("string(\"a\")", to: "Sources/A.swift")
        #expect(try StringsContract(PluginFolder(root: folder.path)).problems() == [])
    }

    @Test("Addresses are resolved by the routes of the manifest")
    func addresses() async throws {
        let bench = try TestBundleContext(of: Hello.self, language: "zh-Hans", file: plugin.manifestFile)
        let hello = Hello(context: bench.context)
        #expect(try await bench.page(at: "app://hello/Ann", of: hello).title == "Hello")
        #expect(try await bench.page(at: "app://hello/about", of: hello).title == "关于")
        #expect(try await bench.object(at: "app://hello/size", of: hello) as? Int == 1)
        await #expect(throws: AtriumError.self) { try await bench.page(at: "app://bye", of: hello) }
    }

    @Test("A manifest that cannot be read is an error", arguments: ["{", "{}", #"{"version": "x"}"#])
    func damaged(text: String) throws {
        try folder.write(text, to: "manifest.json")
        let error = #expect(throws: AtriumError.self) { try plugin.manifest() }
        #expect(error?.code == .manifestInvalid)
    }

    @Test("All problems that a host would find in a manifest are reported")
    func refused() throws {
        let text = Self.manifest.replacing(#""home""#, with: #""home", "exposure": "public", "x": 1"#)
        try folder.write(text, to: "manifest.json")
        let error = #expect(throws: AtriumError.self) { try plugin.manifest() }
        #expect(error?.subject == plugin.manifestFile)
        #expect(
            error?.problems.map(\.description) == [
                "at(place: routes[0].exposure, problem: valueUnknown(known: [internal, plugins, external], text: public))",
                "at(place: routes[0].x, problem: fieldUnknown)",
            ])
        let point = #""extensionPoints": [{"identifier": "com.example.app.hello.pay", "limits": {"memory": 1}}]"#
        try folder.write(
            Self.manifest.replacing(#""formatVersion""#, with: point + #", "formatVersion""#), to: "manifest.json")
        let limit = #expect(throws: AtriumError.self) { try plugin.manifest() }
        #expect(limit?.problems.first?.values["place"] == .text("extensionPoints[0].limits.memory"))
        try folder.remove("manifest.json")
        #expect(throws: AtriumError.self) { try plugin.manifest() }
    }
}

extension PluginFolder {
    fileprivate var manifestFile: String { root.appending("manifest.json").string }
}
