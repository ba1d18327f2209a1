public import TUFMetadata

/// A client of a TUF repository, with the state that it trusts in a local folder.
///
/// ```swift
/// let client = TUFClient(folder: "metadata", metadata: FolderSource("mirror/metadata"), targets: FolderSource("mirror/targets"))
/// try client.initialize(root: shippedRoot)  // once
/// let trusted = try await client.refresh()
/// if let target = try await client.find("shop-1.1.0.zip", in: trusted) {
///     try await client.download(target, in: trusted, to: "shop.zip")
/// }
/// ```
///
/// A client is a value without state of its own. Several processes may use one folder.
public struct TUFClient: Sendable {
    let store: MetadataStore
    let metadata: any RepositorySource
    let targets: any RepositorySource
    let limits: ClientLimits
    private let now: @Sendable () -> UTCTime

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - folder: The folder for trusted metadata, which contains nothing else.
    ///   - metadata: The place of the repository's metadata.
    ///   - targets: The place of the repository's targets.
    ///   - limits: The limits.
    ///   - now: The clock.
    public init(
        folder: String, metadata: any RepositorySource, targets: any RepositorySource,
        limits: ClientLimits = ClientLimits(), now: @escaping @Sendable () -> UTCTime = { .now }
    ) {
        store = MetadataStore(path: folder)
        self.metadata = metadata
        self.targets = targets
        self.limits = limits
        self.now = now
    }

    /// Saves the root that came with the application, from which all trust follows.
    ///
    /// The root is verified when it is used.
    ///
    /// - Throws: ``TUFError`` with code `rootPresent` if there is one already.
    public func initialize(root: [UInt8]) throws(TUFError) {
        guard try store.read("root") == nil else { throw TUFError(.rootPresent, "root.json") }
        try store.save("root", root)
    }

    /// Updates the metadata of the top-level roles from the repository.
    ///
    /// If it fails, all files that were verified before the failure are saved, and the last trusted state can still be used with
    /// ``trusted()``.
    ///
    /// - Returns: The metadata, which is valid at the time at which the call began.
    public func refresh() async throws(TUFError) -> TrustedMetadata {
        let lock = try await store.lock(waiting: limits.lockWait)
        defer { withExtendedLifetime(lock) {} }
        return try await Refresh(store: store, source: metadata, limits: limits, time: now()).run()
    }

    /// Returns the metadata of the last refresh without using the repository.
    ///
    /// - Throws: ``TUFError`` with code `expired` if any of it is not valid anymore, or `notFound` if some of it is missing.
    public func trusted() throws(TUFError) -> TrustedMetadata {
        try store.lastState(at: now())
    }

    /// Searches a target in the order of the delegations, and fetches the metadata of the roles on the way.
    ///
    /// Several searches may run at once.
    ///
    /// - Returns: The target, or nil if no role that may describe it does.
    public func find(_ path: String, in trusted: TrustedMetadata) async throws(TUFError) -> FoundTarget? {
        let loader = loader(for: trusted)
        return try await TargetSearch(trusted: trusted, limit: limits.visitedRoles) { role throws(TUFError) in
            try await loader.targets(role, in: trusted.snapshot.content)
        }.find(path)
    }

    /// Returns all targets that `find` finds, in the order of the bytes of their paths.
    ///
    /// This fetches the metadata of all roles. Targets whose search meets a role that has expired are left out, so that one delegated
    /// role whose owner is late does not take all others away; any other failure is thrown.
    ///
    /// - Throws: ``TUFError``, with code `tooManyRoles` if there are more roles than `listedRoles` of the limits.
    public func targets(in trusted: TrustedMetadata) async throws(TUFError) -> [FoundTarget] {
        try await TargetList(trusted: trusted, loader: loader(for: trusted), limits: limits).targets()
    }

    private func loader(for trusted: TrustedMetadata) -> RoleLoader {
        RoleLoader(
            store: store, source: metadata, limits: limits, time: trusted.time,
            isConsistent: trusted.root.content.isConsistent)
    }
}

/// The limits that protect a client from a repository under an attacker's control.
public struct ClientLimits: Hashable, Sendable {
    /// The length of a root in bytes.
    public var rootLength = 512_000
    /// The length of a timestamp in bytes.
    public var timestampLength = 16_384
    /// The length of a snapshot in bytes if the timestamp doesn't say it.
    public var snapshotLength = 2_000_000
    /// The length of targets metadata in bytes if the snapshot doesn't say it.
    public var targetsLength = 5_000_000
    /// The length of a snapshot or of targets metadata in bytes, whatever other metadata says: a stolen key must not fill the memory.
    public var describedLength = 50_000_000
    /// The number of roots that one refresh follows.
    public var rootRotations = 256
    /// The number of roles that one search visits.
    public var visitedRoles = 32
    /// The number of roles of which the targets are listed.
    public var listedRoles = 20_000
    /// The time to wait for another process that refreshes the same metadata.
    public var lockWait: Duration = .seconds(60)

    /// Creates the limits of the reference implementation, which has none for the described length.
    public init() {}

    /// Returns the most bytes to read of metadata.
    ///
    /// - Parameters:
    ///   - length: The length that other metadata gives.
    ///   - limit: The limit for metadata without one.
    func most(_ length: Int?, or limit: Int) -> Int { length.map { min($0, describedLength) } ?? limit }
}

/// A target with the role that describes it.
public struct FoundTarget: Hashable, Sendable {
    /// The path.
    public let path: String
    /// The length, the hashes and the data of the application.
    public let file: TargetFile
    /// The role that describes the target: `targets`, or a delegated one.
    public let role: String

    /// Creates a target that an application describes in the data of another one, with the length and the hashes.
    public init(path: String, file: TargetFile, role: String) {
        self.path = path
        self.file = file
        self.role = role
    }
}
