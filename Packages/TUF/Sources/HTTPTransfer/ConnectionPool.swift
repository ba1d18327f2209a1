internal import CTransfer
import Dispatch
import Synchronization

/// The connections of a client: some requests run at once, each on a thread of its own, and the others wait in order.
final class ConnectionPool: Sendable {
    typealias Completion = @Sendable (Result<HTTPResponse, HTTPError>) -> Void

    private struct Job: Sendable {
        let exchange: Exchange
        let completion: Completion
    }

    private struct State {
        var idle: [Connection] = []
        var running = 0
        var waiting: [Job] = []
    }

    private let limit: Int
    private let userAgent: String
    private let state = Mutex(State())

    init(limit: Int, userAgent: String) {
        self.limit = max(1, limit)
        self.userAgent = userAgent
    }

    /// Runs a request now, or when an earlier one has ended.
    func run(_ exchange: Exchange, completion: @escaping Completion) {
        let start: (@Sendable () -> Void)? = state.withLock { state in
            // A request that is canceled later than this is found in the queue.
            if exchange.isCanceled { return { completion(.failure(exchange.canceled)) } }
            state.waiting.append(Job(exchange: exchange, completion: completion))
            return next(&state)
        }
        start?()
    }

    /// Ends a request, also one that waits.
    func cancel(_ exchange: Exchange) {
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
        let connection = Self.takeIdle(for: job.exchange.request.origin, &state) ?? Connection()
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

    /// Removes the connection that is open to a server, or else the one that was used last.
    private static func takeIdle(for origin: Substring, _ state: inout State) -> Connection? {
        guard let index = state.idle.lastIndex(where: { $0.origin == origin }) else { return state.idle.popLast() }
        return state.idle.remove(at: index)
    }
}

extension HTTPRequest {
    /// The scheme, the host and the port of the address.
    fileprivate var origin: Substring {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count < 4 ? address[...] : address[..<parts[2].endIndex]
    }
}

/// A handle of libcurl with its open connections.
// because: the pool gives it to one request at a time, and reads its origin only in between.
private final class Connection: @unchecked Sendable {
    private var transfer: UnsafeMutableRawPointer?
    /// The server of the last request.
    private(set) var origin: Substring?

    deinit { if let transfer { transfer_destroy(transfer) } }

    func result(of exchange: Exchange, userAgent: String) -> Result<HTTPResponse, HTTPError> {
        Result { () throws(HTTPError) in try perform(exchange, userAgent: userAgent) }
    }

    private func perform(_ exchange: Exchange, userAgent: String) throws(HTTPError) -> HTTPResponse {
        let request = exchange.request
        var message = [CChar](repeating: 0, count: 256)
        guard let transfer = transfer ?? transfer_create(&message, message.count) else {
            let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw HTTPError(.unavailable, request.address, detail: String(decoding: bytes, as: UTF8.self))
        }
        (self.transfer, origin) = (transfer, request.origin)
        var options = transfer_options(
            connect_milliseconds: request.deadlines.connect.milliseconds,
            total_milliseconds: request.deadlines.total?.milliseconds ?? 0,
            slowest_rate: request.deadlines.slowestRate,
            slowest_seconds: max(1, request.deadlines.patience.milliseconds / 1000),
            most_redirects: request.mostRedirects,
            context: Unmanaged.passUnretained(exchange).toOpaque(),
            receive_header: { context, line, count in
                Exchange.of(context)?.receiveHeader(UnsafeRawBufferPointer(start: line, count: count)) ?? 1
            },
            receive_body: { context, bytes, count in
                Exchange.of(context)?.receiveBody(UnsafeRawBufferPointer(start: bytes, count: count)) ?? 1
            },
            check: { context in Exchange.of(context)?.isCanceled == false ? 0 : 1 })
        var result = transfer_result()
        transfer_perform(
            transfer, request.address, userAgent, request.range, request.rangeCondition, request.authorities, &options,
            &result)
        return try exchange.finish(result)
    }
}
