import Doctor
@testable import ExtensionHost
import PluginCore
import PluginIsolation
import PluginRuntime
import SQLite
import Testing
@testable import BundleFormat
@testable import Registry

@Suite("Extensions in the registry", .tags(.medium))
struct ExtensionTableTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    private static let other: BundleIdentifier = "com.example.app.other"

    private static let package = SamplePackage(
        extensions: [
            SampleExtension(
                name: "send", activation: #"{"images": {"max": 3}, "version": 2}"#,
                limits: #"{"memory": 67108864, "request": 2.5}"#),
            SampleExtension(name: "any"),
            SampleExtension(name: "widget", point: "today"),
        ],
        extensionPoints: [#"{"identifier": "com.example.app.shop.payment", "limits": {"request": 4}}"#])

    @Test("Everything that a manifest says of an extension reaches the registry")
    func declared() async throws {
        try host.offer(Self.package)
        try await host.manager.install(TestHost.shop)
        let registry = try host.another().registry
        let manifest = try ManifestReader.read(Array(Self.package.manifest.utf8), of: "test")
        #expect(try registry.extensions.all(of: TestHost.shop).map(\.declaration) == manifest.extensions)
        #expect(
            try registry.extensions.all(point: "share").map(\.declaration.identifier) == [
                "com.example.app.shop.any", "com.example.app.shop.send",
            ])
        let found = try #require(try registry.extensions.extension("com.example.app.shop.send"))
        #expect(found.bundle == TestHost.shop)
        #expect(found.declaration.limits == LoweredLimits(request: 2.5, memory: 64 << 20))
        #expect(try found.rule()?.text == #"{"images":{"max":3},"version":2}"#)
        #expect(try registry.extensions.extension("com.example.app.shop.any")?.rule() == nil)
        #expect(try registry.extensions.extension("com.example.app.shop.none") == nil)
    }

    @Test("The points of active versions are found with their limits, and so are the standard points")
    func points() async throws {
        try host.offer(Self.package)
        #expect(try host.registry.extensionPoints.point("today") == ExtensionPoints.today.declaration)
        try await host.manager.install(TestHost.shop)
        let point = ExtensionPointDeclaration(
            identifier: "com.example.app.shop.payment", limits: ExtensionLimits(request: 4))
        #expect(try host.registry.extensionPoints.point("com.example.app.shop.payment") == point)
        let all = try host.registry.extensionPoints.all()
        #expect(all.map(\.point) == [point] && all.map(\.bundle) == [TestHost.shop])
        try await host.manager.uninstall(TestHost.shop)
        #expect(try host.registry.extensionPoints.point("com.example.app.shop.payment") == nil)
    }

    @Test("Extensions are installed, updated, rolled back and removed with their bundle")
    func lifecycle() async throws {
        let names = { try host.registry.extensions.all().map(\.declaration.name) }
        try host.offer(Self.package, SamplePackage(version: "2.0.0", extensions: [SampleExtension(name: "new")]))
        try await host.install(version: "1.0.0")
        #expect(try names() == ["Sample any", "Sample send", "Sample widget"])
        try await host.manager.update(TestHost.shop)
        #expect(try names() == ["Sample new"])
        try await host.manager.rollBack(TestHost.shop)
        #expect(try names() == ["Sample any", "Sample send", "Sample widget"])
        try await host.manager.uninstall(TestHost.shop)
        #expect(try names() == [])
        let left = try host.database().value(
            "SELECT count(*) FROM layer_record WHERE layer LIKE 'extension%'", as: Int.self)
        #expect(left == 0)
    }

    @Test("An extension that another bundle has is not installed")
    func conflict() async throws {
        let inner = SamplePackage(identifier: "com.example.app.shop.send", extensions: [SampleExtension(name: "now")])
        try host.offer(inner, SamplePackage(extensions: [SampleExtension(name: "send.now")]))
        try await host.manager.install(inner.identifier)
        let error = try await host.refusal(.extensionConflict) { try await host.manager.install(TestHost.shop) }
        #expect(error.subject == "com.example.app.shop.send.now")
        #expect(
            error.reason?.description == "bothProvide(other: com.example.app.shop.send, owner: com.example.app.shop)")
    }

    @Test("Candidates for an input are those that a scan of all rules finds, and no more than the index needs")
    func candidates() throws {
        try withFolderNow { folder in
            let sandbox = Sandbox(root: folder)
            try sandbox.registry.parent.makeFolder()
            let registry = Registry(sandbox)
            var random = Steps(state: 7)
            let types: [ContentType] = [.png, .jpeg, .image, .plainText, .text, .url, .html, .movie, .pdf]
            let kinds = ["images", "webURLs", "webPages", "movies", "files"]
            var declarations: [ExtensionDeclaration] = []
            for number in 0..<300 {
                let kind = kinds[Int(random.next() % 5)]
                let rules: [String?] = [
                    nil, #"{"text": true}"#, #"{"\#(kind)": {"max": 2}, "version": 2}"#,
                    #"{"text": true, "\#(kind)": {"max": 1}, "attachments": {"min": 2}}"#,
                ]
                declarations.append(
                    ExtensionDeclaration(
                        identifier: try #require(BundleIdentifier("com.example.app.shop.e\(number)")),
                        point: number % 3 == 0 ? "action" : "share", entry: "libE\(number).so", name: "\(number)",
                        activation: rules[Int(random.next() % UInt64(rules.count))]))
            }
            try registry.write { try $0.add(declarations, of: TestHost.shop) }

            for _ in 0..<200 {
                let items = (0...random.next() % 2).map { _ in
                    ActivationInput.Item(
                        attachments: (0..<random.next() % 3).map { _ in
                            ActivationInput.Attachment(types: [types[Int(random.next() % UInt64(types.count))]])
                        })
                }
                let input = ActivationInput(items: items)
                let accepts = { (found: InstalledExtension) in
                    try found.rule().map { $0.activates(for: input) } ?? true
                }
                let found = try registry.extensions.candidates(point: "share", keys: input.ruleKeys)
                let expected = try registry.extensions.all(point: "share").filter(accepts)
                #expect(try found.filter(accepts) == expected)
                for candidate in found {
                    guard let rule = try candidate.rule()?.text else { continue }
                    #expect(input.ruleKeys.contains { rule.contains("\"\($0)\"") })
                }
            }
        }
    }

    @Test("A look-up reads the records of its keys only, however many extensions are installed")
    func plan() async throws {
        try host.offer(Self.package)
        try await host.manager.install(TestHost.shop)
        let steps = try host.database().query(
            "EXPLAIN QUERY PLAN SELECT * FROM layer_record WHERE layer = ?1 \(ExtensionTable.isIndexed) ORDER BY key",
            "extension", "[]"
        ) { try $0["detail", as: String.self] }
        #expect(steps.count { $0.hasPrefix("SEARCH") && $0.contains("key") } == 2, "\(steps)")
        #expect(!steps.contains { $0.hasPrefix("SCAN") && !$0.hasPrefix("SCAN start ") }, "\(steps)")
    }

    @Test("The user's choices order the list of a point, and an extension is found with its choice")
    func choices() async throws {
        try host.offer(Self.package)
        try await host.manager.install(TestHost.shop)
        let choices = host.registry.extensionChoices
        let names = { try host.registry.extensions.all(point: "share").map(\.declaration.name) }
        try choices.move("com.example.app.shop.send", to: 0)
        #expect(try names() == ["Sample send", "Sample any"])
        try choices.move("com.example.app.shop.send", to: 9)
        #expect(try names() == ["Sample any", "Sample send"])
        #expect(
            try host.registry.extensions.candidates(point: "share", keys: ["images"]).map(\.choice.position) == [
                0, 1,
            ])
        try choices.setEnabled(false, of: "com.example.app.shop.send")
        try choices.setHasContent(false, of: "com.example.app.shop.widget")
        let registry = try host.another().registry
        let send = try #require(try registry.extensions.extension("com.example.app.shop.send"))
        #expect(!send.choice.isEnabled && send.choice.hasContent && send.choice.position == 1)
        #expect(try registry.extensions.all(point: "today").map(\.choice.hasContent) == [false])
        try choices.setHasContent(true, of: "com.example.app.shop.widget")
        #expect(
            try registry.extensionChoices.all().map(\.identifier) == [
                "com.example.app.shop.any", "com.example.app.shop.send",
            ])
        let error = try #require(throws: AtriumError.self) {
            try choices.setEnabled(false, of: "com.example.app.shop.sned")
        }
        #expect(error.code == .extensionUnknown && error.nearest.first == "com.example.app.shop.send")
    }

    @Test("Choices survive updates and reinstalls, and are deleted with the bundle's data")
    func kept() async throws {
        let isEnabled = { try host.registry.extensions.extension("com.example.app.shop.send")?.choice.isEnabled }
        var newer = Self.package
        newer.version = "2.0.0"
        try host.offer(Self.package, newer)
        try await host.install(version: "1.0.0")
        try host.registry.extensionChoices.setEnabled(false, of: "com.example.app.shop.send")
        try await host.manager.update(TestHost.shop)
        #expect(try isEnabled() == false)
        try await host.manager.uninstall(TestHost.shop)
        #expect(try isEnabled() == nil)
        try await host.manager.install(TestHost.shop)
        #expect(try isEnabled() == false)
        try await host.manager.uninstall(TestHost.shop, deleteData: true)
        try await host.manager.install(TestHost.shop)
        #expect(try isEnabled() == true)
    }

    @Test("A rebuilt registry keeps the readable choices, and drops one that cannot be read")
    func rebuilt() async throws {
        try host.offer(Self.package)
        try await host.manager.install(TestHost.shop)
        try host.registry.extensionChoices.setEnabled(false, of: "com.example.app.shop.send")
        try host.database().execute(
            "INSERT INTO layer_record (layer, key, owner, json) VALUES ('extension-choice', 'com.example.app.shop.x', ?, '{')",
            TestHost.shop.text)
        #expect(throws: AtriumError.self) { try host.registry.extensionChoices.all() }
        _ = try await RegistryRebuild(of: host.manager).run()
        #expect(try host.registry.extensionChoices.all().map(\.identifier.text) == ["com.example.app.shop.send"])
    }
}
