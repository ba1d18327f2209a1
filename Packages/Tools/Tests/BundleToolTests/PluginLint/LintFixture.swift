import Authoring
import HostSystem
import PageLayouts
import PluginCore
import PluginLint
import Preflight

/// A plugin without faults, which is compared with an earlier version of the same contracts.
enum LintFixture {
    static let icon: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static let routes: [RouteDeclaration] = [
        RouteDeclaration(pattern: "shop/about", kind: .page, name: "about", layout: "help/about"), .page("shop"),
        .page("shop/item/:id"),
    ]

    /// - Parameter isWhole: `false` to replace the routes "shop/item/:id" and below by others.
    static func manifest(
        version: String = "1.1.0", kind: BundleKind = .app, name: String = "Shop", summary: String = "Buys.",
        license: String? = "MIT", homepage: String? = "https://example.com", routes: [RouteDeclaration] = [],
        targets: [TargetDeclaration] = [TargetDeclaration(name: "Shop", actions: ["price"])],
        services: [String] = ["Prices"], points: [String] = [], dataVersion: Int = 0,
        isWhole: Bool = true
    ) -> Manifest {
        Manifest(
            identity: identity("com.example.app.shop", version), name: name, summary: summary, kind: kind,
            entry: "libShop.so", routes: self.routes.prefix(isWhole ? 3 : 2) + routes, targets: targets,
            services: services,
            layerFields: #"{"extensionPoints": [\#(points.map { #"{"identifier": "\#($0)"}"# }.joined())]}"#,
            dataVersion: dataVersion, license: license, homepage: homepage)
    }

    static func published(
        version: String = "1.0.0", kind: BundleKind = .app, dataVersion: Int = 0, routes: [RouteDeclaration] = [],
        targets: [TargetDeclaration] = [], services: [String] = [], points: [String] = [],
        symbols: Set<String> = [], inputs: [InputDeclaration]? = nil, events: [EventDeclaration] = []
    ) -> PublishedVersion {
        PublishedVersion(
            manifest: manifest(
                version: version, kind: kind, routes: routes, targets: targets, services: services, points: points,
                dataVersion: dataVersion),
            symbols: LibrarySymbols(exported: symbols),
            inputs: inputs ?? [
                InputDeclaration(of: "Shop.price", parameters: [.init("value", isRequired: true)]),
                InputDeclaration(of: "shop/item/:id", parameters: [.init("from", isRequired: false)]),
            ], events: events)
    }

    /// The declaration of the action `Shop.price`.
    static func price(_ parameter: String = "Int", _ output: ValueShape = .value("Int")) -> InputDeclaration {
        InputDeclaration(
            of: "Shop.price", parameters: [.init("value", isRequired: true, shape: .value(parameter))], output: output)
    }

    /// The target with that action.
    static let target = TargetDeclaration(name: "Shop", actions: ["price"])

    static func dependent(
        _ identifier: BundleIdentifier = "com.example.app.orders", range: String = "^1.0.0", imported: Set<String> = []
    ) -> CatalogBundle {
        let requirement = VersionRange(range).map {
            BundleRequirement(identifier: "com.example.app.shop", versions: $0)
        }
        return CatalogBundle(
            manifest: Manifest(
                identity: identity(identifier, "1.0.0"), name: "Orders", kind: .app, entry: "libOrders.so",
                requirements: [requirement].compactMap(\.self)), imported: imported)
    }

    static func layout(text: String, open: String) throws -> PageLayout {
        try layout(content: #"{"text": "\#(text)"}"#, open: open)
    }

    static func layout(content: String, open: String = "app://shop/item/{id}") throws -> PageLayout {
        let source = """
            {"pages": {"about": {"title": "@about", "content": [\(content)],
            "actions": [{"id": "go", "title": "@about", "open": "\(open)"}]}}}
            """
        return try StrictJSON.decode(PageLayout.self, from: Array(source.utf8))
    }

    static func subject() throws -> LintSubject {
        var subject = LintSubject()
        subject.manifest = manifest()
        let texts = ["de.lproj/Localizable.json", "en.lproj/Localizable.json"]
        subject.resources.names = ["Pages/help.json"] + texts + ["icon.png"]
        subject.resources.tables = [
            "Resources/en.lproj/Localizable.json": ["about": "About", "greeting": "Hello, {}"],
            "Resources/de.lproj/Localizable.json": ["about": "Über", "greeting": "Hallo, {}"],
        ]
        let layout = try layout(text: "@about", open: "app://shop/item/{id}")
        subject.resources.layouts = ["Resources/Pages/help.json": layout]
        subject.resources.icon = icon
        subject.sources = [#"string("greeting", name)"#]
        subject.libraries = ["libShop.so": LibrarySymbols(exported: ["three"])]
        subject.files = [(name: "manifest.json", size: 100)]
        subject.size = 1_000
        subject.published = published()
        subject.inputs = subject.published?.inputs
        subject.catalog = [dependent()]
        return subject
    }

    private static func identity(_ identifier: BundleIdentifier, _ version: String) -> BundleIdentity {
        BundleIdentity(
            identifier: identifier, version: SemanticVersion(version) ?? SemanticVersion(major: 0, minor: 0, patch: 0))
    }
}
