import Doctor
import BundleFormat
import PageLayouts
public import PluginCatalog
public import PluginCore
import PluginRouter
public import PluginRuntime
import Registry

extension ComposedRoutes {
    /// Returns the handling of requests by this composition, for a host in which it is then also installed.
    ///
    /// - Parameters:
    ///   - navigator: shows pages.
    ///   - onDemand: the policy and the observer of installs on demand.
    public func routing(
        on navigator: any Navigator = PageStack(), _ onDemand: OnDemandSettings = OnDemandSettings()
    ) -> HostRouting {
        var routing = HostRouting(navigator)
        routing.directory = { ComposedDirectory(composed: self, registry: $0) }
        routing.onDemandProvider = {
            ComposedOnDemandProvider(composed: self, installer: OnDemandInstaller($0, onDemand))
        }
        routing.layoutPage = { try LayoutPage($0, of: $1, parameters: $2, router: $3) }
        routing.rules = rules.map(\.route)
        return routing
    }

    /// Registers the guards and fallbacks of the composition with a host whose requests it handles.
    ///
    /// - Throws: ``AtriumError`` if one of them cannot be registered.
    public func install(in host: Host) throws(AtriumError) { try install(in: host.router, host.mediator) }

    /// Registers the guards and fallbacks of the composition with a router.
    ///
    /// - Parameter mediator: performs the guards.
    func install(in router: Router, _ mediator: any Mediating) throws(AtriumError) {
        for check in guards { try router.intercept(.everything, by: RouteGuard(check, mediator)) }
        for scheme in schemes {
            for check in scheme.guards { try router.intercept(.scheme(scheme.name), by: RouteGuard(check, mediator)) }
            if let address = scheme.fallback { try router.fallback(.scheme(scheme.name), to: .address(address)) }
        }
        for member in bundles {
            for check in member.guards { try router.intercept(.bundle(member.pkg), by: RouteGuard(check, mediator)) }
        }
        for fallback in fallbacks {
            try router.fallback(.pattern(fallback.pattern.text), to: .address(fallback.address))
        }
        if let fallback { try router.fallback(.everything, to: .address(fallback)) }
    }
}

/// A route directory that puts the rules of the composition before the routes of the manifests.
struct ComposedDirectory: RouteDirectory {
    let composed: ComposedRoutes
    let registry: Registry

    func routes(withFirstSegments firstSegments: [String]) async throws -> [Route] {
        func mayMatch(_ rule: ComposedRule) -> Bool { !Set(firstSegments).isDisjoint(with: rule.pattern.firstSegments) }
        let declared = try registry.routes.routes(withFirstSegments: firstSegments)
        let routes = try composed.rules.filter(mayMatch).compactMap(route) + declared
        let entries = composed.entries.filter(mayMatch)
        return try entries.isEmpty ? routes : routes + self.entries(entries, besides: routes).compactMap(route)
    }

    /// Returns the entry rules whose address no route has. A route that a manifest declares for it takes precedence over the entry page.
    private func entries(_ entries: [ComposedRule], besides routes: [Route]) -> [ComposedRule] {
        let taken = Set(routes.flatMap(\.pattern.canonicalKeys))
        return entries.filter { taken.isDisjoint(with: $0.pattern.canonicalKeys) }
    }

    /// Returns all rules and the entry pages whose address no manifest declares.
    ///
    /// Each rule contains the guards of its page if its bundle is installed.
    func rules() throws -> [(rule: Route, isInstalled: Bool)] {
        let rules = try composed.rules.map { rule in try route(of: rule).map { ($0, true) } ?? (rule.route, false) }
        let entries = entries(composed.entries, besides: try registry.routes.all())
        return rules + (try entries.compactMap(route).map { ($0, true) })
    }

    /// Returns the rules whose page the installed bundle lacks, each with the reason.
    func deadRules(in sandbox: Sandbox) throws(AtriumError) -> [(rule: ComposedRule, reason: ErrorReason)] {
        var dead: [(rule: ComposedRule, reason: ErrorReason)] = []
        for rule in composed.rules {
            guard let bundle = try owner(of: rule) else { continue }
            let manifest = try registry.versions.manifest(of: bundle)
            let resources = BundleResources(
                root: sandbox.folder(of: bundle.identity, digest: bundle.digest).appending("Resources"), languages: [])
            guard !rule.hasPage(in: manifest, resources) else { continue }
            let reason = ErrorReason(
                "rulePageMissing",
                ["address": .text(rule.pattern.text), "page": .text(rule.text), "bundle": "\(bundle.identity)"])
            dead.append((rule, reason))
        }
        return dead
    }

