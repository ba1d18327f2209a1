public import PluginCore

/// A check that a plugin provides exactly what its manifest declares.
///
/// ```swift
/// let contract = ManifestContract(try PluginFolder().manifest())
/// let problems = await contract.problems(of: bundle, in: bench.context, samples: ["shop/item/:id": "app://shop/item/42"])
/// #expect(problems == [])
/// ```
public struct ManifestContract: Sendable {
    let manifest: Manifest

    /// Creates a check for a manifest.
    public init(_ manifest: Manifest) {
        self.manifest = manifest
    }

    /// Returns all differences between manifest and plugin, one line each.
    ///
    /// - Parameters:
    ///   - principal: The plugin, loaded with `context`.
    ///   - context: The context that it was loaded with.
    ///   - samples: An address to open, by pattern. For other patterns, an example address is used.
    @MainActor
    public func problems(
        of principal: any BundleDelegate, in context: BundleContext, samples: [String: String] = [:]
    ) async -> [String] {
        var problems = identityProblems(of: context)
        for pattern in samples.keys.sorted() where !manifest.routes.contains(where: { $0.pattern == pattern }) {
            problems.append("a sample is there for \(pattern), which is not declared")
        }
        for route in manifest.routes {
            let sample = samples[route.pattern]
            if let problem = await problem(of: route, at: sample, principal: principal, resources: context.resources) {
                problems.append("\(route.pattern): \(problem)")
            }
        }
        problems += serviceProblems(of: context.services)
        return problems + targetProblems(of: principal) + (await undeclaredProblems(of: principal))
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
        of route: RouteDeclaration, at sample: String?, principal: any BundleDelegate, resources: BundleResources
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

    @MainActor
    private func targetProblems(of principal: any BundleDelegate) -> [String] {
        manifest.targets.flatMap { declared -> [String] in
            guard let target = principal.target(named: declared.name) else {
                return ["target \(declared.name) is declared and not there"]
            }
            let missing = Set(declared.actions.map(\.name)).subtracting(target.actionNames).sorted()
            let undeclared = Set(target.actionNames).subtracting(declared.actions.map(\.name)).sorted()
            return (target.name == declared.name ? [] : ["target \(declared.name) calls itself \(target.name)"])
                + missing.map { "action \(declared.name).\($0) is declared and not there" }
                + undeclared.map { "action \(declared.name).\($0) is there and not declared" }
        }
    }

    /// Returns problems for names that are not declared. A plugin that accepts any name would hide a misspelled manifest.
    @MainActor
    private func undeclaredProblems(of principal: any BundleDelegate) async -> [String] {
        let name = "not-declared-anywhere"
        var problems: [String] = []
        if principal.target(named: name) != nil { problems.append("a target of any name is there") }
        do {
            let request = ResourceRequest(uri: try ResourceURI("app://\(name)"), name: name)
            _ = try await principal.resource(for: request)
            problems.append("a resource of any name is there")
        } catch let error as AtriumError where error.code == .resourceUnknown {
            // This is the expected error.
        } catch {
            problems.append("an unknown resource is refused with \(error), and not with resourceUnknown")
        }
        return problems
    }
}
