import PluginCore
import PluginRouter
import Registry
import Console

/// All routes of an app with the interceptors before them.
struct RouteListing {
    /// One route.
    struct Line {
        let route: Route
        /// The file that declares the route, which is `bundle.json` or `manifest`, or `code` for one that running code has registered.
        let source: String
        /// The interceptors that run before the route, in order.
        let interceptors: [String]
        /// A Boolean value that indicates whether the bundle is installed.
        var isInstalled = true
    }

    /// The addresses, as a pattern, as `scheme://` for all of a scheme, or empty for all, and what opens where no route matches them.
    typealias Fallback = (of: String, to: String)

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
            (one.route.pattern.text, one.source, one.route.owner)
                < (other.route.pattern.text, other.source, other.route.owner)
        }
    }

    /// Lists the routes that the installed bundles and the composition declare, without loading plugin code.
    ///
    /// - Parameter registered: the routes that running code has registered.
    /// - Throws: ``AtriumError`` with code `registryDamaged` and other codes of the registry.
    init(of composed: ComposedRoutes, _ registry: Registry, in sandbox: Sandbox, registered: [Route] = []) throws {
        let directory = ComposedDirectory(composed: composed, registry: registry)
        func line(_ route: Route, from source: String, isInstalled: Bool = true) -> Line {
            Line(
                route: route, source: source, interceptors: composed.guards(before: route), isInstalled: isInstalled)
        }
        var fallbacks = composed.fallbacks.map { (of: $0.pattern.text, to: $0.address.text) }
        fallbacks += composed.schemes.compactMap { scheme in
            scheme.fallback.map { (of: scheme.name + "://", to: $0.text) }
        }
        if let fallback = composed.fallback { fallbacks.append(("", fallback.text)) }
        self.init(
            try directory.rules().map { line($0.rule, from: "bundle.json", isInstalled: $0.isInstalled) }
                + registry.routes.all().map { line($0, from: "manifest") }
                + registered.map { line($0, from: "code") },
            fallbacks: fallbacks, problems: try directory.deadRules(in: sandbox).map(\.reason)
        )
    }
}

extension ComposedRoutes {
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

extension RouteListing: JSONConvertible {
    /// Renders a table with one line per route.
    func text(for terminal: Terminal) -> String {
        guard !lines.isEmpty || !fallbacks.isEmpty else { return localized("No routes.\n") }
        var table = Table([
            .init("PATTERN", style: .bold), "KIND", "EXPOSURE", .init("PRIORITY", .trailing), "OWNER",
            "SERVES", "INTERCEPTORS",
        ])
        for line in lines {
            let route = line.route
            table.add(
                [
                    route.pattern.shown, route.kind.rawValue, route.exposure.rawValue, route.priority,
                    route.owner + (line.isInstalled ? "" : localized(" (not installed)")), line.served,
                    line.interceptors.isEmpty ? "-" : line.interceptors.joined(separator: ", "),
                ], style: line.isInstalled ? [] : .dim)
        }
        let others = fallbacks.map { printable(words($0)) + "\n" } + problems.map { printable($0.sentence) + "\n" }
        return table.rendered(for: terminal) + (others.isEmpty ? "" : "\n" + others.joined())
    }

    /// The listing as a JSON document.
    var json: JSONText {
        [
            "formatVersion": 1, "routes": lines,
            "fallbacks": fallbacks.map { ["of": $0.of, "to": $0.to] as JSONText }, "problems": problems.map(\.sentence),
        ]
    }
}

extension RouteListing.Line: JSONConvertible {
    /// The name of the page, handler or object in the bundle, and for a page that a layout describes its place, such as `layout/pageId`.
    var declared: (name: String, layout: String?) {
        guard case .declared(let name, let layout) = route.service else { return ("", nil) }
        return (name, layout)
    }

    /// The deadline in seconds; `nil` for the host's default.
    var deadline: Double? { route.deadline.map { $0 / .seconds(1) } }

    /// The page, handler or object, with the parameters that the route adds to those of the address.
    var service: String {
        let parameters = route.parameters.encoded
        return (declared.layout ?? declared.name) + (parameters.isEmpty ? "" : "?" + parameters)
    }

    /// The page, handler or object with its source, deadline and right to decline, as people read it.
    fileprivate var served: String {
        if source == "code" { return localized("its code") }
        let rule = source == "manifest" ? "" : " (bundle.json)"
        let time = deadline.map { localized(" within \(Int($0.rounded(.up))) s") } ?? ""
        return service + rule + time + (route.mayDecline ? localized(", or declines") : "")
    }

    var json: JSONText {
        [
            "pattern": route.pattern.text, "source": source, "kind": route.kind.rawValue,
            "owner": route.owner, "name": declared.name, "layout": declared.layout,
            "exposure": route.exposure.rawValue, "priority": route.priority,
            "interceptors": interceptors, "deadline": deadline,
            "mayDecline": route.mayDecline, "parameters": route.parameters.encoded,
            "isInstalled": isInstalled,
        ]
    }
}

/// Returns a fallback as people read it.
private func words(_ fallback: RouteListing.Fallback) -> String {
    let (of, to) = fallback
    if of.isEmpty { return localized("Addresses that have no route lead to \(to)") }
    return hostText(of.hasSuffix("://") ? "schemeFallback" : "patternFallback", of, to)
}
