import TUFMetadata

/// The update of the root: the chain from the trusted one to the newest one.
///
/// See section 5.3 of the specification.
struct RootUpdate {
    let store: MetadataStore
    let source: any RepositorySource
    let limits: ClientLimits

    /// Returns the trusted root, which must be signed by its own keys.
    func trusted() throws(TUFError) -> SignedMetadata<Root> {
        guard let bytes = try store.read("root") else { throw TUFError(.rootMissing, "root.json") }
        do throws(TUFError) {
            let root = try SignedMetadata<Root>(bytes)
            try root.verify(by: root.content.keys, role: root.content.keys(of: .root))
            return root
        } catch {
            throw error.about("root.json")
        }
    }

    /// Follows the chain. Each new root is saved as soon as it is trusted.
    func run(from trusted: SignedMetadata<Root>) async throws(TUFError) -> SignedMetadata<Root> {
        var root = trusted
        for _ in 0..<limits.rootRotations {
            let (version, overflows) = root.content.version.addingReportingOverflow(1)
            let name = RepositoryLayout.metadata("root", version: version)
            guard !overflows, let bytes = try await file(name) else { break }
            do throws(TUFError) {
                let next = try SignedMetadata<Root>(bytes)
                // Both the keys that are trusted now and the new ones must agree.
                try next.verify(by: root.content.keys, role: root.content.keys(of: .root))
                try next.verify(by: next.content.keys, role: next.content.keys(of: .root))
                guard next.content.version == version else {
                    throw TUFError(.versionMismatch, detail: "\(next.content.version) in place of \(version)")
                }
                try recover(from: root.content, to: next.content)
                try store.save("root", bytes)
                root = next
            } catch {
                throw error.about(name)
            }
        }
        return root
    }

    /// Follows the chain, and returns the error with its type, which `async let` does not keep.
    func result(from trusted: SignedMetadata<Root>) async -> Result<SignedMetadata<Root>, TUFError> {
        do throws(TUFError) {
            return .success(try await run(from: trusted))
        } catch {
            return .failure(error)
        }
    }

    private func file(_ name: String) async throws(TUFError) -> [UInt8]? {
        do throws(TUFError) {
            return try await source.content(of: name, atMost: limits.rootLength)
        } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }

    /// Removes timestamp and snapshot if a key of one of them has been replaced.
    ///
    /// An attacker with the old key may have signed a very high version, which would make all later versions of the owner look like a
    /// rollback. This happens before the root is saved, so that an interruption in between cannot leave the old files in use.
    private func recover(from old: Root, to new: Root) throws(TUFError) {
        let isRotated = [TopLevelRole.timestamp, .snapshot].contains { role in
            !Set(old.keys(of: role).ids).isSubset(of: new.keys(of: role).ids)
        }
        guard isRotated else { return }
        try store.remove(.timestamp)
        try store.remove(.snapshot)
    }
}
