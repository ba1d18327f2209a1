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
    private typealias Answer = Result<HTTPResponse, HTTPError>
    private typealias Job = (exchange: Exchange, continuation: CheckedContinuation<Answer, Never>)

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
            await withCheckedContinuation { run((exchange, $0)) }
        } onCancel: {
            cancel(exchange)
        }
        return try result.get()
    }

    /// Runs a request now, or when an earlier one has ended.
    private func run(_ job: Job) {
        state.withLock { $0.waiting.append(job) }
        // A request that is canceled later than this is found in the queue.
        if job.exchange.isCanceled { cancel(job.exchange) } else { startNext() }
    }

    /// Ends a request, also one that waits.
    private func cancel(_ exchange: Exchange) {
        exchange.cancel()
        let job: Job? = state.withLock { state in
            state.waiting.firstIndex { $0.exchange === exchange }.map { state.waiting.remove(at: $0) }
        }
        job?.continuation.resume(returning: .failure(exchange.canceled))
    }

    /// Starts the first request that waits, unless as many as the limit are running.
    private func startNext() {
        let next: (job: Job, connection: Connection)? = state.withLock { state in
            guard state.running < limit, !state.waiting.isEmpty else { return nil }
            state.running += 1
            let job = state.waiting.removeFirst()
            // The connection that is open to the server, or else the one that was used last.
            let open = state.idle.lastIndex { $0.origin == job.exchange.request.origin }
            return (job, open.map { state.idle.remove(at: $0) } ?? state.idle.popLast() ?? Connection())
        }
        guard let (job, connection) = next else { return }
        // A serial queue, which has a thread while the request blocks it.
        DispatchQueue(label: "HTTPClient").async { [self] in
            let answer = connection.answer(to: job.exchange, userAgent: userAgent)
            state.withLock { state in
                state.running -= 1
                state.idle.append(connection)
            }
            // First the next request, so that the caller of this one finds a connection without waiting.
            startNext()
            job.continuation.resume(returning: answer)
        }
    }
}

/// The reason why a request got no complete response.
public struct HTTPError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, for a switch.
    public package(set) var code: Code
    /// The address of the request, without a password.
    public package(set) var address: String
    /// The status of the response, or nil if there was none.
    public let status: Int?
    /// A short detail for logs.
    public let detail: String
    /// The time after which the server wants the next request, or nil if it does not say.
    public let retryAfter: Duration?
    /// The number of requests that were made, or 0 if it was not counted.
    public package(set) var attempts = 0

    package init(
        _ code: Code, _ address: String, status: Int? = nil, detail: String = "", retryAfter: Duration? = nil
    ) {
        self.code = code
        self.address = HTTPRequest.redacted(address)
        self.status = status
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// A line for logs with code, address, status, detail and attempts.
    public var description: String {
        "\(code.rawValue): \(address.debugDescription)" + (status.map { ": status \($0)" } ?? "")
            + (detail.isEmpty ? "" : ": \(detail)") + (attempts == 0 ? "" : " (attempt \(attempts))")
    }
}

extension HTTPError {
    /// The kind of an error. Later versions may add more kinds.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name for logs and other processes.
        public let rawValue: String

        /// Creates a code from its stable name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The address is not one of HTTP, or contains characters that must be percent-encoded.
        public static let addressInvalid = Code(rawValue: "address-invalid")
        /// The server has no such file (404 or 410), or does not show it (403), as some stores answer for a missing file.
        public static let notFound = Code(rawValue: "not-found")
        /// Another status than success.
        public static let statusUnexpected = Code(rawValue: "status-unexpected")
        /// No connection: an unknown name, a closed port, or a failed handshake.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The server's certificate is not trusted, or the file of authorities cannot be read.
        public static let certificateInvalid = Code(rawValue: "certificate-invalid")
        /// The deadline passed, or the server was slower than the slowest rate.
        public static let timedOut = Code(rawValue: "timed-out")
        /// Too many redirects, or one to an address that is not allowed.
        public static let redirected = Code(rawValue: "redirected")
        /// The connection ended in the middle of the response, or the response breaks the protocol.
        public static let broken = Code(rawValue: "broken")
        /// The response is encoded, although the request does not allow that.
        public static let encoded = Code(rawValue: "encoded")
        /// The receiver ended the transfer.
        public static let stopped = Code(rawValue: "stopped")
        /// The surrounding task was canceled.
        public static let canceled = Code(rawValue: "canceled")
        /// libcurl is not installed or has no memory.
        public static let unavailable = Code(rawValue: "unavailable")
    }
}
