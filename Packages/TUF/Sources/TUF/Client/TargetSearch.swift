import TUFMetadata

/// The search for a target: each role before those to which it delegates, and these in order.
///
/// See section 5.6.7 of the specification.
struct TargetSearch {
    /// A role to visit, with the delegator that led to it.
    struct Step {
        let delegation: Delegation
        let keys: [String: PublicKey]
    }

    let trusted: TrustedMetadata
    let limit: Int
    /// Returns the metadata of a role that the keys of its delegator have signed.
    let load: (Step) async throws(TUFError) -> SignedMetadata<Targets>

    func find(_ path: String) async throws(TUFError) -> FoundTarget? {
        if let file = trusted.targets.content[path] { return FoundTarget(path: path, file: file, role: "targets") }
        // Encoded names, because they are compared byte by byte.
        var visited: Set<String> = ["targets"]
        // The next role is the last one.
        var steps: [Step] = []
        try Self.push(trusted.targets.content, path, onto: &steps)
        while let step = steps.popLast(), visited.count < limit {
            let name = step.delegation.name
            guard visited.insert(PercentEncoding.encoded(name)).inserted else { continue }
            let role = try await load(step)
            if let file = role.content[path] { return FoundTarget(path: path, file: file, role: name) }
            try Self.push(role.content, path, onto: &steps)
        }
        return nil
    }

    /// Adds the delegations of a role that cover a path. A terminating one ends the search after it and its own delegations.
    private static func push(_ role: Targets, _ path: String, onto steps: inout [Step]) throws(TUFError) {
        guard let delegations = role.delegations else { return }
        var children: [Step] = []
        for delegation in try delegations.roles(covering: path) {
            children.append(Step(delegation: delegation, keys: delegations.keys))
            if delegation.isTerminating {
                steps.removeAll()
                break
            }
        }
        steps += children.reversed()
    }
}
