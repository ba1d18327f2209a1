import Synchronization
import TUF
import TUFMetadata

/// A server in memory that an attacker may control.
final class FakeServer: RepositorySource {
    private let state = Mutex((files: [String: [UInt8]](), requests: [String]()))

    subscript(path: String) -> [UInt8]? {
        get { state.withLock { $0.files[path] } }
        set { state.withLock { $0.files[path] = newValue } }
    }

    var files: [String: [UInt8]] { state.withLock { $0.files } }

    /// The paths that were read.
    var requests: [String] { state.withLock { $0.requests } }

    func forgetRequests() { state.withLock { $0.requests = [] } }

    func read(_ path: String, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) async throws(TUFError) {
        let file = state.withLock { state in
            state.requests.append(path)
            return state.files[path]
        }
        guard let file else { throw TUFError(.notFound, path) }
        _ = file.withUnsafeBytes(receive)
    }
}
