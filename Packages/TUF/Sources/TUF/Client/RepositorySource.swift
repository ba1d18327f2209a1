public import HTTPTransfer
import HostSystem
import Synchronization
public import TUFMetadata

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
    func read(_ path: String, receive: @escaping PieceReceiver) async throws(TUFError)
}

extension RepositorySource {
    /// Returns the content of a file.
    ///
    /// - Throws: ``TUFError`` with code `tooLong` for a file longer than a limit, of which no more is read.
    func content(of path: String, atMost limit: Int) async throws(TUFError) -> [UInt8] {
        let content = Mutex<[UInt8]>([])
        do {
            try await read(path, atMost: limit) { piece in content.withLock { $0.append(contentsOf: piece) } }
        } catch {
            throw error.about(path)
        }
        return content.withLock { $0 }
    }

    /// Reads a file until it ends or a step throws an error. Returns the length.
    ///
    /// - Throws: The error of a step; ``TUFError`` with code `tooLong` for a file longer than a limit, of which no more is read.
    @discardableResult
    func read(
        _ path: String, atMost limit: Int,
        step: @escaping @Sendable (UnsafeRawBufferPointer) throws(TUFError) -> Void
    ) async throws(TUFError) -> Int {
        let state = Mutex((length: 0, failure: TUFError?.none))
        do throws(TUFError) {
            try await read(path) { piece in
                state.withLock { state in
                    do throws(TUFError) {
                        guard piece.count <= limit - state.length else {
                            throw TUFError(.tooLong, detail: "more than \(limit) bytes")
                        }
                        state.length += piece.count
                        try step(piece)
                    } catch {
                        state.failure = error
                    }
                    return state.failure == nil
                }
            }
        } catch {
            // A transfer that a step has ended fails, but with an error that says less.
            throw state.withLock { $0.failure } ?? error
        }
        let (length, failure) = state.withLock { $0 }
        if let failure { throw failure }
        return length
    }
}

/// A repository on a web server.
///
/// ```swift
/// let source = HTTPSource("https://example.org/metadata", client: HTTPClient(userAgent: "example/1.0"))
/// ```
public struct HTTPSource: RepositorySource {
    private let base: String
    private let client: HTTPClient
    private let authorities: String?

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - base: The address below which the files are.
    ///   - client: The client, whose connections several sources can share.
    ///   - authorities: A file with certificate authorities in place of the system's, or nil.
    public init(_ base: String, client: HTTPClient, authorities: String? = nil) {
        self.base = base.hasSuffix("/") ? base : base + "/"
        self.client = client
        self.authorities = authorities
    }

    /// Fetches a file from the server.
    public func read(_ path: String, receive: @escaping PieceReceiver) async throws(TUFError) {
        var request = HTTPRequest(base + path)
        request.deadlines = HTTPDeadlines(total: .seconds(120))
        request.authorities = authorities
        do {
            try await client.get(request, start: { $0.status == 200 }, receive: receive)
        } catch {
            let code: TUFError.Code =
                switch error.code {
                case .notFound: .notFound
                case .certificateInvalid: .certificateInvalid
                default: .transferFailed
                }
            throw TUFError(code, path, detail: error.description)
        }
    }
}

/// A repository in a local folder.
public struct FolderSource: RepositorySource {
    private let path: String

    /// Creates a source.
    public init(_ path: String) {
        self.path = path
    }

    /// Reads a file of the folder.
    public func read(_ path: String, receive: @escaping PieceReceiver) async throws(TUFError) {
        // The separators of the path stay; an encoded one is part of a name, which no file has.
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains("."), !parts.contains("..") else { throw TUFError(.targetNameUnsafe, path) }
        var names: [String] = []
        for part in parts {
            guard let name = PercentEncoding.decoded(part), !name.contains("/"), !name.contains("\0") else {
                throw TUFError(.notFound, path)
            }
            names.append(name)
        }
        do throws(TUFError) {
            guard let file = try Folder(existingFolder: self.path)?.file(names.joined(separator: "/")) else {
                throw TUFError(.notFound, path)
            }
            while let piece = try file.next() {
                guard piece.withUnsafeBytes(receive) else { return }
            }
        } catch {
            throw TUFError(error.code == .system ? .transferFailed : error.code, path, detail: error.detail)
        }
    }
}
