import HostSystem
import PluginCore
import PluginRouter
import Registry
import PluginRuntime
import Console

/// All routes of an app as a table of plain values, so that two listings can be compared.
struct RouteListing: Hashable {
    /// One route.
    struct Line: Hashable, Codable {
        /// The pattern as it was declared.
        let pattern: String
        /// The file that declares the route, which is `bundle.json` or `manifest`, or `code` for one that running code has registered.
        let source: String
        /// The kind of the route, which is `page`, `handler` or `object`.
        let kind: String
        /// The identifier of the bundle that owns the route.
        let owner: String
        /// The name of the page, handler or object in the bundle.
        let name: String
        /// The layout and page identifier of a page described by a layout, such as `layout/pageId`.
        let layout: String?
        /// The origins that may use the route.
        let exposure: String
        /// The priority of the route; routes with a higher priority are matched first.
        let priority: Int
        /// The interceptors that run before the route, in order.
        let interceptors: [String]
        /// The deadline in seconds; `nil` for the host's default.
        let deadline: Double?
        /// A Boolean value that indicates whether the route may decline an address, so that the next matching route is tried.
        let mayDecline: Bool
        /// The parameters that the route adds to those of the address, as a query.
        let parameters: String
        /// A Boolean value that indicates whether the bundle is installed.
        let isInstalled: Bool
    }

    /// The target of addresses that no route matches.
    struct Fallback: Hashable, Codable {
        /// The addresses, as a pattern, as `scheme://` for all of a scheme, or empty for all.
        let of: String
        /// The address that opens instead.
        let to: String
    }

    /// The routes, sorted by pattern; rules of the composition precede routes of manifests for the same addresses.
    let lines: [Line]
    /// The fallbacks, sorted by their addresses.
    let fallbacks: [Fallback]
    /// The problems of rules that lead nowhere.
    let problems: [ErrorReason]

    init(_ lines: [Line], fallbacks: [Fallback] = [], problems: [ErrorReason] = []) {
        self.problems = problems
        self.fallbacks = fallbacks.sorted { $0.of < $1.of }
        self.lines = lines.sorted { one, other in
            (one.pattern, one.source, one.owner) < (other.pattern, other.source, other.owner)
        }
    }
}

extension RouteListing {
    /// The document that `--json` writes and `--diff` reads.
    private struct Document: Codable {
        let routes: [Line]
        let fallbacks: [Fallback]
    }

    /// Reads a listing from a file.
    ///
    /// - Throws: ``AtriumError`` with code `fileUnknown`, `inputOutput` or `documentInvalid`.
    static func read(_ path: FilePath) throws(AtriumError) -> RouteListing {
        let file = SavedDocument(bytes: try InputFile.content(of: path), name: path.string)
        let document = try file.decode(Document.self, otherwise: "notRouteListing")
        return RouteListing(document.routes, fallbacks: document.fallbacks)
    }
}

extension RouteListing {
    /// Lists the routes that the installed bundles and the composition declare, without loading plugin code.
    ///
    /// - Parameter registered: the routes that running code has registered.
    /// - Throws: ``AtriumError`` with code `registryDamaged` and other codes of the registry.
    init(of composed: ComposedRoutes, _ registry: Registry, in sandbox: Sandbox, registered: [Route] = []) throws {
        let directory = ComposedDirectory(composed: composed, registry: registry)
        let rules = try directory.rules()
        let composition = composed.composition
        self.init(
            rules.map { Line($0.rule, from: "bundle.json", in: composition, isInstalled: $0.isInstalled) }
                + (try registry.routes.all().map { Line($0, from: "manifest", in: composition, isInstalled: true) })
                + registered.map { Line($0, from: "code", in: composition, isInstalled: true) },
            fallbacks: composition.allFallbacks, problems: try directory.deadRules(in: sandbox).map(\.reason)
        )
    }

    /// Returns the routes that a manifest declares, with the guards of a composition, as if its bundle were installed.
    static func lines(
        of manifest: Manifest, in composed: ComposedRoutes, converters: RouteConverters
    ) throws(AtriumError) -> [Line] {
        try manifest.routes.map { declaration throws(AtriumError) in
            let route = try Route(declaration, owner: manifest.identity.identifier.text, converters: converters)
            return Line(route, from: "manifest", in: composed.composition, isInstalled: true)
        }
    }
}

