import PluginCore
import PluginRouter

/// A rule of `bundle.json`: an address of the app's own for a page of a bundle.
struct ComposedRule: Sendable {
    /// Which page of the bundle.
    enum Target: Hashable, Sendable {
        /// The one that its manifest declares first.
        case entry
        /// The one of that name, with or without the suffix `Page`.
        case page(String)
        /// One described by data.
        case layout(String, pageID: String)
    }

    /// Which addresses.
    let pattern: RoutePattern
    /// The identifier of the bundle.
    let owner: String
    /// Which page.
    let target: Target
    /// What is added to the address's own parameters; those come first.
    let parameters: URIParameters
    /// Who may ask for it; `nil` for whoever may ask for the page.
    var exposure: Exposure?
    /// What must hold before it opens, beside what the manifest says of the page.
    var guards: [String] = []
    /// Routes of a higher priority are asked first.
    var priority = 0

    /// The route, as far as it is known without the bundle.
    var route: Route {
        switch target {
        case .entry: route(to: "", layout: nil)
        case .page(let name): route(to: name, layout: nil)
        case .layout(let layout, let pageID): route(to: pageID, layout: "\(layout)/\(pageID)")
        }
    }

    private func route(to name: String, layout: String?) -> Route {
        Route(
            pattern: pattern, kind: .page, owner: owner, guards: guards, service: .declared(name: name, layout: layout),
            parameters: parameters, priority: priority, exposure: exposure ?? .plugins
        )
    }
}

extension ComposedRule {
    /// The route, with what the bundle's manifest says of its page: another address is no way around it.
    func route(in manifest: Manifest, _ converters: RouteConverters) -> Route {
        let pages = pages(in: manifest, converters)
        let route = pages.first.map { self.route(to: $0.name, layout: $0.layout) } ?? self.route
        return Route(
            pattern: pattern, kind: .page, owner: owner,
            guards: (guards + pages.flatMap(\.guards)).reduce(into: []) { guards, next in
                if !guards.contains(next) { guards.append(next) }
            },
            service: route.service, parameters: parameters,
            priority: max(priority, rivals(in: manifest, converters).map(\.priority).max() ?? priority),
            exposure: exposure ?? pages.map(\.exposure).min(by: Self.isStricter) ?? .plugins,
            deadline: pages.compactMap(\.deadline).min().map { .seconds($0) },
            mayDecline: pages.contains(where: \.mayDecline)
        )
    }

    /// What the manifest declares of the page; it may do so at several addresses.
    private func pages(in manifest: Manifest, _ converters: RouteConverters) -> [RouteDeclaration] {
        let pages = manifest.routes.filter { $0.kind == .page }
        switch target {
        case .entry:
            guard let entry = manifest.entryPage(converters) else { return [] }
            return pages.filter { $0.name == entry.name && $0.layout == entry.layout }
        case .page(let name):
            let coded = pages.filter { $0.layout == nil }
            let spelling = Self.spellings(of: name).first { spelling in coded.contains { $0.name == spelling } }
            return coded.filter { $0.name == spelling }
        case .layout(let layout, let pageID):
            return pages.filter { $0.layout == "\(layout)/\(pageID)" }
        }
    }

    /// What the manifest itself says of the same addresses; the rule beats it, whatever its priority.
    private func rivals(in manifest: Manifest, _ converters: RouteConverters) -> [RouteDeclaration] {
        let shapes = Set(pattern.shapes)
        return manifest.routes.filter { declaration in
            guard let other = try? RoutePattern(declaration.pattern, converters: converters) else { return false }
            return !shapes.isDisjoint(with: other.shapes)
        }
    }

    /// The names that a rule's page may have in a manifest, the one that is written first: `ItemPage`, `Item`, `itemPage`,
    /// `item` and so on. Composition files come from where pages are classes.
    static func spellings(of name: String) -> [String] {
        let suffix = "Page"
        let hasSuffix = name.hasSuffix(suffix) && name.count > suffix.count
        let other = hasSuffix ? String(name.dropLast(suffix.count)) : name + suffix
        return [name, other].flatMap { [$0, $0.prefix(1).lowercased() + $0.dropFirst()] }
    }

    private static func isStricter(_ one: Exposure, _ other: Exposure) -> Bool {
        func rank(_ exposure: Exposure) -> Int { Exposure.allCases.firstIndex(of: exposure) ?? 0 }
        return rank(one) < rank(other)
    }
}

extension Manifest {
    /// The page that a bundle is entered by: the first whose address captures nothing, else the first; `nil` for a bundle
    /// without pages.
    func entryPage(_ converters: RouteConverters) -> RouteDeclaration? {
        let pages = routes.filter { $0.kind == .page }
        return pages.first { page in
            let forms = (try? RoutePattern(page.pattern, converters: converters))?.forms ?? []
            return forms.contains { $0.path.allSatisfy(\.isLiteral) && $0.fragment == nil }
        } ?? pages.first
    }
}

extension RoutePattern.Segment {
    fileprivate var isLiteral: Bool {
        guard case .literal = self else { return false }
        return true
    }
}
