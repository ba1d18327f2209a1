import PageLayouts
public import PluginCore
import PluginRouter

/// A check that a plugin provides what its complete manifest declares, and that addresses lead to its contracts.
///
/// That the manifest declares what the code binds is checked when the manifest is completed, such as by ``TestBundleContext``.
///
/// ```swift
/// let bench = try TestBundleContext(of: ShopBundle.self)
/// let contract = ManifestContract(bench.manifest)
/// let problems = await contract.problems(of: bundle, in: bench.context, samples: ["shop/item/:id": "app://shop/item/42"])
/// #expect(problems == [])
/// ```
public struct ManifestContract: Sendable {
    let manifest: Manifest

    /// Creates a check for a manifest.
    public init(_ manifest: Manifest) {
        self.manifest = manifest
    }

    /// Returns the routes that do not provide what the manifest declares, and their errors, one line each.
    ///
    /// - Parameters:
    ///   - bundle: The plugin, started with `context`.
    ///   - context: The context that it was started with.
    ///   - samples: An address to open, by pattern. For other patterns, an example address is used.
    @MainActor
    public func problems(
        of bundle: some BundleDelegate, in context: BundleContext, samples: [String: String] = [:]
    ) async -> [String] {
        let principal = Principal(bundle)
        var problems: [String] = []
        if manifest.entry == nil { problems.append("the plugin has code and the manifest no entry") }
        if manifest.coreABI != CoreVersion.abi {
            problems.append("the manifest is for Core ABI \(manifest.coreABI), Core speaks \(CoreVersion.abi)")
        }
        for pattern in samples.keys.sorted() where !manifest.routes.contains(where: { $0.pattern == pattern }) {
            problems.append("a sample is there for \(pattern), which is not declared")
        }
        for route in manifest.routes {
            let sample = samples[route.pattern]
            if let problem = await problem(of: route, at: sample, principal: principal, resources: context.resources) {
                problems.append("\(route.pattern): \(problem)")
            }
        }
        return problems
    }

    @MainActor
    private func problem(
        of route: RouteDeclaration, at sample: String?, principal: Principal, resources: BundleResources
    ) async -> String? {
        do {
            if let layout = route.layout {
                _ = try resources.screen(layout)
                return nil
            }
            let address = try sample ?? route.example(scheme: "app")
            let found = try manifest.requests(at: address).first { $0.route == route }
            guard let request = found?.request else { return "does not take its sample \(address)" }
            switch (route.kind, try await principal.resource(for: request)) {
            case (.page, .page), (.handler, _), (.object, .object): return nil
            case (.page, _): return "declared as a page, answered with an object"
            case (_, _): return "declared as \(route.kind.rawValue), answered with a page"
            }
        } catch {
            return "\(error)"
        }
    }

    /// Returns the problems of a contract of the plugin's Interface, one line each.
    ///
    /// The manifest must declare its pattern and its kind, and the address of each sample must lead to that route and decode to the same
    /// input.
    ///
    /// ```swift
    /// #expect(contract.problems(of: ShopRoutes.item, samples: [ItemLink(id: 42)]) == [])
    /// ```
    ///
    /// - Parameters:
    ///   - contract: The contract.
    ///   - samples: Inputs from which addresses are created.
    public func problems<Contract: RouteContract>(
        of contract: Contract, samples: [Contract.Input] = []
    ) -> [String] {
        let pattern = contract.pattern
        guard let route = manifest.routes.first(where: { $0.pattern == pattern }) else {
            let nearest = Nearest.words(to: pattern, in: manifest.routes.map(\.pattern))
            return ["\(pattern) is not declared" + (nearest.first.map { "; did you mean \($0)?" } ?? "")]
        }
        guard route.kind == Contract.kind else {
            return ["\(pattern) is declared as \(route.kind.rawValue), not as \(Contract.kind.rawValue)"]
        }
        return samples.compactMap { sample in
            do {
                return try problem(of: contract, at: sample)
            } catch {
                return "\(pattern) has no address for \(sample): \(error)"
            }
        }
    }

    private func problem<Contract: RouteContract>(
        of contract: Contract, at sample: Contract.Input
    ) throws(AtriumError) -> String? {
        let parts = try contract.parts(of: sample)
        let address = try RoutePattern(contract.pattern).address(parts, scheme: contract.route.scheme).text
        let first = try manifest.requests(at: address).first
        guard let first, first.route.pattern == contract.pattern else {
            return "\(address) of \(contract.pattern) leads to \(first?.route.pattern ?? "nothing")"
        }
        guard try contract.parts(of: contract.input(of: first.request)) == parts else {
            return "\(address) of \(contract.pattern) reads back as another input"
        }
        return nil
    }
}

extension Manifest {
    /// Returns the routes that match an address in the order in which a router tries them, each with its request.
    ///
    /// - Throws: ``AtriumError`` with code `uriMalformed`, `patternMalformed` or `routeConflict`.
    func requests(
        at address: String, userInfo: ActionParameters = [:]
    ) throws(AtriumError) -> [(route: RouteDeclaration, request: ResourceRequest)] {
        let uri = try ResourceURI(address)
        let list = try RouteList(
            withoutConflicts: routes.map { route throws(AtriumError) in
                try Route(route, owner: identity.identifier.text)
            })
        return list.matches(for: uri).compactMap { match in
            zip(list.routes, routes).first { $0.0 === match.route }.map { _, route in
                (route, match.request(to: uri, userInfo: userInfo, from: .host))
            }
        }
    }
}

extension RouteDeclaration {
    /// Returns an address that the pattern matches, with the given scheme if the pattern has none.
    ///
    /// - Throws: ``AtriumError`` with code `patternMalformed`.
    public func example(scheme: String) throws(AtriumError) -> String {
        let form = try RoutePattern(pattern).expansions[0]
        return form.scheme == nil ? "\(scheme)://\(form.example)" : form.example
    }
}
