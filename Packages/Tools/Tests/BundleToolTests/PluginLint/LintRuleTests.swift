import Authoring
import FoundationEssentials
import PluginCore
import PluginLint
import Preflight
import Testing

@Suite("The rules of lint", .tags(.small))
struct LintRuleTests {
    /// A planted fault, which exactly one rule finds.
    struct Fault: CustomTestStringConvertible, Sendable {
        let code: String
        /// The problem that is found.
        let what: String
        let plant: @Sendable (inout LintSubject) throws -> Void
        var testDescription: String { code }

        init(_ code: String, _ what: String, plant: @escaping @Sendable (inout LintSubject) throws -> Void) {
            (self.code, self.what, self.plant) = (code, what, plant)
        }

        /// A fault in the manifest.
        init(_ code: String, _ what: String, _ manifest: Manifest) {
            self.init(code, what) { $0.manifest = manifest }
        }

        /// A fault in comparison with another version.
        init(_ code: String, _ what: String, _ published: PublishedVersion) {
            self.init(code, what) { $0.published = published }
        }
    }

    private static let de = "Resources/de.lproj/Localizable.json"
    private static let en = "Resources/en.lproj/Localizable.json"
    private static let page = "Resources/Pages/help.json"

    static let faults: [Fault] = [
        Fault(
            "manifest-invalid", "manifest.json: no",
            plant: { $0.refusals["manifest-invalid"] = [.init("manifest.json", "no")] }),
        Fault("name-long", "manifest.json: \"name\" has 31 characters") {
            $0.manifest = LintFixture.manifest(name: String(repeating: "x", count: 31))
        },
        Fault("name-long", "\(de): \"bundle.name\" has 31 characters") {
            for place in [de, en] {
                $0.resources.tables[place]?["bundle.name"] = String(repeating: "x", count: place == de ? 31 : 30)
            }
        },
        Fault("summary-missing", "manifest.json: \"summary\" is missing", LintFixture.manifest(summary: "")),
        Fault("summary-long", "manifest.json: \"summary\" has 121 characters") {
            $0.manifest = LintFixture.manifest(summary: String(repeating: "x", count: 121))
        },
        Fault("icon-missing", "Resources/icon.png: it is missing", plant: { $0.resources.icon = nil }),
        Fault("icon-unusable", "Resources/icon.png: it is not a PNG file", plant: { $0.resources.icon = [1, 2, 3] }),
        Fault("icon-unusable", "Resources/icon.png: it has 1.0 MB") {
            $0.resources.icon = (LintFixture.icon + Array(repeating: 0, count: 1 << 20)).map(\.self)
        },
        Fault("license-missing", "manifest.json: \"license\" is missing", LintFixture.manifest(license: nil)),
        Fault("homepage-missing", "manifest.json: \"homepage\" is missing", LintFixture.manifest(homepage: nil)),
        Fault(
            "resource-invalid", "Resources: no", plant: { $0.refusals["resource-invalid"] = [.init("Resources", "no")] }
        ),
        Fault(
            "file-stray",
            "Resources/.DS_Store: a desktop, an editor or a version control system created it, and it would be shipped; remove it"
        ) { $0.resources.names.append(".DS_Store") },
        Fault(
            "file-scale",
            "Resources/a@2x.png: there is no \"a.png\", so code that asks for that name without a scale finds nothing; add it"
        ) { $0.resources.names.append("a@2x.png") },
        Fault("text-missing", "\(de): \"about\" is missing, but exists in \(en)") {
            $0.resources.tables[de]?["about"] = nil
        },
        Fault(
            "text-unknown",
            "Sources: \"greting\" has no text in any language, so the key is shown; did you mean \"greeting\"?"
        ) {
            $0.sources?.append("// resources.string(\"comment\")\ncontext.resources.string(\"greting\", name)")
        },
        Fault("layout-text-missing", "\(page): \"@other\" has no text in any language, so the key is shown") {
            $0.resources.layouts[page] = try LintFixture.layout(text: "@other", open: "app://shop")
        },
        Fault("text-arguments", "\(en): \"greeting\" has 0 {}, but 1 in \(de)") {
            $0.resources.tables[en]?["greeting"] = "Hello"
        },
        Fault("texts-stale", "Texts.swift: it is not that of \(en)") {
            $0.sources?.append(TextConstants(of: ["about": "About"]).source)
        },
        Fault("texts-stale", "\(en): \"a.b\", \"aB\": each key needs a name of its own in Swift, and these have aB") {
            for place in [de, en] {
                $0.resources.tables[place]?.merge(["a.b": "", "aB": ""]) { $1 }
                $0.sources?.append("texts.aB")
            }
            $0.sources?.append(TextConstants(of: $0.resources.tables[en] ?? [:]).source)
        },
        Fault("text-unused", "\(de): \"old.one\" is not used") { subject in
            for place in [de, en] { subject.resources.tables[place]?["old.one"] = "Old" }
            subject.sources? += [TextConstants(of: subject.resources.tables[en] ?? [:]).source, "texts.oldOneMore"]
        },
        Fault("text-unused", "\(de): \"old\" is not used") { subject in
            for place in [de, en] { subject.resources.tables[place]?["old"] = "Old" }
        },
        Fault("layout-unused", "Resources/Pages/more.json: no route and no code shows \"more/about\"") {
            $0.resources.layouts["Resources/Pages/more.json"] = try LintFixture.layout(
                text: "@about", open: "app://shop")
        },
        Fault("layout-image-missing", "\(page): there is no image \"Resources/images/none.png\"") { subject in
            subject.resources.names += ["images/tea@2x.png", "images/tea.png", "de.lproj/cup.png"]
            subject.resources.layouts[page] = try LintFixture.layout(
                content: #"{"image": "images/tea.png", "text": ""}, {"rows": [{"title": "x", "#
                    + #""image": {"name": "cup.png", "text": ""}}]}, {"section": "s", "content": "#
                    + #"[{"image": "images/none.png", "text": ""}]}"#)
        },
        Fault("link-malformed", "\(page): \"app://shop/%zz\" of the row \"x\" is not a valid address") {
            $0.resources.layouts[page] = try LintFixture.layout(
                content: #"{"section": "s", "content": [{"rows": [{"title": "x", "open": "app://shop/%zz"}]}]}"#)
        },
        Fault("link-malformed", "\(page): \"app://shop/%zz\" of the action \"go\" is not a valid address") {
            $0.resources.layouts[page] = try LintFixture.layout(text: "@about", open: "app://shop/%zz")
        },
        Fault("link-unresolved", "\(page): no route matches \"app://shop/itme/{id}\" of the action \"go\"") {
            $0.resources.layouts[page] = try LintFixture.layout(text: "@about", open: "app://shop/itme/{id}")
        },
        Fault("link-unresolved", "\(page): no route matches \"app://other\" of the action \"go\"") {
            // Only with a catalog, the addresses of other plugins are known.
            $0.resources.layouts[page] = try LintFixture.layout(text: "@about", open: "app://other")
        },
        Fault("link-unresolved", "\(page): no route matches \"app://orders/9\" of the action \"go\"") {
            // Without a catalog, those of the plugins are known that were named or added.
            $0.catalog = nil
            $0.dependencies = [LintFixture.manifest(routes: [.page("orders")])]
            $0.resources.layouts[page] = try LintFixture.layout(text: "@about", open: "app://orders/9")
        },
        Fault(
            "route-shadowed", "manifest.json: \"deals/today\" is never chosen, because \"deals/:any\" comes first"
        ) { $0.manifest = LintFixture.manifest(routes: [.page("deals/:any", priority: 1), .page("deals/today")]) },
        Fault("route-shadowed", "manifest.json: \"shop/*\" is never chosen, because \"shop/:any\" comes first") {
            $0.manifest = LintFixture.manifest(routes: [.page("shop/*"), .page("shop/:any")])
        },
        Fault("route-unlinked", "routes[3]: nothing in the plugin opens \"shop/secret\"") {
            $0.manifest = LintFixture.manifest(routes: [.page("shop/secret", exposure: .internal)])
        },
        Fault("contract-unbound", "Sources: the contract \"shop/stats\" is the plugin's own, and nothing binds it") {
            $0.sources?.append(
                """
                static let stats = ValueRoute<NoValue, [Int]>("shop/stats")
                PageRoute<NoValue>("shop/item/:number")  PageRoute<NoValue>("orders/stats")
                // PageRoute<NoValue>("shop/comment")
                """)
        },
        Fault("contract-unbound", "Sources: the contract \"Shop.buy\" is the plugin's own, and nothing binds it") {
            $0.sources?.append(
                """
                ActionContract<Int, Bool>("buy", on: "Shop")  ActionContract("price", on: "Shop")
                ActionContract(uncoded: "buy", on: "Account")
                """)
        },
        Fault("library-unloadable", "libShop.so: no") {
            $0.refusals["library-unloadable"] = [.init("libShop.so", "no")]
        },
        Fault("api-deprecated", "Sources/Shop/Shop.swift:3: 'old()' is deprecated") {
            $0.deprecated = [.init("Sources/Shop/Shop.swift:3", "'old()' is deprecated")]
        },
        Fault("library-debug", "libShop.so: it has 1.0 MB of debug information") {
            $0.libraries["libShop.so"] = LibrarySymbols(debugSize: 1_000_001)
        },
        Fault("package-large", "package: it has 50.0 MB", plant: { $0.size = 50_000_001 }),
        Fault("file-large", "Resources/film.mp4: it has 10.0 MB") {
            $0.files.append((name: "Resources/film.mp4", size: 10_000_001))
        },
        Fault("version-reused", "manifest.json: com.example.app.shop@1.1.0 is published with other content") {
            $0.isVersionReused = true
        },
        Fault("data-version-lowered", "dataVersion: it was 1 in 1.0.0, and is 0") {
            $0.published = LintFixture.published(dataVersion: 1)
        },
        Fault("kind-changed", "kind: it was lib in 1.0.0, and is app", LintFixture.published(kind: .lib)),
        Fault(
            "route-removed",
            "routes: no page route matches all addresses of \"shop/gone/:id\" of 1.0.0, such as \"shop/gone/id\""
        ) { $0.published = LintFixture.published(routes: [.page("shop/gone/:id")]) },
        Fault(
            "route-removed",
            "routes: no page route matches all addresses of \"shop/part(/:x)\" of 1.0.0, such as \"shop/part\""
        ) {
            // A part of the address that was optional is required.
            $0.manifest = LintFixture.manifest(routes: [.page("shop/part/:x")])
            $0.published = LintFixture.published(routes: [.page("shop/part(/:x)")])
        },
        Fault(
            "route-removed",
            "routes: no object route matches all addresses of \"shop/about\" of 1.0.0, such as \"shop/about\""
        ) {
            let route = RouteDeclaration(pattern: "shop/about", kind: .object, name: "x")
            $0.published = LintFixture.published(routes: [route])
        },
        Fault("route-restricted", "routes: \"shop/item/:id\" was exposed to external links in 1.0.0") {
            $0.published = LintFixture.published(routes: [.page("shop/item/:id", exposure: .external)])
        },
        Fault("action-removed", "targets: the action \"Shop.buy\" of 1.0.0 is missing") {
            $0.published = LintFixture.published(targets: [TargetDeclaration(name: "Shop", actions: ["buy", "price"])])
        },
        Fault("action-removed", "targets: the action \"Cart.add\" of 1.0.0 is missing") {
            $0.published = LintFixture.published(targets: [TargetDeclaration(name: "Cart", actions: ["add"])])
        },
        Fault("action-restricted", "targets: the action \"Shop.price\" was exposed to external links in 1.0.0") {
            $0.published = LintFixture.published(targets: [
                TargetDeclaration(name: "Shop", actions: [ActionDeclaration(name: "price", exposure: .external)])
            ])
        },
        Fault("service-removed", "services: the service \"Cart\" of 1.0.0 is missing") {
            $0.published = LintFixture.published(services: ["Cart"])
        },
        Fault(
            "extension-point-removed",
            "extensionPoints: the extension point \"com.example.app.shop.old\" of 1.0.0 is missing",
            LintFixture.published(points: ["com.example.app.shop.old"])),
        Fault(
            "parameter-required",
            "code: \"Shop.price\" requires the parameter \"currency\", but 1.0.0 had no parameter of this name"
        ) { $0.inputs = [InputDeclaration(of: "Shop.price", parameters: [.init("currency", isRequired: true)])] },
        Fault(
            "parameter-required",
            "code: \"shop/item/:number\" requires the parameter \"from\", but 1.0.0 had an optional parameter of this name"
        ) {
            $0.manifest = LintFixture.manifest(routes: [.page("shop/item/:number")], isWhole: false)
            $0.inputs = [InputDeclaration(of: "shop/item/:number", parameters: [.init("from", isRequired: true)])]
        },
        Fault(
            "parameter-type", "code: the parameter \"value\" of \"Shop.price\" has the type String, but 1.0.0 had Int"
        ) {
            $0.published = LintFixture.published(targets: [LintFixture.target], inputs: [LintFixture.price()])
            $0.inputs = [LintFixture.price("String")]
        },
        Fault(
            "parameter-type",
            "code: the parameter \"number\" of \"shop/item/:number\" has the type Int, but 1.0.0 had String"
        ) {
            $0.manifest = LintFixture.manifest(routes: [.page("shop/item/:number")], isWhole: false)
            $0.published = LintFixture.published(inputs: [
                InputDeclaration(
                    of: "shop/item/:id", parameters: [],
                    captures: [.init("id", isRequired: true, shape: .value("String"))])
            ])
            $0.inputs = [
                InputDeclaration(
                    of: "shop/item/:number", parameters: [],
                    captures: [.init("number", isRequired: true, shape: .value("Int"))])
            ]
        },
        Fault("result-type", "code: the result of \"Shop.price\" has the type Double, but had Int in 1.0.0") {
            $0.published = LintFixture.published(targets: [LintFixture.target], inputs: [LintFixture.price()])
            $0.inputs = [LintFixture.price("Int", .value("Double"))]
        },
        Fault("event-removed", "code: the event \"Shop.sold\" of 1.0.0 is missing") {
            $0.published = LintFixture.published(events: [EventDeclaration(name: "Shop.sold", payload: "Int")])
            $0.events = []
        },
        Fault("event-type", "code: the payload of \"Shop.sold\" has the type String, but 1.0.0 had Int") {
            $0.published = LintFixture.published(events: [EventDeclaration(name: "Shop.sold", payload: "Int")])
            $0.events = [EventDeclaration(name: "Shop.sold", payload: "String")]
        },
        Fault("symbol-removed", "libShop.so: it lacks \"one\", \"two\" of 1.0.0") {
            $0.manifest = LintFixture.manifest(kind: .lib)
            $0.published = LintFixture.published(kind: .lib, symbols: ["one", "two"])
        },
        Fault(
            "dependent-excluded",
            "version: com.example.app.orders@1.0.0 requires com.example.app.shop ^1.0.0, without 2.0.0",
            LintFixture.manifest(version: "2.0.0")),
    ]

    @Test("Each fault is found by its rule, and by no other", arguments: faults)
    func found(fault: Fault) throws {
        var subject = try LintFixture.subject()
        try fault.plant(&subject)
        let report = LintReport(of: subject)
        let problems = report.findings.flatMap { group in
            group.problems.map { "\(group.rule.code): \($0.place): \($0.what)" }
        }
        #expect(problems == ["\(fault.code): \(fault.what)"])
    }

    @Test("There is a fault for each rule, and codes are distinct words with hyphens")
    func complete() {
        let codes = LintRule.all.map(\.code)
        #expect(Set(codes) == Set(Self.faults.map(\.code) + ["silence-unneeded"]))
        #expect(Set(codes).count == codes.count)
        #expect(codes.allSatisfy { $0.allSatisfy { $0 == "-" || ("a"..."z").contains($0) } })
        #expect(LintRule.contracts.allSatisfy { $0.severity == .error })
    }

    @Test("The table of the documentation lists each rule with its severity and problem")
    func documented() throws {
        var root = FilePath(#filePath)
        while root.lastComponent != "Packages", root.string != "/" { root = root.parent }
        let page = try String(
            contentsOf: URL(filePath: root.parent.appending("Documentation/Lint.md").string), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(rows == LintRule.all.map { "| `\($0.code)` | \($0.severity.rawValue) | \($0.summary) |" })
        for rule in LintRule.all { #expect(!rule.remedy.isEmpty, "\(rule.code)") }
    }

    @Test("A plugin without faults has no findings, with and without a catalog")
    func sound() throws {
        var subject = try LintFixture.subject()
        #expect(LintReport(of: subject).findings.map(\.rule.code) == [])
        (subject.catalog, subject.published, subject.inputs) = (nil, nil, nil)
        #expect(LintReport(of: subject).findings.map(\.rule.code) == [])
    }

    @Test("Without sources, no text, page or route of a plugin with code counts as unused")
    func package() throws {
        var subject = try LintFixture.subject()
        for place in [Self.de, Self.en] { subject.resources.tables[place]?["old"] = "Old" }
        subject.resources.layouts["Resources/Pages/more.json"] = try LintFixture.layout(
            text: "@about", open: "app://shop")
        subject.manifest = LintFixture.manifest(routes: [.page("shop/secret", exposure: .internal)])
        subject.sources = nil
        #expect(LintReport(of: subject).findings.map(\.rule.code) == [])
    }

    @Test(
        "A text whose key code or a document contains, or may compose, counts as used",
        arguments: [
            #"string("old")"#, #"string("o\(suffix)")"#, #"string("\(prefix)d")"#, #"string("o." + rest)"#,
            #"{"title": "@o.ld"}"#,
        ])
    func used(source: String) throws {
        var subject = try LintFixture.subject()
        let key = source.contains("o.") ? "o.ld" : "old"
        for place in [Self.de, Self.en] { subject.resources.tables[place]?[key] = "Old" }
        if source.hasPrefix("{") {
            subject.resources.documents.append(source)
        } else {
            subject.sources?.append(source)
        }
        #expect(LintReport(of: subject).findings.map(\.rule.code) == [])
    }

    @Test("A text whose constant the code uses counts as used")
    func usedConstant() throws {
        var subject = try LintFixture.subject()
        for place in [Self.de, Self.en] { subject.resources.tables[place]?["old.one"] = "Old" }
        let constants = TextConstants(of: subject.resources.tables[Self.en] ?? [:]).source
        subject.sources = [constants, "title = bundle.texts.oldOne", "show(texts.greeting(name))"]
        #expect(LintReport(of: subject).findings.map(\.rule.code) == [])
    }

    @Test(
        "A number that promises no compatibility allows every change, and a contract names the plugins that break",
        arguments: [
            ("1.0.0", "2.0.0", false), ("1.0.0", "1.0.1", true), ("1.0.0", "1.2.0-beta.1", true),
            ("0.1.0", "0.2.0", false),
            ("0.1.0", "0.1.1", true),
        ])
    func versions(old: String, new: String, isCompared: Bool) throws {
        var subject = try LintFixture.subject()
        subject.published = LintFixture.published(version: old, routes: [.page("shop/gone")])
        subject.manifest = LintFixture.manifest(version: new)
        subject.catalog = [LintFixture.dependent(range: ">=0.1.0-a <3.0.0")]
        let found = LintReport(of: subject, rules: LintRule.contracts).findings
        #expect(found.map(\.rule.code) == (isCompared ? ["route-removed"] : []))
        // A pre-release is in the range of nobody who does not name one.
        let breaks = isCompared && !new.contains("-") ? ["com.example.app.orders@1.0.0"] : []
        #expect(found.flatMap(\.problems).flatMap(\.breaks) == breaks)
    }

    @Test("Only the plugins that import a missing name break, and those with an extension at a missing point")
    func users() throws {
        var subject = try LintFixture.subject()
        subject.manifest = LintFixture.manifest(kind: .lib)
        subject.published = LintFixture.published(kind: .lib, symbols: ["one"])
        subject.catalog = [
            LintFixture.dependent("com.example.app.a", imported: ["one"]),
            LintFixture.dependent("com.example.app.b", imported: ["two"]),
            LintFixture.dependent("com.example.app.c", range: "^2.0.0", imported: ["one"]),
        ]
        let found = LintReport(of: subject, rules: LintRule.contracts).findings.flatMap(\.problems)
        #expect(found.map(\.breaks) == [["com.example.app.a@1.0.0"]])
    }
}

extension RouteDeclaration {
    static func page(_ pattern: String, priority: Int = 0, exposure: Exposure = .plugins) -> RouteDeclaration {
        RouteDeclaration(pattern: pattern, kind: .page, name: pattern, priority: priority, exposure: exposure)
    }
}
