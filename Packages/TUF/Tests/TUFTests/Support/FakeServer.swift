import Synchronization
import TUF
import TUFMetadata

/// A server in memory that an attacker may control.
final class FakeServer: RepositorySource {
    private let state = Mutex((files: [String: [UInt8]](), requests: [String](), isEndless: false))

    subscript(path: String) -> [UInt8]? {
        get { state.withLock { $0.files[path] } }
        set { state.withLock { $0.files[path] = newValue } }
    }

    var files: [String: [UInt8]] { state.withLock { $0.files } }

    /// The paths that were read.
    var requests: [String] { state.withLock { $0.requests } }

    /// A Boolean value that indicates whether files never end.
    var isEndless: Bool {
        get { state.withLock { $0.isEndless } }
        set { state.withLock { $0.isEndless = newValue } }
    }

    func forgetRequests() { state.withLock { $0.requests = [] } }

    func read(_ path: String, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) async throws(TUFError) {
        let (file, isEndless) = state.withLock { state in
            state.requests.append(path)
            return (state.files[path], state.isEndless)
        }
        guard let file else { throw TUFError(.notFound, path) }
        guard file.withUnsafeBytes(receive) else { return }
        let noise = [UInt8](repeating: 0x20, count: 1 << 16)
        while isEndless, noise.withUnsafeBytes(receive) {}
    }
}
