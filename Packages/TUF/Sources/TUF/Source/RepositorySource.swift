public import TUFMetadata
import Synchronization

/// A place from which the files of a repository are read, such as a web server.
///
/// Nothing that a source delivers is trusted; it may be controlled by an attacker.
public protocol RepositorySource: Sendable {
    /// Reads a file and passes its content on in pieces.
    ///
    /// - Parameters:
    ///   - path: The path relative to the source, in which all characters but unreserved ones and slashes are percent-encoded.
    ///   - receive: A closure that gets each piece, and returns whether to continue. When it returns false, the call may return normally.
    /// - Throws: ``TUFError`` with code `notFound` if there is no such file, or `transferFailed`.
    func read(
        _ path: String, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) async throws(TUFError)
}

extension RepositorySource {
    /// Returns the content of a file.
    ///
    /// - Throws: ``TUFError`` with code `tooLong` for a file longer than a limit, of which no more is read.
    func content(of path: String, atMost limit: Int) async throws(TUFError) -> [UInt8] {
        let content = Content(limit: limit)
        do throws(TUFError) {
            try await read(path) { content.append($0) }
        } catch {
            if content.isTooLong { throw TUFError(.tooLong, path, detail: "more than \(limit) bytes") }
            throw error
        }
        if content.isTooLong { throw TUFError(.tooLong, path, detail: "more than \(limit) bytes") }
        return content.bytes
    }
}

/// Content that is collected up to a limit.
private final class Content: Sendable {
    private let state = Mutex((bytes: [UInt8](), isTooLong: false))
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var isTooLong: Bool { state.withLock { $0.isTooLong } }

    /// Appends a piece. Returns whether all of it is within the limit.
    func append(_ piece: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            state.isTooLong = state.isTooLong || piece.count > limit - state.bytes.count
            if !state.isTooLong { state.bytes.append(contentsOf: piece) }
            return !state.isTooLong
        }
    }
}
