internal import CTransfer
import Dispatch
import Synchronization

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
    private typealias Job = (exchange: Exchange, completion: @Sendable (Result<HTTPResponse, HTTPError>) -> Void)

    /// Some requests run at once, each on a thread of its own, and the others wait in order.
    private struct State {
        var idle: [Connection] = []
        var running = 0
        var waiting: [Job] = []
    }

    private let userAgent: String
    private let limit: Int
    private let state = Mutex(State())

    /// Creates a client. libcurl is opened with the first request or by ``prepare()``.
    ///
    /// - Parameters:
    ///   - userAgent: The name and the version of the program, for the server's log.
    ///   - limit: The number of requests that run at once. More of them wait in order, without a deadline.
    public init(userAgent: String, atOnce limit: Int = 6) {
        self.userAgent = userAgent
        self.limit = max(1, limit)
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
                run((exchange, { continuation.resume(returning: $0) }))
            }
        } onCancel: {
            cancel(exchange)
        }
        return try result.get()
    }

    /// Runs a request now, or when an earlier one has ended.
    private func run(_ job: Job) {
        let start: (@Sendable () -> Void)? = state.withLock { state in
            // A request that is canceled later than this is found in the queue.
            if job.exchange.isCanceled { return { job.completion(.failure(job.exchange.canceled)) } }
            state.waiting.append(job)
            return next(&state)
        }
        start?()
    }

    /// Ends a request, also one that waits.
    private func cancel(_ exchange: Exchange) {
        exchange.cancel()
        let job: Job? = state.withLock { state in
            state.waiting.firstIndex { $0.exchange === exchange }.map { state.waiting.remove(at: $0) }
        }
        job?.completion(.failure(exchange.canceled))
    }

    /// Returns the start of the first request that waits, unless as many as the limit are running.
    private func next(_ state: inout State) -> (@Sendable () -> Void)? {
        guard state.running < limit, !state.waiting.isEmpty else { return nil }
        state.running += 1
        let job = state.waiting.removeFirst()
        // The connection that is open to the server, or else the one that was used last.
        let open = state.idle.lastIndex { $0.origin == job.exchange.request.origin }
        let connection = open.map { state.idle.remove(at: $0) } ?? state.idle.popLast() ?? Connection()
        return {
            // A serial queue, which has a thread while the request blocks it.
            DispatchQueue(label: "HTTPClient").async {
                let result = connection.result(of: job.exchange, userAgent: self.userAgent)
                // First the next request, so that the caller of this one finds a connection without waiting.
                let following = self.state.withLock { state in
                    state.running -= 1
                    state.idle.append(connection)
                    return self.next(&state)
                }
                following?()
                job.completion(result)
            }
        }
    }
}
