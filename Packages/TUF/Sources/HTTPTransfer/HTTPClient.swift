internal import CTransfer
import Dispatch

/// Fetches files over HTTP, several at once, over connections that stay open in between.
///
/// ```swift
/// let client = HTTPClient(userAgent: "example/1.0")
/// try await client.get(HTTPRequest("https://example.org/root.json")) { piece in
///     content.append(contentsOf: piece)
///     return content.count <= limit
/// }
/// ```
public final class HTTPClient: Sendable {
    private let pool: ConnectionPool

    /// Creates a client. libcurl is opened with the first request or by ``prepare()``.
    ///
    /// - Parameters:
    ///   - userAgent: The name and the version of the program, for the server's log.
    ///   - limit: The number of requests that run at once. More of them wait in order, without a deadline.
    public init(userAgent: String, atOnce limit: Int = 6) {
        pool = ConnectionPool(limit: limit, userAgent: userAgent)
    }

    /// Opens libcurl and its thirty libraries on another thread, which the first request of a process does otherwise.
    public static func prepare() async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "HTTPClient.prepare").async {
                transfer_prepare()
                continuation.resume()
            }
        }
    }

    /// Fetches a file, and passes its content on in pieces.
    ///
    /// The closures are called one after another, on another thread.
    ///
    /// - Parameters:
    ///   - request: The file.
    ///   - start: A closure that gets the head of the response before the first piece, and returns whether to continue.
    ///   - receive: A closure that gets each piece, and returns whether to continue.
    /// - Returns: The head of the response.
    /// - Throws: ``HTTPError`` with code `stopped` if a closure ended the transfer.
    @discardableResult
    public func get(
        _ request: HTTPRequest,
        start: @escaping @Sendable (HTTPResponse) -> Bool = { _ in true },
        receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) async throws(HTTPError) -> HTTPResponse {
        guard request.isValid else { throw HTTPError(.addressInvalid, request.address) }
        let exchange = Exchange(request, start: start, receive: receive)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                pool.run(exchange) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            pool.cancel(exchange)
        }
        return try result.get()
    }
}
