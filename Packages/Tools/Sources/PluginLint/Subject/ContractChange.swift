import PluginCore
import PluginRouter

/// The last published version and the new one, if the new one promises to be compatible by its number.
struct ContractChange {
    let old: PublishedVersion
    let new: Manifest
    private let catalog: [CatalogBundle]

    /// Compares nothing without a published version, and nothing if the new version's number allows breaking changes.
    ///
    /// By semantic versioning, these are changes of the major number, and below 1.0.0 of the minor number.
    init?(_ subject: LintSubject) {
        guard let new = subject.manifest, let old = subject.published else { return nil }
        let (one, other) = (old.manifest.identity.version, new.identity.version)
        guard one.major == other.major, one.major > 0 || one.minor == other.minor else { return nil }
        self.old = old
        self.new = new
        catalog = subject.catalog ?? []
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

    /// The identities of all dependents, any of which may use what has changed.
    var broken: [String] { dependents.map(\.manifest.identity.description).sorted() }

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
