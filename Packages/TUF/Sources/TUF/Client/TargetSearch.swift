import TUFMetadata

/// A targets role, with the keys by which its metadata must be signed. Two delegators may have different ones.
struct RoleReference: Hashable {
    let name: String
    let role: RoleKeys
    let keys: [String: PublicKey]
    /// Encoded, because names are compared byte by byte.
    private let encodedName: String

    init(name: String, role: RoleKeys, keys: [String: PublicKey]) {
        self.name = name
        self.role = role
        self.keys = keys.filter { role.ids.contains($0.key) }
        encodedName = PercentEncoding.encoded(name)
    }
}

/// The search for a target: each role before those to which it delegates, and these in order.
///
/// See section 5.6.7 of the specification.
struct TargetSearch {
    let trusted: TrustedMetadata
    let limit: Int
    /// Returns the metadata of a role that the keys of its delegator have signed.
    let load: (RoleReference) async throws(TUFError) -> SignedMetadata<Targets>

    func find(_ path: String) async throws(TUFError) -> FoundTarget? {
        if let file = trusted.targets.content[path] { return FoundTarget(path: path, file: file, role: "targets") }
        // Encoded names, because they are compared byte by byte.
        var visited: Set<String> = ["targets"]
        // The next role is the last one.
        var next: [RoleReference] = []
        try Self.push(trusted.targets.content, path, onto: &next)
        while let reference = next.popLast(), visited.count < limit {
            guard visited.insert(PercentEncoding.encoded(reference.name)).inserted else { continue }
            let role = try await load(reference)
            if let file = role.content[path] { return FoundTarget(path: path, file: file, role: reference.name) }
            try Self.push(role.content, path, onto: &next)
        }
        return nil
    }

    /// Adds the delegations of a role that cover a path. A terminating one ends the search after it and its own delegations.
    private static func push(_ role: Targets, _ path: String, onto next: inout [RoleReference]) throws(TUFError) {
        guard let delegations = role.delegations else { return }
        var children: [RoleReference] = []
        for delegation in try delegations.roles(covering: path) {
            children.append(RoleReference(name: delegation.name, role: delegation.keys, keys: delegations.keys))
            if delegation.isTerminating {
                next.removeAll()
                break
            }
        }
        next += children.reversed()
    }
}

/// The metadata of targets roles, from the local folder or else from the repository.
struct TargetsLoader {
    let store: MetadataStore
    let source: any RepositorySource
    let limits: ClientLimits
    let time: UTCTime
    let snapshot: Snapshot
    let isConsistent: Bool

    /// Returns the metadata of a role that the keys of its delegator have signed.
    ///
    /// Unless `verified` is given, a saved file is verified by these keys again, because another delegator with other keys may have led
    /// to it.
    ///
    /// - Parameter verified: The saved file, if its signatures have been verified already.
    func load(
        _ reference: RoleReference, verified: SignedMetadata<Targets>? = nil
    ) async throws(TUFError) -> SignedMetadata<Targets> {
        let (role, keys) = (reference.name, reference.keys)
        guard let description = snapshot[role] else { throw TUFError(.roleUnknown, role) }
        if let saved = verified ?? store.metadata(role, Targets.self), description.describes(saved),
            time < saved.content.expires,
            verified != nil || (try? saved.verify(by: keys, role: reference.role)) != nil
        {
            return saved
        }
        let name = RepositoryLayout.metadata(role, version: isConsistent ? description.version : nil)
        let bytes = try await source.content(
            of: name, atMost: limits.most(description.length, or: limits.targetsLength))
        return try about(name) { () throws(TUFError) in
            let metadata: SignedMetadata<Targets> = try description.verified(bytes, keys: keys, role: reference.role)
            try metadata.content.checkExpiry(at: time)
            try store.save(role, bytes)
            return metadata
        }
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
