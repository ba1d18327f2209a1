import Foundation
import PluginCore
import PluginTestKit
import TestServer
import Testing

@Suite("Interfaces in catalogs, with which a team calls another team's plugin", .tags(.large), .timeLimit(.minutes(10)))
struct ComponentTests {
    private static let orders = """
        public import PluginCore

        /// The actions of the plugin Orders.
        public enum OrdersActions {
            public static let count = ActionContract<NoValue, Int>("count", on: "Orders")
        }

        extension Mediating {
            /// Returns the number of orders.
            public func orderCount() async throws -> Int { try await perform(OrdersActions.count) }
        }
        """

    private static let delegate = """
        import OrdersInterface
        import PluginCore

        @c(plugin_entry_v3)
        public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Orders.self) }

        final class Orders: BundleDelegate {
            let context: BundleContext
            init(context: BundleContext) { self.context = context }

            static var routes: some RouteSet<Orders> {
                Route(PageRoute<NoValue>("orders", name: "home")) { plugin in HomePage(plugin.context) }
            }
            static var targets: some TargetSet<Orders> {
                Action(OrdersActions.count) { _ in 42 }
            }
        }
        """

    /// Returns the plugin of team B, with an import and a statement of the page on writing a plugin, and with a library of team A.
    private static func caller(_ importing: String, _ statement: String) -> String {
        """
        import Greeting
        \(importing)
        import PluginCore

        @c(plugin_entry_v3)
        public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Report.self) }

        final class Report: BundleDelegate {
            let context: BundleContext
            init(context: BundleContext) { self.context = context }

            static var routes: some RouteSet<Report> {
                Route(PageRoute<NoValue>("report", name: "home")) { plugin in try await ReportPage(plugin.context) }
            }
        }

        final class ReportPage: Page {
            let title = "Report"
            let content: [PageElement]
            init(_ context: BundleContext) async throws {
                \(statement)
                content = [.text("There are \\(count) orders."), greeting(to: "team B"), hello()]
            }
        }
        """
    }

    private static let test = """
        import PluginTestKit
        import Testing

        @Test("The page has the number of the other team's plugin")
        func page() async throws {
            let opened = try await HostApp.offering().run("open", "app://report")
            #expect(opened.stdout.contains("There are 42 orders.") && opened.stdout.contains("Hello, team B."), "\\(opened)")
        }
        """

    /// A layout whose link leads to no page of the other team's plugin.
    private static let layout = """
        { "pages": { "about": { "title": "@about.title", "content": [{ "text": "@about.text" }],
          "actions": [{ "id": "go", "title": "@home.title", "open": "app://orders/nowhere" }] } } }
        """