extension RouteListing.Line {
    fileprivate init(_ route: Route, from source: String, in composition: Composition, isInstalled: Bool) {
        var (name, layout) = ("", String?.none)
        if case .declared(let served, let described) = route.service { (name, layout) = (served, described) }
        self.init(
            pattern: route.pattern.text, source: source, kind: route.kind.rawValue, owner: route.owner, name: name,
            layout: layout, exposure: route.exposure.rawValue, priority: route.priority,
            interceptors: composition.guards(before: route), deadline: route.deadline.map { $0 / .seconds(1) },
            mayDecline: route.mayDecline,
            parameters: route.parameters.encoded, isInstalled: isInstalled
        )
    }
}

extension Composition {
    fileprivate var allFallbacks: [RouteListing.Fallback] {
        fallbacks.map { RouteListing.Fallback(of: $0.pattern.text, to: $0.address.text) }
            + schemes.compactMap { scheme in
                scheme.fallback.map { RouteListing.Fallback(of: scheme.name + "://", to: $0.text) }
            } + (fallback.map { [RouteListing.Fallback(of: "", to: $0.text)] } ?? [])
    }

    /// Returns the guards of a route in the order in which they run.
    ///
    /// If the pattern has no scheme, the guards of schemes are listed with the name of their scheme.
    fileprivate func guards(before route: Route) -> [String] {
        let ofSchemes = schemes.flatMap { scheme -> [String] in
            guard let wanted = route.pattern.scheme else { return scheme.guards.map { "\(scheme.name): \($0)" } }
            return wanted == scheme.name ? scheme.guards : []
        }
        let ofBundle = bundles.filter { $0.pkg == route.owner }.flatMap(\.guards)
        return guards + ofSchemes + ofBundle + route.guards
    }
}

extension RouteListing {
    /// Renders a table with one line per route.
    func text(for terminal: Terminal) -> String {
        guard !lines.isEmpty || !fallbacks.isEmpty else { return localized("No routes.\n") }
        var table = Table([
            Table.Column("PATTERN", style: .bold), "KIND", "EXPOSURE", Table.Column("PRIORITY", .trailing), "OWNER",
            "SERVES", "INTERCEPTORS",
        ])
        for line in lines {
            let style: TextStyle = line.isInstalled ? [] : .dim
            table.add(
                [
                    line.pattern.isEmpty ? "/" : line.pattern, line.kind, line.exposure, String(line.priority),
                    line.owner + (line.isInstalled ? "" : localized(" (not installed)")), line.served,
                    line.interceptors.isEmpty ? "-" : line.interceptors.joined(separator: ", "),
                ], style: style)
        }
        let others = fallbacks.map { printable($0.words) + "\n" } + problems.map { printable($0.sentence) + "\n" }
        return table.rendered(for: terminal) + (others.isEmpty ? "" : "\n" + others.joined())
    }

    /// The listing as a JSON document for `--diff`.
    var json: JSONText {
        [
            "formatVersion": .integer(SavedDocument.formatVersion), "routes": .array(lines.map(\.json)),
            "fallbacks": .array(fallbacks.map(\.json)), "problems": .strings(problems.map(\.sentence)),
        ]
    }
}

extension RouteListing.Line {
    /// The page, handler or object, with the parameters that the route adds to those of the address.
    var service: String { (layout ?? name) + (parameters.isEmpty ? "" : "?" + parameters) }

    /// The page, handler or object with its source, deadline and right to decline, as people read it.
    var served: String {
        if source == "code" { return localized("its code") }
        let rule = source == "manifest" ? "" : " (bundle.json)"
        let time = deadline.map { localized(" within \(Int($0.rounded(.up))) s") } ?? ""
        return service + rule + time + (mayDecline ? localized(", or declines") : "")
    }

    var json: JSONText {
        [
            "pattern": .string(pattern), "source": .string(source), "kind": .string(kind), "owner": .string(owner),
            "name": .string(name), "layout": .string(orNull: layout), "exposure": .string(exposure),
            "priority": .integer(priority), "interceptors": .strings(interceptors),
            "deadline": deadline.map { .number($0) } ?? .null, "mayDecline": .bool(mayDecline),
            "parameters": .string(parameters),
            "isInstalled": .bool(isInstalled),
        ]
    }
}

extension RouteListing.Fallback {
    var json: JSONText { ["of": .string(of), "to": .string(to)] }

    /// The addresses of the fallback, as people read them.
    var words: String {
        if of.isEmpty { return localized("Addresses that have no route lead to \(to)") }
        return of.hasSuffix("://")
            ? localized("Addresses that start with \(of) and have no route lead to \(to)")
            : localized("Addresses that match \(of) and have no route lead to \(to)")
    }
}
