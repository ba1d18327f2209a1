import HTTPTransfer
import PluginCore
import TUF
import TUFMetadata

/// The verified metadata of a catalog, which is refreshed when it is older than its lifetime.
actor CatalogRepository {
    /// The state of the metadata.
    struct Current: Sendable {
        let metadata: TrustedMetadata
        /// The reason why the newest state could not be fetched; `nil` if it was.
        let failure: AtriumError?
    }

    nonisolated let settings: RemoteCatalogSettings
    nonisolated let client: TUFClient
    nonisolated let clock: RefreshClock
    private var result: Result<Current, AtriumError>?
    private var running: Task<Result<Current, AtriumError>, Never>?

    init(_ settings: RemoteCatalogSettings, _ transfer: HTTPClient) {
        self.settings = settings
        clock = RefreshClock(lifetime: .seconds(settings.lifetime))
        let metadata: any RepositorySource
        let targets: any RepositorySource
        switch settings.address {
        case .web(let address):
            let authorities = settings.authorities?.string
            metadata = HTTPSource("\(address)/metadata", client: transfer, authorities: authorities)
            targets = HTTPSource("\(address)/targets", client: transfer, authorities: authorities)
        case .folder(let path):
            metadata = FolderSource(path.appending("metadata").string)
            targets = FolderSource(path.appending("targets").string)
        }
        client = TUFClient(
            folder: settings.folder.appending("metadata").string, metadata: metadata, targets: targets)
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

    private func refresh() async -> Result<Current, AtriumError> {
        let result: Result<Current, AtriumError>
        do throws(TUFError) {
            result = .success(Current(metadata: try await client.refresh(), failure: nil))
        } catch {
            result = lastTrusted(after: error)
        }
        if case .success(let state) = result {
            clock.advance(afterFailure: state.failure != nil)
        } else {
            clock.advance(afterFailure: true)
        }
        self.result = result
        return result
    }

    /// Returns the last trusted state if only the connection has failed.
    private func lastTrusted(after error: TUFError) -> Result<Current, AtriumError> {
        let failure = AtriumError(error, of: name)
        guard [.transferFailed, .notFound, .busy].contains(error.code) else { return .failure(failure) }
        do throws(TUFError) {
            let metadata = try client.trusted()
            settings.onFallback(failure, metadata.expires.seconds)
            return .success(Current(metadata: metadata, failure: failure))
        } catch {
            // Without any trusted state, the connection is what the user can do something about.
            return .failure(error.code == .expired ? AtriumError(error, of: name) : failure)
        }
    }
}