    /// Tests, lints and validates the plugin with the one that it calls: by what `add` has recorded, and with its package.
    private func tryOut(by team: Workplace, with package: FilePath) async throws {
        try team.folder.write(Self.test, to: "Report/Tests/ReportTests/ReportTests.swift")
        try team.folder.write(Self.layout, to: "Report/Resources/Pages/about.json")
        try await team.run("bundletool", ["test", "Report"])
        // The compiler tells of deprecated API only when it compiles, and the second time nothing has changed.
        for _ in 1...2 {
            let linted = try await team.run("bundletool", ["lint", "Report"])
            #expect(linted.stdout.contains("no route matches \"app://orders/nowhere\""), "\(linted)")
            #expect(linted.stdout.contains("warning api-deprecated: "), "\(linted)")
            #expect(linted.stdout.contains("use greeting"), "\(linted)")
        }
        let validation = ["validate", "Report", "--only", "routes-answer"]
        let validated = try await team.run("bundletool", validation)
        #expect(validated.stdout.contains("passed   routes-answer"), "\(validated)")

        let lock = team.folder.appending("Report/Components/components.json")
        let text = try lock.text
        try lock.write(text.replacing(#/,\s*\{[^}]*com\.example\.orders[^}]*\}/#, with: ""))
        for words in [["run", "Report", "app://report", "--json"], validation + ["--trust-code"]] {
            let given = try await team.run("bundletool", words + ["--dependency", package.string])
            #expect(given.stdout.contains("passed   routes-answer") || given.stdout.contains("42 orders"), "\(given)")
        }
        try lock.write(text)
    }

    /// Builds the plugin with the library that team A has published, and with team A's sources, which have more.
    private func buildBothWays(by team: Workplace, with sources: FilePath) async throws {
        try await team.copy(sources, to: "checkout/Greeting")
        let added = "checkout/Greeting/Sources/Greeting/Added.swift"
        try team.folder.write("public func added() -> Int { 1 }\n", to: added)
        let use = try team.folder.write("import Greeting\n\nlet one = added()\n", to: "Report/Sources/Report/Use.swift")
        let source = ["GREETING_SOURCE": team.folder.appending("checkout/Greeting").string]
        try await team.run("bundletool", ["build", "Report"], environment: source)
        let binary = try await team.program("bundletool").run(
            ["build", "Report"], folder: team.folder.path, timeout: .seconds(300))
        #expect(binary.status == 65 && binary.stdout.contains("cannot find 'added'"), "\(binary)")
        try use.remove()
    }

    @Test("A team that has only the SDK calls another team's plugin, whose Interface it adds from a catalog over HTTP")
    func call() async throws {
        let (teamA, teamB) = (try await Workplace(), try await Workplace())
        try teamA.folder.write("correct horse", to: "password")
        try await teamA.run("bundletool", ["new", "Orders", "--identifier", "com.example.orders", "--interface"])
        // The SDK has an OrdersInterface of its own, the sample's: the one that is added must win.
        try teamA.folder.write(Self.orders, to: "Orders/Sources/OrdersInterface/OrdersInterface.swift")
        try teamA.folder.write(Self.delegate, to: "Orders/Sources/Orders/Orders.swift")
        try await teamA.run("bundletool", ["keygen", "--output", "team", "--no-password"])
        try await teamA.run("bundletool", ["new", "Greeting", "--identifier", "com.example.greeting", "--kind", "lib"])
        let deprecated = """
            import PluginCore

            @available(*, deprecated, message: "use greeting")
            public func hello() -> PageElement { .text("") }
            """
        try teamA.folder.write(deprecated, to: "Greeting/Sources/Greeting/Hello.swift")
        for name in ["Orders", "Greeting"] {
            try await teamA.run(
                "bundletool",
                ["pack", name, "--interface", "--key", "team.key", "--team", "com.example", "--output", "packages"])
        }
        let publishing = ["--to", "repository", "--keys", "keys", "--password-file", "password"]
        let published = try await teamA.run(
            "bundletool", ["publish", "packages"] + publishing)
        #expect(published.stdout.contains("added  the library Greeting of com.example.greeting@1.0.0"), "\(published)")
        #expect(published.stdout.contains("added  the Interface OrdersInterface of com.example.orders@1.0.0"))

        let server = try WebServer(serving: teamA.folder.appending("repository").string)
        let (root, key) = (
            teamA.folder.appending("repository/metadata/1.root.json").string, teamA.folder.appending("team.pub").string
        )
        try await teamB.run("bundletool", ["new", "Report", "--identifier", "org.other.report"])
        let page = try DocumentPage("Documentation/WritingAPlugin.md").blocks(in: "Calling another team's plugin")
        let words = try #require(page.first).replacing("https://plugins.example.org", with: server.address)
            .split(whereSeparator: \.isWhitespace).dropFirst().map(String.init)
        for (file, name) in [(root, "1.root.json"), (key, "example.pub")] {
            try FilePath(file).copy(to: teamB.folder.appending("Report/\(name)"))
        }
        let added = try await teamB.program("bundletool").run(
            words, folder: teamB.folder.appending("Report"), timeout: .seconds(60))
        #expect(added.status == 0, "\(words): \(added)")
        try await teamB.run("bundletool", ["add", "com.example.greeting", "--directory", "Report"])
        let code = try #require(page.last).split(separator: "\n").map(String.init)
        try #require(code.count == 2)
        try teamB.folder.write(Self.caller(code[0], code[1]), to: "Report/Sources/Report/Report.swift")
        try teamB.folder.appending("Report/Sources/Report/HomePage.swift").remove()
        // The plugin runs with the one that it calls, from the catalog that was recorded.
        let tried = try await teamB.run("bundletool", ["run", "Report", "app://report", "--json"])
        #expect(tried.stdout.contains("There are 42 orders."), "\(tried)")
        try await tryOut(by: teamB, with: teamA.folder.appending("packages/com.example.orders-1.0.0.zip"))
        try await buildBothWays(by: teamB, with: teamA.folder.appending("Greeting"))
        try await teamB.run("bundletool", ["keygen", "--output", "other", "--no-password"])
        try await teamB.run(
            "bundletool", ["pack", "Report", "--key", "other.key", "--team", "org.other", "--output", "packages"])
        // The owner of the catalog publishes the package of team B.
        try await teamA.run("bundletool", ["publish", teamB.folder.appending("packages").string] + publishing)

        let count = server.requests.count
        let host = ["--sandbox", teamB.folder.appending("sandbox").string, "--catalog", server.address]
        try await teamB.run("hostapp", host + ["catalog", "trust", root])
        for (team, file) in [("com.example", key), ("org.other", teamB.folder.appending("other.pub").string)] {
            try await teamB.run("hostapp", host + ["trust", "add", team, "--key", file, "--prefix", team])
        }
        let opened = try await teamB.run("hostapp", host + ["open", "app://report"])
        #expect(opened.stdout.contains("There are 42 orders.") && opened.stdout.contains("Hello, team B."), "\(opened)")
        let fetched = server.requests.dropFirst(count).map(\.path)
        #expect(fetched.contains { $0.hasSuffix("com.example.orders-1.0.0.zip") })
        #expect(!fetched.contains { $0.contains("_interface") }, "a host fetches no Interface: \(fetched)")

        // A fresh clone has neither build products nor the sources of components.
        for name in [".build", "Components/OrdersInterface", "Components/Greeting"] {
            try teamB.folder.appending("Report/\(name)").remove()
        }
        let missing = try await teamB.program("bundletool").run(
            ["build", "Report"], folder: teamB.folder.path, timeout: .seconds(300))
        #expect(missing.status == 66 && missing.stderr.contains("run \"bundletool add\""), "\(missing)")
        try await teamB.run("bundletool", ["add", "--directory", "Report"])
        try await teamB.run("bundletool", ["build", "Report"])
    }
}
