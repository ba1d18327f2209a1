import Registry
import PluginCore
import PluginExtension
import PluginIsolation
import Testing

@testable import PluginRuntime

/// A plugin that does in its own process what each request tells it.
enum IsolatedSample {
    static let library = Task {
        try await PluginRuntimeTests.library(
            ofSwift: """
                import FoundationEssentials
                import Glibc

                final class Sample: BundleDelegate {
                    let context: BundleContext
                    var heard: [String] = []

                    init(context: BundleContext) async throws {
                        self.context = context
                        switch try? String(contentsOfFile: context.container.documents.appending("start").string, encoding: .utf8) {
                        case "crash": abort()
                        case "refuse": throw AtriumError(.init("refused"), "it", message: "it refuses")
                        case "own": _ = try await context.router.object(for: "app://sample/process", as: Int.self)
                        default: break
                        }
                        try context.events.observe("Sample.event", priority: 0) { payload in
                            await self.hear("\\(payload)")
                        }
                        try await context.router.register("sample/code/:word", kind: .object) { request in
                            .object("code \\(request.captures["word"] ?? "") of \\(request.origin)")
                        }
                    }

                    func hear(_ text: String) { heard.append(text) }

                    func perform(_ command: String) async throws {
                        switch command {
                        case "crash": abort()
                        case "exit": exit(3)
                        case "memory":
                            var pages: [UnsafeMutableRawPointer] = []
                            while true {
                                guard let page = malloc(16 << 20) else { abort() }
                                memset(page, 1, 16 << 20)
                                pages.append(page)
                            }
                        case "hang":
                            fclose(fopen(context.container.documents.appending("hanging").string, "w"))
                            while true { sleep(1) }
                        case "print-crash":
                            print("before the crash", terminator: "")
                            abort()
                        case "link": try await context.router.open("https://example.com/?secret=1")
                        case "take":
                            for pattern in ["**", "orders/1", "orders/:x/:y"] {
                                try await context.router.register(
                                    pattern, kind: .object, options: RouteOptions(priority: .max)
                                ) { _ in .object("taken by \\(pattern)") }
                            }
                        case "wait": try await Task.sleep(for: .seconds(6))
                        case "deadline":
                            let options = RouteOptions(deadline: .seconds(7200))
                            try await context.router.register("sample/late", kind: .object, options: options) { _ in .object(1) }
                        default: break
                        }
                    }

                    static let process = ValueRoute<NoValue, Int>("sample/process")
                    static let command = ValueRoute<String, String>("sample/do/:command")
                    static let page = PageRoute<NoValue>("sample/page")
                    static let address = ValueRoute<String, String>("sample/address/:name")
                    static let add = ActionContract<Int, Int>("add", on: "Sample")
                    static let same = ActionContract<String, String>("same", on: "Sample")
                    static let events = ActionContract<NoValue, [String]>("events", on: "Sample")

                    static var routes: some RouteSet<Sample> {
                        Route(process) { _ in Int(getpid()) }
                        Route(command) { sample, command in
                            try await sample.perform(command)
                            return command
                        }
                        Route(address) { sample, name in
                            try sample.context.router.address(
                                of: "shop/:name", AddressParts(captures: ["name": name]), scheme: "app").text
                        }
                        Route(page) { SamplePage($0) }
                    }

                    static var targets: some TargetSet<Sample> {
                        Action(add) { _, number in number + 1 }
                        Action(same) { _, text in text }
                        Action(events) { sample in await sample.heard }
                    }

                    static var services: some ServiceSet<Sample> {
                        Service(ServiceContract<@concurrent @Sendable (Int) async throws -> Int>("Doubling")) { _ in { $0 * 2 } }
                    }
                }

                final class SamplePage: Page {
                    let sample: Sample
                    init(_ sample: Sample) { self.sample = sample }
                    let title = "Sample"
                    var content: [PageElement] { [.text("alive")] }
                    var actions: [PageAction] {
                        PageAction("crash", title: "Crash") { _ in try await sample.perform("crash") }
                        PageAction("hang", title: "Hang") { _ in try await sample.perform("hang") }
                    }
                }
                """)
    }

    static func package(_ version: String = "1.0.0", isolation: String? = "process") async throws -> SamplePackage {
        SamplePackage(
            version: version,
            routes: [
                #"{"pattern": "sample/process", "object": "sample/process"}"#,
                #"{"pattern": "sample/do/:command", "object": "sample/do/:command"}"#,
                #"{"pattern": "sample/address/:name", "object": "sample/address/:name"}"#,
                #"{"pattern": "sample/page", "page": "sample/page"}"#,
            ],
            targets: [#"{"name": "Sample", "actions": ["add", "events", "same"]}"#], services: ["Doubling"],
            isolation: isolation, library: try await library.value)
    }

    /// Runs a body with a host that has the plugin installed.
    static func withPlugin(
        _ versions: [String] = ["1.0.0"], isolation: String? = "process",
        choosing policy: (@Sendable (PluginBundle) -> BundleIsolation)? = nil,
        limits: ExtensionLimits = ExtensionLimits(start: 60), output: Lines = Lines(),
        _ body: (TestHost) async throws -> Void
    ) async throws {
        try await withFolder { root in
            let runner = try TestExtension.runner
            let host = TestHost(root, drainDeadline: .milliseconds(200), clock: ContinuousClock()) { services in
                var settings = IsolationSettings(runner: runner) { ended in
                    EndedPageTexts(content: ["\(ended.name) ended: \(ended.error.code.name)"], restart: "Again")
                }
                settings.limits = limits
                if let policy { settings.policy = policy }
                services.isolation = settings
                services.output = { name, line in output.add("\(name): \(line)") }
            }
            for version in versions { try await host.install(package(version, isolation: isolation)) }
            try await body(host)
            await host.manager.deactivateAll()
        }
    }
}

extension TestHost {
    /// Has the plugin do something, and returns its answer.
    @discardableResult
    func perform(_ command: String) async throws -> String {
        try await router.object(for: "app://sample/do/\(command)", as: String.self)
    }

    /// The number of the plugin's process.
    var process: Int {
        get async throws { try await router.object(for: "app://sample/process", as: Int.self) }
    }
}
