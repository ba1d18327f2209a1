public import PluginCore

/// A check that a plugin provides exactly what its complete manifest declares.
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

    /// Returns all differences between manifest and plugin, one line each, and the errors of the routes.
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
        var problems = identityProblems(of: context) + problems(of: PrincipalType(type(of: bundle)).declarations)
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

    private func identityProblems(of context: BundleContext) -> [String] {
        var problems: [String] = []
        if manifest.identity != context.identity {
            problems.append("the manifest is of \(manifest.identity), the context of \(context.identity)")
        }
        if manifest.entry == nil { problems.append("the plugin has code and the manifest no entry") }
        if manifest.coreABI != CoreVersion.abi {
            problems.append("the manifest is for Core ABI \(manifest.coreABI), Core speaks \(CoreVersion.abi)")
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
            guard let request = try route.request(at: address) else { return "does not take its sample \(address)" }
            switch (route.kind, try await principal.resource(for: request)) {
            case (.page, .page), (.handler, _), (.object, .object): return nil
            case (.page, _): return "declared as a page, answered with an object"
            case (_, _): return "declared as \(route.kind.rawValue), answered with a page"
            }
        } catch {
            return "\(error)"
        }
    }
}
