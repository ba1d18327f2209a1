public import PluginCore

/// The trust store of a sandbox: the file that came with the host, and the sandbox's own.
public struct TrustFile: Sendable {
    private let shipped: FilePath?
    private let own: FilePath

    /// What the file system says of both files. As long as it is the same, so is what ``read()`` reads.
    public struct Identity: Hashable, Sendable {
        private let shipped: FileStamp?
        private let own: FileStamp?

        fileprivate init(_ file: TrustFile) throws(AtriumError) {
            shipped = try file.shipped.flatMap { path throws(AtriumError) in try FileStamp(of: path) }
            own = try FileStamp(of: file.own)
        }

        /// As it can be kept beyond the process; `nil` when a change from now on might not show, because one has just been made.
        var lasting: String? {
            let stamps = [shipped, own]
            return stamps.allSatisfy { $0?.isSettled ?? true }
                ? stamps.map { $0?.text ?? "-" }.joined(separator: " ") : nil
        }
    }

    /// The files of a sandbox; nothing is read yet.
    ///
    /// - Parameter shipped: the host's own file; it need not be there.
    public init(shipped: FilePath?, sandbox: Sandbox) {
        self.shipped = shipped
        own = sandbox.trust
    }

    /// Costs one look at each file, and reads none. To be taken before ``read()``, so that a change between the two shows.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when a folder cannot be searched.
    public var identity: Identity { get throws(AtriumError) { try Identity(self) } }

    /// What both files say together. A file that is not there says nothing.
    ///
    /// - Throws: ``AtriumError`` with code `trustInvalid` for a file that breaks a rule, and `inputOutput` or
    ///   `sandboxUnwritable` for one that cannot be read: never is a damaged file taken for an empty one.
    public func read() throws(AtriumError) -> TrustStore {
        try readShipped().merged(with: Self.store(at: own))
    }

    /// What came with the host.
    public func readShipped() throws(AtriumError) -> TrustStore {
        guard let shipped else { return .empty }
        return try Self.store(at: shipped)
    }

    /// Changes what the sandbox's file adds to the host's, in one step: whatever interrupts it, the file is the old one or
    /// the new one. Nobody else may change it meanwhile: the caller has the sandbox for itself.
    ///
    /// - Parameter change: gets what both files say together, and returns what they are to say.
    /// - Returns: what they said before, and what they say now.
    /// - Throws: as ``read()``, what `change` throws, and ``AtriumError`` with code `trustConflict` for what cannot be said
    ///   against the host's file.
    @discardableResult
    public func change(
        _ change: (TrustStore) throws(AtriumError) -> TrustStore
    ) throws(AtriumError) -> (before: TrustStore, after: TrustStore) {
        let (shipped, written) = (try readShipped(), try Self.store(at: own))
        let before = shipped.merged(with: written)
        let after = try change(before)
        guard after != before else { return (before, after) }
        let addition = after.addition(to: shipped, keeping: written)
        guard shipped.merged(with: addition) == after else {
            throw AtriumError(
                .trustConflict, self.shipped?.string ?? "", detail: "the file that came with the host says otherwise")
        }
        let bytes = addition.encoded()
        guard bytes.count <= TrustStore.sizeLimit else {
            throw AtriumError(
                .trustConflict, own.string, detail: "it would be larger than \(TrustStore.sizeLimit) bytes")
        }
        try FileSystem.makeFolders(own.parent)
        // Whoever may use the sandbox has to read whom it trusts.
        try FileSystem.replace(own, with: bytes, mode: 0o644)
        return (before, after)
    }

    private static func store(at path: FilePath) throws(AtriumError) -> TrustStore {
        guard try FileStamp(of: path) != nil else { return .empty }
        return try TrustStore(
            reading: FileSystem.bytes(of: path, limit: TrustStore.sizeLimit), named: path.string)
    }
}
