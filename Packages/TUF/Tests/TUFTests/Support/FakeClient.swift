import FoundationEssentials
import HostSystem
import TUF
import TUFMetadata
import Testing

/// A client in a temporary folder, which is removed with it.
final class FakeClient: Sendable {
    let folder: String
    private let metadata: FakeServer
    private let targets: FakeServer

    /// Creates a client that trusts the first root of a repository.
    init(of repository: FakeRepository, root: [UInt8]? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tuf-tests-\(UUID().uuidString)").path
        (metadata, targets) = (repository.metadata, repository.targets)
        try client().initialize(root: root ?? #require(repository.metadata["1.root.json"]))
    }

    /// Creates a client that has refreshed.
    static func refreshed(_ repository: FakeRepository) async throws -> (FakeClient, trusted: TrustedMetadata) {
        let client = try FakeClient(of: repository)
        return try await (client, client.client().refresh())
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func client(
        day: Int = 0, limits: ClientLimits = ClientLimits(), source: (any RepositorySource)? = nil
    ) -> TUFClient {
        TUFClient(
            folder: folder + "/metadata", metadata: source ?? metadata, targets: source ?? targets, limits: limits
        ) {
            FakeRepository.start.adding(days: day)
        }
    }

    /// Refreshes on a day after the start. Returns the code of the error, or nil.
    func refresh(day: Int = 0, limits: ClientLimits = ClientLimits()) async -> TUFError.Code? {
        await errorCode { try await client(day: day, limits: limits).refresh() }
    }

    /// Refreshes, searches a target and returns its content.
    func download(_ path: String) async throws -> String? {
        let client = client()
        let trusted = try await client.refresh()
        guard let found = try await client.find(path, in: trusted) else { return nil }
        let file = folder + "/targets/" + path.replacing("/", with: "%2F")
        try await client.download(found, in: trusted, to: file)
        return try String(contentsOfFile: file, encoding: .utf8)
    }

    /// The saved files by their names.
    var files: [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder + "/metadata")) ?? [] {
            files[name] = (try? Data(contentsOf: URL(filePath: folder + "/metadata/" + name))).map(Array.init) ?? []
        }
        return files
    }

    /// The versions of the saved files by the names of their roles.
    var versions: [String: Int] {
        var versions: [String: Int] = [:]
        for (name, bytes) in files {
            guard case .object(let file)? = try? JSONValue(parsing: bytes), case .object(let signed)? = file["signed"],
                case .integer(let version)? = signed["version"]
            else { continue }
            versions[name.replacing(".json", with: "")] = version
        }
        return versions
    }
}

extension TUFClient {
    /// Refreshes, searches a target and returns its content.
    func content(of path: String) async throws -> String? {
        let trusted = try await refresh()
        guard let found = try await find(path, in: trusted) else { return nil }
        let file = try newFolder() + "/file"
        try await download(found, in: trusted, to: file)
        return try String(contentsOfFile: file, encoding: .utf8)
    }
}

/// Returns the code of the error that a closure throws, which it must.
func errorCode<R>(_ body: () throws -> R) -> TUFError.Code? {
    #expect(throws: TUFError.self) { try body() }?.code
}

/// Returns the code of the error that a closure throws, or nil.
func errorCode<R>(_ body: () async throws -> R) async -> TUFError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? TUFError)?.code
    }
}
