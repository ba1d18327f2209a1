import CTransfer
import Dispatch
import Synchronization

/// A closure that gets each piece of some content, and returns whether to continue.
public typealias PieceReceiver = @Sendable (UnsafeRawBufferPointer) -> Bool

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
        receive: @escaping PieceReceiver
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
            let answer = Result { () throws(HTTPError) in
                try connection.perform(job.exchange, userAgent: userAgent)
            }
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
public struct HTTPError: Error, Hashable, CustomStringConvertible {
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
    public enum Code: String, Sendable {
        /// The address is not one of HTTP, or contains characters that must be percent-encoded.
        case addressInvalid = "address-invalid"
        /// The server has no such file (404 or 410), or does not show it (403), as some stores answer for a missing file.
        case notFound = "not-found"
        /// Another status than success.
        case statusUnexpected = "status-unexpected"
        /// No connection: an unknown name, a closed port, or a failed handshake.
        case unreachable
        /// The server's certificate is not trusted, or the file of authorities cannot be read.
        case certificateInvalid = "certificate-invalid"
        /// The deadline passed, or the server was slower than the slowest rate.
        case timedOut = "timed-out"
        /// Too many redirects, or one to an address that is not allowed.
        case redirected
        /// The connection ended in the middle of the response, or the response breaks the protocol.
        case broken
        /// The response is encoded, although the request does not allow that.
        case encoded
        /// The receiver ended the transfer.
        case stopped
        /// The surrounding task was canceled.
        case canceled
        /// libcurl is not installed or has no memory.
        case unavailable

        // The kinds of errors of downloads.

        /// The request has no mirror, no valid length or digest, or a name that cannot be that of a file.
        case requestInvalid = "request-invalid"
        /// The time for everything has passed.
        case deadlineExceeded = "deadline-exceeded"
        /// The disk is full.
        case diskFull = "disk-full"
        /// A local file could not be read or written.
        case fileFailed = "file-failed"
        /// The mirror has a file of another length.
        case lengthMismatch = "length-mismatch"
        /// The mirror has a file with another content.
        case hashMismatch = "hash-mismatch"
        /// The mirror answered with another part of the file than the one that was requested.
        case rangeInvalid = "range-invalid"
    }
}
