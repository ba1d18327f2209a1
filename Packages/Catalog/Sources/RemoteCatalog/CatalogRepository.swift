import HTTPTransfer
import HostSystem
import PluginCore
import PluginRuntime
import TUF
import TUFMetadata

/// The verified metadata of a catalog, which is refreshed when it is older than its maximum age.
actor CatalogRepository {
    /// The state of the metadata.
    struct Current {
        let metadata: TrustedMetadata
        /// The reason why the newest state could not be fetched; `nil` if it was.
        let failure: AtriumError?
        /// The number of the state in ``RefreshClock``, to which answers from this metadata belong.
        var number = 0
    }

    nonisolated let settings: RemoteCatalogSettings
    nonisolated let client: TUFClient
    nonisolated let clock: RefreshClock
    /// The addresses of the web servers with the catalog; none for a folder.
    nonisolated let servers: [String]
    private nonisolated let source: MirroredSource
    private var result: Result<Current, AtriumError>?
    private var running: Task<Result<Current, AtriumError>, Never>?

    init(_ settings: RemoteCatalogSettings, _ transfer: HTTPClient) {
        self.settings = settings
        clock = RefreshClock(maximumAge: .seconds(settings.maximumAge))
        let targets: any RepositorySource
        switch settings.address {
        case .web(let address):
            servers = ([settings.address] + settings.mirrors).filter(\.isWeb).map(\.text)
            let authorities = settings.authorities?.string
            source = MirroredSource(
                servers.map {
                    MetadataSource(server: HTTPSource("\($0)/metadata", client: transfer, authorities: authorities))
                })
            targets = HTTPSource("\(address)/targets", client: transfer, authorities: authorities)
        case .folder(let path):
            servers = []
            source = MirroredSource([FolderSource(path.appending("metadata").string)])
            targets = FolderSource(path.appending("targets").string)
        }
        client = TUFClient(folder: settings.folder.appending("metadata").string, metadata: source, targets: targets)
    }

    nonisolated var name: String { settings.address.description }

    /// Returns the current state, which is refreshed first if it is too old.
    ///
    /// If the server cannot be reached, this is the last trusted state until it expires.
    func state(isNew: Bool = false) async throws(AtriumError) -> Current {
        if !isNew, clock.current != nil, let result { return try result.get() }
        let task = running ?? Task { await self.refresh() }
        running = task
        let result = await task.value
        if running == task { running = nil }
        return try result.get()
    }

    /// Searches a target, from another server if the current one fails.
    nonisolated func find(_ path: String, in metadata: TrustedMetadata) async throws(AtriumError) -> FoundTarget? {
        try await asking { client throws(TUFError) in try await client.find(path, in: metadata) }
    }

    /// Returns all targets, from another server if the current one fails.
    nonisolated func targets(in metadata: TrustedMetadata) async throws(AtriumError) -> [FoundTarget] {
        try await asking { client throws(TUFError) in try await client.targets(in: metadata) }
    }

    private nonisolated func asking<Answer>(
        _ ask: (TUFClient) async throws(TUFError) -> Answer
    ) async throws(AtriumError) -> Answer {
        while true {
            let index = source.index
            do {
                return try await ask(client)
            } catch {
                guard error.isOfConnection, source.leave(index) else { throw AtriumError(error, of: name) }
            }
        }
    }

    /// The addresses of the servers, those before the current one last.
    nonisolated var serversFromCurrent: [String] {
        let index = min(source.index, servers.count)
        return Array(servers[index...] + servers[..<index])
    }

    /// A Boolean value that indicates whether a root is pinned.
    nonisolated var hasRoot: Bool {
        get throws(AtriumError) { try FileSystem.item(at: settings.folder.appending("metadata/root.json")) != nil }
    }

    /// Pins the first root.
    nonisolated func pin(_ root: [UInt8]) throws(AtriumError) {
        do {
            let metadata = try SignedMetadata<Root>(root)
            try metadata.verify(by: metadata.content, as: .root)
            try client.initialize(root: root)
        } catch {
            if error.code == .rootPresent {
                throw AtriumError(.catalogUntrusted, name, reason: "rootPinnedAlready")
            }
            throw AtriumError(error, of: name)
        }
    }

    /// Pins the root of the settings, unless one is pinned.
    private func pinGivenRoot() throws(AtriumError) {
        guard let root = settings.root, try !hasRoot else { return }
        guard case .file(let bytes, _) = try FileSystem.contents(of: root, limit: 1 << 20) else {
            throw AtriumError(.inputOutput, root, reason: "fileUnreadable")
        }
        try pin(bytes)
    }

    private func refresh() async -> Result<Current, AtriumError> {
        let pinned = Result { () throws(AtriumError) in try pinGivenRoot() }
        let newest =
            if case .failure(let error) = pinned { Result<Current, AtriumError>.failure(error) } else {
                await newest()
            }
        let isNewest = (try? newest.get()).map { $0.failure == nil } ?? false
        let number = clock.advance(afterFailure: !isNewest)
        let result = newest.map { Current(metadata: $0.metadata, failure: $0.failure, number: number) }
        self.result = result
        return result
    }

    /// Returns the newest state from the first server that has it, or else the last trusted one.
    private func newest() async -> Result<Current, AtriumError> {
        source.restart()
        var first: TUFError?
        while true {
            let index = source.index
            do {
                return .success(Current(metadata: try await client.refresh(), failure: nil))
            } catch {
                // A mirror that is behind is no attack that the user has to know of, and no help.
                let isBehind = error.code == .rollback || error.code == .expired
                let isOfConnection = error.isOfConnection || index > 0 && isBehind
                first = first ?? error
                guard isOfConnection, source.leave(index) else {
                    return lastTrusted(after: isOfConnection ? first ?? error : error)
                }
            }
        }
    }

    /// Returns the last trusted state if only the connection has failed.
    private func lastTrusted(after error: TUFError) -> Result<Current, AtriumError> {
        let failure = AtriumError(error, of: name)
        guard error.isOfConnection || error.code == .busy else { return .failure(failure) }
        do {
            let metadata = try client.trusted()
            settings.onFallback(failure, metadata.expires.seconds)
            return .success(Current(metadata: metadata, failure: failure))
        } catch {
            // Without a trusted state, or after its end, the connection is what the user can do something about.
            return .failure(failure)
        }
    }
}
