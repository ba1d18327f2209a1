import HostSystem
public import PluginCore
public import Registry

/// The trust store of a sandbox, merged from the host's file and the sandbox's own file.
public struct TrustFile: Sendable {
    private let shipped: FilePath?
    private let own: FilePath

    /// The two files; nothing is read yet.
    ///
    /// - Parameters:
    ///   - shipped: the host's own file; it need not be there.
    ///   - own: the sandbox's file, the one that is changed; it need not be there either.
    public init(shipped: FilePath?, own: FilePath) {
        self.shipped = shipped
        self.own = own
    }

    /// The stamps of both files; while they are equal, so is the store.
    ///
    /// Examine them before calling ``read()``, so that a change between the two is noticed.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when a folder can't be searched.
    var stamps: [FileStamp?] {
        get throws(AtriumError) {
            [try shipped.flatMap { path throws(AtriumError) in try FileStamp(of: path) }, try FileStamp(of: own)]
        }
    }

    /// Reads and merges both files; a missing file counts as empty.
    ///
    /// - Throws: ``AtriumError`` with code `trustInvalid` for an invalid file, and `inputOutput` or `sandboxUnwritable` for one
    ///   that can't be read: a damaged file never counts as empty.
    public func read() throws(AtriumError) -> TrustStore {
        try readShipped().merged(with: Self.store(at: own))
    }

    /// Reads the host's file.
    public func readShipped() throws(AtriumError) -> TrustStore {
        guard let shipped else { return .empty }
        return try Self.store(at: shipped)
    }

    /// Changes the sandbox's file atomically. The caller must hold the sandbox's writer lock.
    ///
    /// - Parameter change: receives the merged store, and returns the changed one.
    /// - Returns: the merged store before and after the change.
    /// - Throws: as ``read()``, any error of `change`, and ``AtriumError`` with code `trustConflict` for a change that the
    ///   host's file doesn't permit.
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
                .trustConflict, self.shipped?.string ?? "", reason: "shippedContradicts")
        }
        let bytes = addition.encoded()
        guard bytes.count <= TrustStore.sizeLimit else {
            throw AtriumError(
                .trustConflict, own, reason: "trustTooLarge", ["limit": .integer(TrustStore.sizeLimit)])
        }
        try FileSystem.makeFolders(own.parent)
        try FileSystem.replace(own, with: bytes, mode: FileSystem.privateMode(replacing: own))
        return (before, after)
    }

    private static func store(at path: FilePath) throws(AtriumError) -> TrustStore {
        guard try FileStamp(of: path) != nil else { return .empty }
        return try TrustStore(
            reading: FileSystem.bytes(of: path, limit: TrustStore.sizeLimit), named: path.string)
    }

    /// Creates the trust store of a sandbox, without reading it.
    ///
    /// - Parameter shipped: the host's file, which need not exist.
    public init(shipped: FilePath?, sandbox: Sandbox) {
        self.init(shipped: shipped, own: sandbox.trust)
    }
}
