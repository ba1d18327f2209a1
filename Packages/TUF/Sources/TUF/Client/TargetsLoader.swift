import TUFMetadata

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
