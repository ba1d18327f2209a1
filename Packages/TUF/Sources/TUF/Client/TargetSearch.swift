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

/// The metadata of targets roles, from the local folder or else from the repository.
struct TargetsLoader {
    let store: MetadataStore
    let source: any RepositorySource
    let limits: ClientLimits
    let time: UTCTime

    /// Returns the metadata of a role that the keys of its delegator have signed.
    ///
    /// Unless `verified` is given, a saved file is verified by these keys again, because another delegator with other keys may have led
    /// to it.
    ///
    /// - Parameter verified: The saved file, if its signatures have been verified already.
    func load(
        _ role: String, keys: [String: PublicKey], role roleKeys: RoleKeys, snapshot: Snapshot, isConsistent: Bool,
        verified: SignedMetadata<Targets>? = nil
    ) async throws(TUFError) -> SignedMetadata<Targets> {
        guard let description = snapshot[role] else { throw TUFError(.roleUnknown, role) }
        if let saved = verified ?? store.metadata(role, Targets.self), description.describes(saved, at: time),
            verified != nil || (try? saved.verify(by: keys, role: roleKeys)) != nil
        {
            return saved
        }
        let name = RepositoryLayout.metadata(role, version: isConsistent ? description.version : nil)
        let bytes = try await source.content(
            of: name, atMost: limits.most(description.length, or: limits.targetsLength))
        return try about(name) { () throws(TUFError) in
            let metadata: SignedMetadata<Targets> = try description.verified(bytes, keys: keys, role: roleKeys)
            try metadata.content.checkExpiry(at: time)
            try store.save(role, bytes)
            return metadata
        }
    }

    /// Returns the metadata of a delegated role.
    func load(
        _ step: TargetSearch.Step, in trusted: TrustedMetadata
    ) async throws(TUFError) -> SignedMetadata<Targets> {
        try await load(
            step.delegation.name, keys: step.keys, role: step.delegation.keys, snapshot: trusted.snapshot.content,
            isConsistent: trusted.root.content.isConsistent)
    }
}

/// Returns what a closure returns or throws.
func result<Value>(_ body: () async throws(TUFError) -> Value) async -> Result<Value, TUFError> {
    do throws(TUFError) {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}
