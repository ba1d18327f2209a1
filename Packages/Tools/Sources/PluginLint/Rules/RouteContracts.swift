import Authoring
import Console
import PluginCore
import PluginRouter
import Preflight

extension LintRule {
    /// The remedy for every change that breaks callers.
    static let majorVersion = "restore it, or raise the major version (below 1.0.0 the minor version)"

    /// Creates the rule that a new version with a compatible number does not break callers.
    init(
        contract code: String, _ summary: String, remedy: String = majorVersion,
        check: @escaping @Sendable (ContractChange) -> [Problem]
    ) {
        self.init(code, .error, summary, remedy: remedy) { subject in ContractChange(subject).map(check) ?? [] }
    }

    static let routeRemoved = LintRule(
        contract: "route-removed", "addresses of the last published version lead nowhere, or to another kind of route"
    ) { change in
        change.routes.compactMap { route in
            guard let lost = change.successors(of: route).first(where: { $0.routes.isEmpty }) else { return nil }
            return change.problem(
                "routes",
                "no \(route.kind.rawValue) route matches all addresses of \(quoted(route.pattern)) of \(change.version), "
                    + "such as \(quoted(lost.expansion.example))")
        }
    }

    static let routeRestricted = LintRule(
        contract: "route-restricted", "a route of the last published version is exposed to fewer callers"
    ) { change in
        change.routes.filter { route in
            change.successors(of: route).contains { _, routes in
                !routes.isEmpty && !routes.contains { isExposed($0.exposure, like: route.exposure) }
            }
        }.map { route in
            change.problem(
                "routes", "\(quoted(route.pattern)) was exposed to \(callers(route.exposure)) in \(change.version)")
        }
    }

    static func callers(_ exposure: Exposure) -> String {
        switch exposure {
        case .internal: "the plugin itself"
        case .plugins: "other plugins"
        case .external: "external links"
        @unknown default: exposure.rawValue
        }
    }
}

extension LintRule {
    static let actionRemoved = LintRule(
        contract: "action-removed", "an action of the last published version is missing"
    ) { change in
        change.actions.filter { $0.new == nil }.map { name, _, _ in
            change.problem("targets", "the action \(quoted(name)) of \(change.version) is missing")
        }
    }

    static let actionRestricted = LintRule(
        contract: "action-restricted", "an action of the last published version is exposed to fewer callers"
    ) { change in
        change.actions.compactMap { name, old, new in
            guard let new, !isExposed(new.exposure, like: old.exposure) else { return nil }
            return change.problem(
                "targets", "the action \(quoted(name)) was exposed to \(callers(old.exposure)) in \(change.version)")
        }
    }

    static let parameterRequired = LintRule(
        contract: "parameter-required", "a route or an action requires a parameter that was optional or unknown",
        remedy: "make the parameter optional, or raise the major version (below 1.0.0 the minor version)"
    ) { change in
        guard let old = change.old.inputs, let new = change.inputs else { return [] }
        return new.flatMap { input -> [Problem] in
            guard let before = old.first(where: { isSame($0, input, in: change) }) else { return [] }
            return input.parameters.filter(\.isRequired).compactMap { parameter in
                let earlier = before.parameters.first { $0.name == parameter.name }
                // The parameters after one that hid them are not known.
                guard earlier?.isRequired == false || earlier == nil && before.isComplete else { return nil }
                let was = earlier == nil ? "had no" : "had an optional"
                return change.problem(
                    "code",
                    "\(quoted(input.subject)) requires the parameter \(quoted(parameter.name)), but \(change.version) "
                        + "\(was) parameter of this name")
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
    let catalog: [CatalogBundle]
    /// The declarations of the new version's code, if they are known.
    let inputs: [InputDeclaration]?
    let events: [EventDeclaration]?
    /// The names of the new version's libraries by their file names.
    let libraries: [String: LibrarySymbols]

    /// Compares nothing without a published version, and nothing if the new version's number allows breaking changes.
    ///
    /// By semantic versioning, these are changes of the major number, and below 1.0.0 of the minor number.
    init?(_ subject: LintSubject) {
        guard let new = subject.manifest, let old = subject.published else { return nil }
        let (one, other) = (old.manifest.identity.version, new.identity.version)
        guard one.major == other.major, one.major > 0 || one.minor == other.minor else { return nil }
        (self.old, self.new, catalog) = (old, new, subject.catalog ?? [])
        (inputs, events, libraries) = (subject.inputs, subject.events, subject.libraries)
    }

    /// The version that is compared, for sentences.
    var version: SemanticVersion { old.manifest.identity.version }

    /// The newest versions of the plugins that require this one, and would get the new version.
    var dependents: [CatalogBundle] {
        catalog.filter { bundle in
            bundle.manifest.requirements.contains {
                $0.identifier == new.identity.identifier && $0.versions.contains(new.identity.version)
            }
        }
    }

    /// Returns a problem that breaks all dependents, any of which may use what has changed.
    func problem(_ place: String, _ what: String) -> LintRule.Problem {
        LintRule.Problem(place, what, breaks: dependents.map(\.manifest.identity.description).sorted())
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
