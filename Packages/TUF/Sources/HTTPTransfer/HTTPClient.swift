internal import CTransfer
import Dispatch
import Synchronization

/// Fetches files over HTTP, one after another, over connections that stay open in between.
///
/// ```swift
/// let client = HTTPClient(userAgent: "example/1.0")
/// try await client.get(HTTPRequest("https://example.org/root.json")) { piece in
///     content.append(contentsOf: piece)
///     return content.count <= limit
/// }
/// ```
public final class HTTPClient: Sendable {
    private let connection = Mutex<Connection?>(nil)
    /// The queue of the requests, which block their thread.
    private let queue = DispatchQueue(label: "HTTPClient")
    private let userAgent: String

    /// Creates a client. libcurl is opened with the first request.
    ///
    /// - Parameter userAgent: The name and the version of the program, for the server's log.
    public init(userAgent: String) {
        self.userAgent = userAgent
    }

    /// Fetches a file, and passes its content on in pieces.
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
                queue.async { continuation.resume(returning: self.perform(exchange)) }
            }
        } onCancel: {
            exchange.cancel()
        }
        return try result.get()
    }

    private func perform(_ exchange: Exchange) -> Result<HTTPResponse, HTTPError> {
        connection.withLock { connection in
            do throws(HTTPError) {
                if let connection { return .success(try connection.perform(exchange, userAgent: userAgent)) }
                let opened = try Connection(for: exchange.request.address)
                connection = opened
                return .success(try opened.perform(exchange, userAgent: userAgent))
            } catch {
                return .failure(error)
            }
        }
    }
}