    func patterns() async throws -> [String] {
        // A rule of a bundle that is not installed would be a suggestion that fails, too.
        try (composed.rules + composed.entries).compactMap(route).map(\.pattern.text) + registry.routes.patterns()
    }

    func isSameTeam(_ owner: String, _ other: String) async throws -> Bool {
        try await registry.routes.isSameTeam(owner, other)
    }

    private func owner(of rule: ComposedRule) throws(AtriumError) -> PluginBundle? {
        guard let owner = BundleIdentifier(rule.owner) else { return nil }
        return try registry.active.bundle(owner)?.active
    }

    /// Returns the route of a rule; `nil` while its bundle is not installed.
    private func route(of rule: ComposedRule) throws -> Route? {
        guard let bundle = try owner(of: rule) else { return nil }
        let manifest = try registry.versions.manifest(of: bundle)
        if rule.text.isEmpty, manifest.entryPage(rule.converters) == nil { return nil }
        return rule.route(in: manifest)
    }
}

/// The on-demand provider that prefers the bundle named by the composition over other bundles that match an address.
struct ComposedOnDemandProvider: OnDemandProvider {
    let composed: ComposedRoutes
    let installer: OnDemandInstaller

    func providingBundle(ofRoute query: RouteQuery) async throws -> String? {
        guard let (named, refusal) = try await found(for: query) else {
            return try await installer.providingBundle(ofRoute: query)
        }
        // Even if the bundle cannot be installed, no other bundle may serve its addresses.
        return refusal == nil ? named.identifier.text : nil
    }

    func refusal(ofRoute query: RouteQuery) async throws -> AtriumError? {
        guard let found = try await found(for: query) else { return try await installer.refusal(ofRoute: query) }
        return found.refusal
    }

    private func found(for query: RouteQuery) async throws -> (named: Manifest, refusal: AtriumError?)? {
        try await installer.search { offers in
            try named(for: query, in: offers).map { ($0, installer.refusal(of: $0, in: offers)) }
        }
    }

    /// Returns the manifest of the bundle that the composition names for an address, if it is offered and matches.
    private func named(for query: RouteQuery, in offers: OfferedVersions) throws -> Manifest? {
        for rule in composed.rules where rule.pattern.matches(query.uri) {
            // The manifest is asked as it will be after the install, because the page's own guards and exposure count.
            guard let manifest = try offer(of: rule.owner, in: offers) else { continue }
            if query.isServed(by: rule.route(in: manifest)) { return manifest }
        }
        guard let member = composed.member(for: query.uri), let manifest = try offer(of: member.pkg, in: offers) else {
            return nil
        }
        if manifest.serves(query, converters: offers.converters) { return manifest }
        let entry = composed.entries.first { $0.owner == member.pkg && $0.pattern.matches(query.uri) }
        guard let entry, manifest.entryPage(entry.converters) != nil else { return nil }
        return query.isServed(by: entry.route(in: manifest)) ? manifest : nil
    }

    private func offer(of name: String, in offers: OfferedVersions) throws -> Manifest? {
        guard let identifier = BundleIdentifier(name), try isOffered(identifier, in: offers) else { return nil }
        return try offers.offer(of: identifier)
    }

    func providingBundle(ofTarget name: String) async throws -> TargetListing? {
        try await installer.providingBundle(ofTarget: name)
    }

    func providingBundle(ofService name: String) async throws -> String? {
        try await installer.providingBundle(ofService: name)
    }

    func patterns() async throws -> [String] {
        let rules = try await installer.search { offers in
            try (composed.rules + composed.entries).filter {
                try BundleIdentifier($0.owner).map { try isOffered($0, in: offers) } ?? false
            }
        }
        return try await installer.patterns() + rules.map(\.pattern.text)
    }

    func absence(of uri: ResourceURI) async throws -> ErrorReason? {
        guard let member = composed.member(for: uri), let bundle = BundleIdentifier(member.pkg),
            try await installer.search({ try $0.isAbsent(bundle) })
        else { return nil }
        return ErrorReason("memberAbsent", ["bundle": .text(bundle), "uri": .text(member.uri)])
    }

    func withOnDemandInstall<R: Sendable>(
        _ owner: String, _ use: @Sendable () async throws -> R
    ) async throws -> R {
        try await installer.withOnDemandInstall(owner, use)
    }

    /// Returns whether the catalog offers a bundle that is not installed.
    private func isOffered(_ identifier: BundleIdentifier, in offers: OfferedVersions) throws -> Bool {
        guard try installer.registry.active.bundle(identifier) == nil else { return false }
        // As in the installer, an unreachable catalog offers nothing.
        return (try? offers.catalog.versions(of: identifier))?.isEmpty == false
    }
}
