/// Everything that the code of a plugin declares, in the form of a manifest.
///
/// `bundletool pack` writes it into the package's manifest, from which a host knows it without loading the code.
public struct BundleDeclarations: Hashable, Sendable, Codable {
    /// The routes. Their exposure is the default one, because it is decided in the manifest.
    public let routes: [RouteDeclaration]
    /// The targets with their actions.
    public let targets: [TargetDeclaration]
    /// The names of the services.
    public let services: [String]
    /// The extension points.
    public let extensionPoints: [ExtensionPointDeclaration]
    /// The parameters and results of routes and actions, which are not part of a manifest.
    public let inputs: [InputDeclaration]
    /// The events, which are not part of a manifest.
    public let events: [EventDeclaration]
    /// The contradictions in the code, one line each: contracts of another kind, and names that are bound twice.
    public let problems: [String]

    /// Creates a list of declarations.
    public init(
        routes: [RouteDeclaration] = [], targets: [TargetDeclaration] = [], services: [String] = [],
        extensionPoints: [ExtensionPointDeclaration] = [], inputs: [InputDeclaration] = [],
        events: [EventDeclaration] = [], problems: [String] = []
    ) {
        self.events = events
        self.inputs = inputs
        self.routes = routes
        self.targets = targets
        self.services = services
        self.extensionPoints = extensionPoints
        self.problems = problems
    }

    @MainActor
    init<Bundle: BundleDelegate>(of type: Bundle.Type) {
        let (routes, actions) = (Bundle.routes.bindings, Bundle.targets.bindings)
        self.routes = routes.map(\.declaration)
        targets = actions.map(\.target).unique.map { target in
            TargetDeclaration(
                name: target,
                actions: actions.filter { $0.target == target }.compactMap {
                    $0.name.map { ActionDeclaration(name: $0) }
                })
        }
        services = Bundle.services.bindings.map(\.name)
        extensionPoints = Bundle.extensionPoints
        inputs = routes.map { $0.input() } + actions.compactMap { $0.input?() }
        events = Bundle.events
        problems =
            routes.compactMap { route in route.problem.map { "route \(route.declaration.pattern): \($0)" } }
            + Self.repeated(self.routes.map(\.pattern), "route")
            + Self.repeated(self.routes.map(\.name), "route name")
            + Self.repeated(actions.compactMap { action in action.name.map { "\(action.target).\($0)" } }, "action")
            + Self.repeated(services, "service")
            + Self.repeated(extensionPoints.map(\.identifier), "extension point")
            + Self.repeated(events.map(\.name), "event")
    }

    private static func repeated(_ names: [String], _ what: String) -> [String] {
        names.unique.filter { name in names.count { $0 == name } > 1 }.map { "\(what) \($0) is bound twice" }
    }
}

extension [String] {
    /// The distinct elements, in the order of their first occurrence.
    fileprivate var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
