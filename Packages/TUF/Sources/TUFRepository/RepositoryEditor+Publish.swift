internal import Files
public import TUFMetadata

extension RepositoryEditor {
    /// Signs all that has changed, and writes it so that clients see the whole new state or the whole old one.
    ///
    /// - Parameters:
    ///   - keys: The keys that are here. Keys of no role that has changed are not used.
    ///   - time: The time from which lifetimes are counted.
    /// - Throws: ``TUFError`` with code `notSigned` if keys are missing; then nothing has been written. With code `busy` if the
    ///   repository is or was published by others since it was opened. With code `tooLong` if a role has too many targets for clients.
    public mutating func publish(signedBy keys: [SecretKey], at time: UTCTime = .now) throws(TUFError) {
        let lock: FolderLock
        if let own = self.lock { lock = own } else { lock = try folder.lock() }
        defer { withExtendedLifetime(lock) {} }
        let current: SignedMetadata<Timestamp>? = try folder.read("timestamp.json")
        guard current?.bytes == published?.timestamp.bytes else {
            throw TUFError(.busy, detail: "the repository has changed since it was opened")
        }
        folder.removeLeftovers()
        let publication = try Publication(of: self, keys: keys, time: time)
        try publication.write()
        var next = try RepositoryEditor(folder: folder.path)
        (next.lifetimes, next.hashAlgorithms, next.snapshotHasHashes) = (lifetimes, hashAlgorithms, snapshotHasHashes)
        next.longestTargets = longestTargets
        next.lock = self.lock
        self = next
    }
}
