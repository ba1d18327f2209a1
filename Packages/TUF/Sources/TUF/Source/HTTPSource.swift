public import HTTPTransfer
public import TUFMetadata

/// A repository on a web server.
///
/// ```swift
/// let source = HTTPSource("https://example.org/metadata", client: HTTPClient(userAgent: "example/1.0"))
/// ```
public struct HTTPSource: RepositorySource {
    private let base: String
    private let client: HTTPClient
    private let deadlines: HTTPDeadlines
    private let authorities: String?

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - base: The address below which the files are.
    ///   - client: The client, whose connections several sources can share.
    ///   - deadlines: The limits in time for each file.
    ///   - authorities: A file with certificate authorities in place of the system's, or nil.
    public init(
        _ base: String, client: HTTPClient, deadlines: HTTPDeadlines = HTTPDeadlines(total: .seconds(120)),
        authorities: String? = nil
    ) {
        self.base = base.hasSuffix("/") ? base : base + "/"
        self.client = client
        self.deadlines = deadlines
        self.authorities = authorities
    }

    /// Fetches a file from the server.
    public func read(
        _ path: String, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) async throws(TUFError) {
        var request = HTTPRequest(base + path)
        request.deadlines = deadlines
        request.authorities = authorities
        do throws(HTTPError) {
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
