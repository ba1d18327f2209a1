public import PluginCore
internal import PluginRouter

extension ManifestContract {
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
    public func problems<Input: Codable & Sendable, Output: Codable & Sendable>(
        of contract: RouteContract<Input, Output>, samples: [Input] = []
    ) -> [String] {
        let pattern = contract.pattern
        guard let route = manifest.routes.first(where: { $0.pattern == pattern }) else {
            let nearest = Nearest.words(to: pattern, in: manifest.routes.map(\.pattern))
            return ["\(pattern) is not declared" + (nearest.first.map { "; did you mean \($0)?" } ?? "")]
        }
        guard route.kind == contract.kind else {
            return ["\(pattern) is declared as \(route.kind.rawValue), not as \(contract.kind.rawValue)"]
        }
        return samples.compactMap { sample in
            do {
                return try problem(of: contract, at: sample)
            } catch {
                return "\(pattern) has no address for \(sample): \(error)"
            }
        }
    }

    private func problem<Input: Codable & Sendable, Output: Codable & Sendable>(
        of contract: RouteContract<Input, Output>, at sample: Input
    ) throws(AtriumError) -> String? {
        let parts = try contract.parts(of: sample)
        let address = try RoutePattern(contract.pattern).address(parts, scheme: contract.scheme).text
        guard let first = try manifest.requests(at: address).first, first.route.pattern == contract.pattern else {
            let other = try manifest.requests(at: address).first?.route.pattern ?? "nothing"
            return "\(address) of \(contract.pattern) leads to \(other)"
        }
        guard try contract.parts(of: contract.input(of: first.request)) == parts else {
            return "\(address) of \(contract.pattern) reads back as another input"
        }
        return nil
    }
}
