import PageLayouts
public import PluginCore
public import PluginRouter

extension ComposedRoutes {
    /// Reads a composition file.
    ///
    /// - Parameter converters: the types that captures can be converted to, the same as the manager's.
    /// - Throws: ``AtriumError`` with code `compositionInvalid`, listing every problem, `fileUnknown` or `inputOutput`.
    public init(contentsOf file: FilePath, converters: RouteConverters = .standard) throws(AtriumError) {
        try self.init(InputFile.content(of: file), of: file, converters: converters)
    }

    /// Reads the text of a composition file.
    ///
    /// - Throws: ``AtriumError`` with code `compositionInvalid`, listing every problem.
    public init(text: String, converters: RouteConverters = .standard) throws(AtriumError) {
        try self.init(Array(text.utf8), of: "bundle.json", converters: converters)
    }

    /// The rules of all bundles.
    var rules: [ComposedRule] { bundles.flatMap(\.rules) }

    /// The rules for the entry pages of all bundles.
    var entries: [ComposedRule] { bundles.compactMap(\.entry) }

    /// Returns the bundle that owns an address's first segment; `nil` if there is none.
    func member(for uri: ResourceURI) -> Member? {
        let firstSegments = RoutePattern.firstSegments(matching: uri)
        return bundles.first { member in
            (try? RoutePattern(member.uri)).map { !Set(firstSegments).isDisjoint(with: $0.firstSegments) } ?? false
        }
    }
}

/// A rule of the composition file that maps an address of the app to a page of a bundle.
struct ComposedRule {
    /// A page as a manifest declares it: its name, and its place in a layout if one describes it.
    ///
    /// A rule may name it with or without the suffix `Page`, and an empty name stands for the bundle's entry page.
    typealias Page = (name: String, layout: String?)

    /// The pattern of the addresses that the rule maps.
    let pattern: RoutePattern
    /// The identifier of the bundle that owns the page.
    let owner: String
    /// The page that the addresses lead to.
    let page: Page
    /// The parameters that are added after those of the address.
    let parameters: URIParameters
    /// The types that captures can be converted to.
    let converters: RouteConverters
    /// The origins that may use the rule; `nil` for those that may open the page.
    var exposure: Exposure?
    /// The guards that run in addition to those of the manifest.
    var guards: [String] = []
    /// The priority of the rule; rules with a higher priority are matched first.
    var priority = 0

    /// The page as in the value of the rule.
    var text: String { page.layout ?? page.name }

    /// The route, as far as it is known without the bundle's manifest.
    var route: Route { route(of: [], priority: priority) }

    /// Returns the route with the guards and the exposure that the bundle's manifest declares for its page.
    ///
    /// An address of the app must not bypass the guards of the page.
    func route(in manifest: Manifest) -> Route {
        let conflicting = conflictingRoutes(in: manifest).map(\.priority)
        return route(of: pages(in: manifest), priority: max(priority, conflicting.max() ?? priority))
    }

    private func route(of pages: [RouteDeclaration], priority: Int) -> Route {
        // The strictest exposure of all declarations of the page comes first.
        let page = pages.first.map { (name: $0.name, layout: $0.layout) } ?? self.page
        return Route(
            pattern: pattern, kind: .page, owner: owner,
            guards: (guards + pages.flatMap(\.guards)).unique,
            service: .declared(name: page.name, layout: page.layout), parameters: parameters, priority: priority,
            exposure: exposure ?? Exposure.allCases.first(where: pages.map(\.exposure).contains) ?? .plugins,
            deadline: pages.compactMap(\.deadline).min().map { .seconds($0) },
            mayDecline: pages.contains(where: \.mayDecline))
    }

    /// Returns whether a bundle has the page of the rule.
    func hasPage(in manifest: Manifest, _ resources: BundleResources) -> Bool {
        if !pages(in: manifest).isEmpty { return true }
        // A page that is described by data need not be declared.
        guard let layout = page.layout else { return false }
        return (try? resources.screen(layout)) != nil
    }

    /// Returns all declarations of the page in the manifest, which can declare it at several addresses.
    private func pages(in manifest: Manifest) -> [RouteDeclaration] {
        let pages = manifest.routes.filter { $0.kind == .page }
        if let layout = page.layout { return pages.filter { $0.layout == layout } }
        if page.name.isEmpty {
            guard let entry = manifest.entryPage(converters) else { return [] }
            return pages.filter { $0.name == entry.name && $0.layout == entry.layout }
        }
        let coded = pages.filter { $0.layout == nil }
        let spelling = Self.spellings(of: page.name).first { spelling in coded.contains { $0.name == spelling } }
        return coded.filter { $0.name == spelling }
    }

    /// Returns the manifest's own routes for the same addresses, which the rule overrides whatever their priority.
    private func conflictingRoutes(in manifest: Manifest) -> [RouteDeclaration] {
        manifest.routes.filter { declaration in
            (try? RoutePattern(declaration.pattern, converters: converters)).map(pattern.isSame) ?? false
        }
    }

    /// Returns the names that the page can have in a manifest, in order of preference.
    ///
    /// For example `ItemPage`, `Item`, `itemPage` and `item`, because composition files may name the class of a page.
    static func spellings(of name: String) -> [String] {
        let suffix = "Page"
        let hasSuffix = name.hasSuffix(suffix) && name.count > suffix.count
        let other = hasSuffix ? String(name.dropLast(suffix.count)) : name + suffix
        return [name, other].flatMap { [$0, $0.prefix(1).lowercased() + $0.dropFirst()] }
    }
}

extension RoutePattern {
    /// Returns whether another pattern matches the same addresses, in one of their expansions.
    func isSame(as other: RoutePattern) -> Bool { !Set(canonicalKeys).isDisjoint(with: other.canonicalKeys) }
}

extension Manifest {
    /// Returns the bundle's entry page; `nil` for a bundle without pages.
    ///
    /// The entry page is the first page whose address has no captures, or else the first page.
    func entryPage(_ converters: RouteConverters) -> RouteDeclaration? {
        let pages = routes.filter { $0.kind == .page }
        return pages.first { page in
            let expansions = (try? RoutePattern(page.pattern, converters: converters))?.expansions ?? []
            return expansions.contains { expansion in
                expansion.path.allSatisfy { if case .literal = $0 { true } else { false } } && expansion.fragment == nil
            }
        } ?? pages.first
    }
}
