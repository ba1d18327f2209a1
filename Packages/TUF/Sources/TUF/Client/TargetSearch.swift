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

    init(_ role: TopLevelRole, of root: Root) {
        self.init(name: role.rawValue, role: root.keys(of: role), keys: root.keys)
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

/// The metadata of roles, from the local folder or else from the repository.
struct RoleLoader {
    let store: MetadataStore
    let source: any RepositorySource
    let limits: ClientLimits
    let time: UTCTime
    let isConsistent: Bool

    /// Returns the metadata of a targets role that the keys of its delegator have signed.
    ///
    /// Unless `verified` is given, a saved file is verified by these keys again, because another delegator with other keys may have led
    /// to it.
    ///
    /// - Parameter verified: The saved file, if its signatures have been verified already.
    func targets(
        _ reference: RoleReference, in snapshot: Snapshot, verified: SignedMetadata<Targets>? = nil
    ) async throws(TUFError) -> SignedMetadata<Targets> {
        guard let description = snapshot[reference.name] else { throw TUFError(.roleUnknown, reference.name) }
        let saved =
            verified
            ?? store.metadata(reference.name, Targets.self).flatMap { saved in
                (try? saved.verify(by: reference.keys, role: reference.role)).map { saved }
            }
        return try await load(reference, description, atMost: limits.targetsLength, saved: saved)
    }

    /// Returns a saved file that is the described one and has not expired, or else fetches it, verifies it and saves it.
    ///
    /// - Parameters:
    ///   - limit: The most bytes of a file without a described length.
    ///   - saved: The saved file, whose signatures have been verified.
    ///   - check: A closure that also has to accept a new content.
    func load<Content: RoleContent>(
        _ reference: RoleReference, _ description: FileDescription, atMost limit: Int, saved: SignedMetadata<Content>?,
        check: (Content) throws(TUFError) -> Void = { _ in }
    ) async throws(TUFError) -> SignedMetadata<Content> {
        if let saved, description.describes(saved), time < saved.content.expires { return saved }
        let name = RepositoryLayout.metadata(reference.name, version: isConsistent ? description.version : nil)
        let bytes = try await source.content(of: name, atMost: limits.most(description.length, or: limit))
        return try about(name) { () throws(TUFError) in
            // The hashes come first: they are a quick way to reject a file that is not the announced one.
            try description.verify(bytes)
            let new = try SignedMetadata<Content>(bytes)
            try new.verify(by: reference.keys, role: reference.role)
            guard new.content.version == description.version else {
                throw TUFError(.versionMismatch, detail: "\(new.content.version) in place of \(description.version)")
            }
            try check(new.content)
            try new.content.checkExpiry(at: time)
            try store.save(reference.name, bytes)
            return new
        }
    }
}

/// Returns what a closure returns or throws.
package func result<Value, Failure: Error>(
    _ body: () async throws(Failure) -> Value
) async -> Result<Value, Failure> {
    do {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}
