import Authoring
import Console
import PluginCore
import PluginRouter

extension LintRule {
    /// Creates the rule that a new version with a compatible number does not break callers.
    ///
    /// - Parameter check: returns a clause for each change; it breaks all dependents, any of which may use what has changed.
    init(contract code: String, at place: String, check: @escaping @Sendable (ContractChange) -> [String]) {
        self.init(code, .error) { subject in
            guard let change = ContractChange(subject) else { return [] }
            let breaks = change.dependents.map(\.manifest.identity.description).sorted()
            return check(change).map { Problem(place, $0, breaks: breaks) }
        }
    }

    static let routeRemoved = Self(contract: "route-removed", at: "routes") { change in
        change.routes.compactMap { route in
            guard let lost = change.successors(of: route).first(where: { $0.routes.isEmpty }) else { return nil }
            return "no \(route.kind.rawValue) route matches all addresses of \(quoted(route.pattern)) of "
                + "\(change.version), such as \(quoted(lost.expansion.example))"
        }
    }

    static let routeRestricted = Self(contract: "route-restricted", at: "routes") { change in
        change.routes.filter { route in
            change.successors(of: route).contains { _, routes in
                !routes.isEmpty && !routes.contains { isExposed($0.exposure, like: route.exposure) }
            }
        }.map { "\(quoted($0.pattern)) was exposed to \(callers($0.exposure)) in \(change.version)" }
    }

    static func callers(_ exposure: Exposure) -> String {
        switch exposure {
        case .internal: "the plugin itself"
        case .plugins: "other plugins"
        case .external: "external links"
        @unknown default: exposure.rawValue
        }
    }

    static let actionRemoved = Self(contract: "action-removed", at: "targets") { change in
        change.actions.filter { $0.new == nil }.map { "the action \(quoted($0.name)) of \(change.version) is missing" }
    }

    static let actionRestricted = Self(contract: "action-restricted", at: "targets") { change in
        change.actions.compactMap { name, old, new in
            guard let new, !isExposed(new.exposure, like: old.exposure) else { return nil }
            return "the action \(quoted(name)) was exposed to \(callers(old.exposure)) in \(change.version)"
        }
    }

    static let parameterRequired = Self(contract: "parameter-required", at: "code") { change in
        guard let old = change.old.inputs, let new = change.subject.inputs else { return [] }
        return new.flatMap { input -> [String] in
            guard let before = old.first(where: { isSame($0, input, in: change) }) else { return [] }
            return input.parameters.filter(\.isRequired).compactMap { parameter in
                let earlier = before.parameters.first { $0.name == parameter.name }
                // The parameters after one that hid them are not known.
                guard earlier?.isRequired == false || earlier == nil && before.isComplete else { return nil }
                let was = earlier == nil ? "had no" : "had an optional"
                return "\(quoted(input.subject)) requires the parameter \(quoted(parameter.name)), but "
                    + "\(change.version) \(was) parameter of this name"
            }
        }
    }

    /// Returns whether two inputs belong to the same action, or to routes that match the same addresses.
    static func isSame(_ one: InputDeclaration, _ other: InputDeclaration, in change: ContractChange) -> Bool {
        if one.subject == other.subject { return true }
        func keys(_ input: InputDeclaration, _ manifest: Manifest) -> [String] {
            manifest.routes.first { $0.pattern == input.subject }
                .flatMap { RouteCoverage.route($0, of: manifest) }?.pattern.canonicalKeys.sorted() ?? []
        }
        let found = keys(one, change.old.manifest)
        return !found.isEmpty && found == keys(other, change.new)
    }
}

/// The last published version and the new one, if the new one promises to be compatible by its number.
struct ContractChange {
    let old: PublishedVersion
    let new: Manifest
    let subject: LintSubject

    /// Compares nothing without a published version, and nothing if the new version's number allows breaking changes.
    ///
    /// By semantic versioning, these are changes of the major number, and below 1.0.0 of the minor number.
    init?(_ subject: LintSubject) {
        guard let new = subject.manifest, let old = subject.published else { return nil }
        let (one, other) = (old.manifest.identity.version, new.identity.version)
        guard one.major == other.major, one.major > 0 || one.minor == other.minor else { return nil }
        (self.old, self.new, self.subject) = (old, new, subject)
    }

    /// The version that is compared, for sentences.
    var version: SemanticVersion { old.manifest.identity.version }

    /// The newest versions of the plugins that require this one, and would get the new version.
    var dependents: [CatalogBundle] {
        (subject.catalog ?? []).filter { bundle in
            bundle.manifest.requirements.contains {
                $0.identifier == new.identity.identifier && $0.versions.contains(new.identity.version)
            }
        }
    }

    /// Returns the routes of the new version that match all addresses of an expansion of an old route.
    func successors(of route: RouteDeclaration) -> [(expansion: RoutePattern.Expansion, routes: [Route])] {
        let routes = RouteCoverage.list(of: [new]).routes.filter { $0.kind == route.kind }
        return (RouteCoverage.route(route, of: old.manifest)?.pattern.expansions ?? []).map { expansion in
            let covering = routes.filter { $0.pattern.expansions.contains { RouteCoverage.covers($0, expansion) } }
            return (expansion, covering)
        }
    }

    /// The old routes that other bundles or links may open.
    var routes: [RouteDeclaration] { old.manifest.routes.filter { $0.exposure != .internal } }

    /// Returns whether others may use an old route or action.
    ///
    /// - Parameter subject: the pattern of a route, or `Target.action`.
    func isPublic(_ subject: String) -> Bool {
        routes.contains { $0.pattern == subject } || actions.contains { $0.name == subject }
    }

    /// The old actions that others may call, with those of the same name in the new version.
    var actions: [(name: String, old: ActionDeclaration, new: ActionDeclaration?)] {
        old.manifest.targets.flatMap { target in
            let successors = new.targets.first { $0.name == target.name }?.actions ?? []
            return target.actions.filter { $0.exposure != .internal }.map { action in
                ("\(target.name).\(action.name)", action, successors.first { $0.name == action.name })
            }
        }
    }
}
