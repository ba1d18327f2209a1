@testable import ExtensionHost
import HostSystem
import PluginCore
import PluginExtension
import PluginIsolation
import PluginRouter
import PluginRuntime
import SQLite
import Testing
@testable import BundleFormat
@testable import Registry

@Suite("Declarations and extensions in the registry", .tags(.medium))
struct ExtensionTableTests {
    private let host = TestHost()

    private static let package = SamplePackage(
        extensions: [
            SampleExtension(
                name: "send", activation: #"{"images": {"max": 3}, "version": 2}"#,
                limits: #"{"memory": 67108864, "request": 2.5}"#),
            SampleExtension(name: "any"),
            SampleExtension(name: "widget", point: "today"),
        ],
        extensionPoints: [#"{"identifier": "com.example.app.shop.payment", "limits": {"request": 4}}"#])

    @Test("Everything that a manifest says of extensions and points reaches the registry")
    func declared() async throws {
        try await host.install(Self.package)
        let registry = host.another().registry
        let manifest = try ManifestReader.read(Array(Self.package.manifest.utf8), of: "test")
        #expect(try Set(registry.extensions.all(of: TestHost.shop).map(\.declaration)) == Set(manifest.extensions))
        #expect(
            try registry.extensions.all(point: "share").map(\.declaration.identifier) == [
                "com.example.app.shop.any", "com.example.app.shop.send",
            ])
        let found = try #require(try registry.extensions.extension("com.example.app.shop.send"))
        #expect(found.bundle == TestHost.shop)
        #expect(found.declaration.limits == ["request": 2.5, "memory": 67_108_864])
        #expect(try found.rule() == ActivationRule(#"{"images":{"max":3},"version":2}"#))
        #expect(try registry.extensions.extension("com.example.app.shop.any")?.rule() == nil)
        #expect(try registry.extensions.extension("com.example.app.shop.none") == nil)
        let point = ExtensionPointDeclaration(
            identifier: "com.example.app.shop.payment", limits: ExtensionLimits(request: 4))
        let points = try registry.extensionPoints
        #expect(points.map(\.point) == [point] && points.map(\.bundle) == [TestHost.shop])
        try await host.manager.uninstall(TestHost.shop)
        #expect(try registry.extensionPoints.isEmpty)
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
        try host.sandbox.registry.parent.makeFolder()
        let registry = host.registry
        var random = Steps(state: 7)
        let types: [ContentType] = [.png, .jpeg, .image, .plainText, .text, .url, .html, .movie, .pdf]
        let kinds = ["images", "webURLs", "webPages", "movies", "files"]
        var extensions: [String] = []
        for number in 0..<64 {
            let kind = kinds[Int(random.next() % 5)]
            let rules = [
                "", #", "activation": {"text": true}"#,
                #", "activation": {"\#(kind)": {"max": 2}, "version": 2}"#,
                #", "activation": {"text": true, "\#(kind)": {"max": 1}, "attachments": {"min": 2}}"#,
            ]
            extensions.append(
                #"{"identifier": "com.example.app.shop.e\#(number)", "entry": "libE\#(number).so", "name": "E", "#
                    + #""point": "\#(number % 3 == 0 ? "action" : "share")""#
                    + rules[Int(random.next() % UInt64(rules.count))] + "}")
        }
        let version = SemanticVersion(major: 1, minor: 0, patch: 0)
        let manifest = Manifest(
            identity: BundleIdentity(identifier: TestHost.shop, version: version), name: "Shop", kind: .app,
            entry: nil, layerFields: #"{"extensions": [\#(extensions.joined(separator: ","))]}"#)
        try registry.write { try $0.addDeclarations(manifest) }
        #expect(try registry.extensions.all().count == 64)

        for _ in 0..<200 {
            let items = (0...random.next() % 2).map { _ in
                ExtensionItem(
                    attachments: (0..<random.next() % 3).map { _ in
                        let type = types[Int(random.next() % UInt64(types.count))]
                        return ItemAttachment(types: [type], content: .bytes([]))
                    })
            }
            let accepts = { (found: InstalledExtension) in
                try found.rule().map { $0.activates(for: items) } ?? true
            }
            let found = try registry.extensions.candidates(point: "share", keys: items.ruleKeys)
            let expected = try registry.extensions.all(point: "share").filter(accepts)
            #expect(try found.filter(accepts) == expected)
            for candidate in found {
                guard let rule = try candidate.rule() else { continue }
                #expect(items.ruleKeys.contains { AttachmentKind(rawValue: $0).map(rule.kinds.contains) == true })
            }
        }
    }

    @Test("A look-up reads the records of its keys only, however many extensions are installed")
    func plan() async throws {
        try await host.install(Self.package)
        let steps = try host.database().query(
            "EXPLAIN QUERY PLAN SELECT * FROM layer_record WHERE layer = ?1 \(ExtensionTable.isIndexed) ORDER BY key",
            "extension", "[]"
        ) { try $0["detail", as: String.self] }
        #expect(steps.count { $0.hasPrefix("SEARCH") && $0.contains("key") } == 2, "\(steps)")
        #expect(!steps.contains { $0.hasPrefix("SCAN") && !$0.hasPrefix("SCAN start ") }, "\(steps)")
    }

    @Test("The user's choices order the list of a point, and a rebuilt registry keeps those that are readable")
    func choices() async throws {
        try await host.install(Self.package)
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
        let registry = host.another().registry
        let send = try #require(try registry.extensions.extension("com.example.app.shop.send"))
        #expect(!send.choice.isEnabled && send.choice.hasContent && send.choice.position == 1)
        #expect(try registry.extensions.all(point: "today").map(\.choice.hasContent) == [false])
        try choices.setHasContent(true, of: "com.example.app.shop.widget")
        #expect(
            try registry.extensionChoices.all() == [
                "com.example.app.shop.any", "com.example.app.shop.send",
            ])
        let error = try failing(.extensionUnknown) { try choices.setEnabled(false, of: "com.example.app.shop.sned") }
        #expect(error.nearest.first == "com.example.app.shop.send")
        try host.database().execute(
            "INSERT INTO layer_record (layer, key, owner, json) VALUES ('extension-choice', 'com.example.app.shop.x', ?, '{')",
            TestHost.shop.text)
        #expect(throws: AtriumError.self) { try choices.all() }
        try await host.rebuild()
        #expect(try choices.all() == ["any", "send"].map { "com.example.app.shop.\($0)" })
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

    @Test("A bundle's extensions are installed beside its library")
    func placed() async throws {
        try await host.install(
            SamplePackage(extensions: [SampleExtension(name: "send"), SampleExtension(name: "edit")]))
        let bundle = try host.bundle()
        for name in ["libSample.so", "libSample-send.so", "libSample-edit.so"] {
            #expect(host.sandbox.folder(of: bundle).appending(BundleShape.libraryPath(of: name)).exists)
        }
    }

    @Test("A bundle is not installed if a library of an extension is missing or cannot be loaded, or one is undeclared")
    func preflight() async throws {
        let foreign = Array("no library".utf8)
        // The host has loaded SQLite, but the process of the extension would not.
        let unlinked = try library(
            ofC: "int it(void) __asm__(\"$s6SQLite0A5ErrorVMa\"); int plugin_entry_v3(void) { return it(); }")
        let cases = [
            (nil, AtriumError.Code.libraryMissing), (foreign, .libraryUnloadable), (unlinked, .libraryUnloadable),
        ]
        for (library, code) in cases {
            try host.offer(SamplePackage(extensions: [SampleExtension(name: "send", library: library)]))
            let error = try await host.refusal(code) { try await host.manager.install(.shop) }
            #expect(error.subject == "com.example.app.shop.send")
            #expect("\(error)".contains("libSQLite.so") == (library == unlinked), "\(error)")
            #expect(try host.registry.extensions.all().isEmpty)
        }
        try host.offer(SamplePackage(files: [BundleShape.libraryPath(of: "libHidden.so"): "x"]))
        let error = try await host.refusal(.packageInvalid) { try await host.manager.install(.shop) }
        #expect(error.reasons.map(\.name).contains("libraryNotDeclared"), "\(error)")
    }

    @Test("A version whose extensions violate a rule is not installed, and an older one is")
    func rules() async throws {
        try host.offer(
            SamplePackage(extensions: [SampleExtension(name: "send", activation: #"{"images": {"max": "x"}}"#)]))
        let error = try await host.refusal(.manifestInvalid) { try await host.manager.install(.shop) }
        #expect(
            error.problems.map(\.description) == [
                "at(place: extensions[0].activation.images.max, problem: countExpected)"
            ])
        #expect(try host.registry.extensions.all().isEmpty)
        try host.offer(SamplePackage(version: "0.9.0"))
        let report = try await host.manager.install(.shop)
        #expect(report.bundle.identity.version.description == "0.9.0")
    }

    @Test("Limits without sense are an error also if a host with other rules has recorded them")
    func senselessLimits() async throws {
        try await host.install(SamplePackage(extensions: [SampleExtension(name: "send")]))
        try host.database().execute(
            "UPDATE layer_record SET json = json_set(json, '$.limits.memory', -1) WHERE layer = 'extension'")
        let found = try #require(try host.registry.extensions.all().first)
        let error = #expect(throws: AtriumError.self) {
            try ExtensionManager(host.manager, running: "/none").limits(of: found)
        }
        #expect(error?.code == .manifestInvalid)
    }

    @Test("An extension may be linked with the libraries that its bundle requires, and with no others")
    func shared() async throws {
        let base = SampleLibrary()
        let extensions = [SampleExtension(name: "send", library: try await base.user())]
        try host.offer(base.package(), SamplePackage(extensions: extensions))
        try await host.refusal(.libraryUnloadable) { try await host.manager.install(.shop) }
        try host.offer(SamplePackage(requires: [base.identifier: "^1.0.0"], extensions: extensions))
        try await host.manager.install(.shop)
        #expect(try host.registry.extensions.all().count == 1)
    }

    static let search = #"""
        {"pattern": "find", "handler": "find", "priority": 7, "exposure": "external", "deadline": 2.5, "mayDecline": true}
        """#
    static let till = #"""
        {"name": "Till", "actions": ["total", {"name": "open", "exposure": "internal"},
                                     {"name": "pay", "exposure": "external"}]}
        """#

    @Test("A route's priority, exposure, deadline and permission to decline reach the registry")
    func route() async throws {
        try await host.install(SamplePackage(routes: [Self.search, "shop"]))
        let found = try #require(try host.another().registry.routes.routes(withFirstSegments: ["find"]).first)
        #expect(found.priority == 7 && found.exposure == .external && found.deadline == .seconds(2.5))
        #expect(found.mayDecline)
        let shop = try #require(try host.registry.routes.routes(withFirstSegments: ["shop"]).first)
        #expect((shop.priority, shop.exposure, shop.mayDecline) == (0, .plugins, false))
        #expect(shop.deadline == nil)
    }

    @Test("Services, and targets with their owner and the order and exposure of their actions, reach the registry")
    func target() async throws {
        let targets = [Self.till, #"{"name": "Empty", "actions": []}"#]
        try await host.install(SamplePackage(targets: targets, services: ["Stock", "PriceList"]))
        let registry = host.another().registry
        #expect(try registry.owner(ofService: "Stock") == TestHost.shop.text)
        #expect(try registry.serviceNames() == ["PriceList", "Stock"])
        let till = try #require(try registry.target(named: "Till"))
        #expect(till.owner == TestHost.shop.text)
        #expect(till.actions.map(\.name) == ["total", "open", "pay"])
        #expect(till.actions.map(\.exposure) == [.plugins, .internal, .external])
        #expect(try registry.target(named: "Empty")?.actions == [])
        #expect(try registry.target(named: "None") == nil)
    }

    @Test("Declarations and extensions change with the active version, return with a rollback, and go with the bundle")
    func lifecycle() async throws {
        var first = Self.package
        (first.routes, first.services) = ([#"{"pattern": "find", "page": "find"}"#], ["Old"])
        try host.offer(
            first,
            SamplePackage(
                version: "2.0.0", routes: [Self.search], targets: [Self.till], services: ["New"],
                extensions: [SampleExtension(name: "new")]))
        let registry = host.registry
        func expect(
            _ exposures: [Exposure], _ services: [String], _ extensions: [String],
            _ location: SourceLocation = #_sourceLocation
        ) throws {
            let routes = try registry.routes.routes(withFirstSegments: ["find"])
            #expect(routes.map(\.exposure) == exposures, sourceLocation: location)
            #expect(try registry.serviceNames() == services, sourceLocation: location)
            let hasTarget = try registry.target(named: "Till") != nil
            #expect(hasTarget == (services == ["New"]), sourceLocation: location)
            let names = try registry.extensions.all().map(\.declaration.name)
            #expect(names == extensions.map { "Sample \($0)" }, sourceLocation: location)
        }
        try await host.install(version: "1.0.0")
        try expect([.plugins], ["Old"], ["any", "send", "widget"])
        try await host.manager.update(.shop)
        try expect([.external], ["New"], ["new"])
        try await host.manager.rollBack(.shop)
        try expect([.plugins], ["Old"], ["any", "send", "widget"])
        try await host.manager.rollBack(.shop)
        try await host.manager.uninstall(.shop)
        try expect([], [], [])
        #expect(try registry.owner(ofService: "New") == nil)
        for rows in ["route_expansion", "layer_record WHERE layer <> 'trust-decision'"] {
            #expect(try host.database().value("SELECT count(*) FROM \(rows)", as: Int.self) == 0)
        }
    }
}
