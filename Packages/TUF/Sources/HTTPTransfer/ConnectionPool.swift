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
        var idle: [Worker] = []
        var workers = 0
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
        let job = Job(exchange: exchange, completion: completion)
        let next: (@Sendable () -> Void)? = state.withLock { state in
            // A request that is canceled later than this is found in the queue.
            if exchange.isCanceled { return { completion(.failure(exchange.canceled)) } }
            if let worker = Self.takeIdle(for: exchange.request.origin, &state) {
                return { self.start(job, on: worker) }
            }
            guard state.workers < limit else {
                state.waiting.append(job)
                return nil
            }
            state.workers += 1
            return { self.start(job, on: Worker(userAgent: self.userAgent)) }
        }
        next?()
    }

    /// Ends a request, also one that waits.
    func cancel(_ exchange: Exchange) {
        exchange.cancel()
        let job: Job? = state.withLock { state in
            state.waiting.firstIndex { $0.exchange === exchange }.map { state.waiting.remove(at: $0) }
        }
        job?.completion(.failure(exchange.canceled))
    }

    private func start(_ job: Job, on worker: Worker) {
        worker.queue.async {
            let result = worker.perform(job.exchange)
            // First the next request, so that the caller of this one finds a worker without waiting.
            let next: Job? = self.state.withLock { state in
                guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                state.idle.append(worker)
                return nil
            }
            if let next { self.start(next, on: worker) }
            job.completion(result)
        }
    }

    /// Removes the worker that has an open connection to a server, or else the one that was used last.
    private static func takeIdle(for origin: Substring, _ state: inout State) -> Worker? {
        guard let index = state.idle.lastIndex(where: { $0.origin == origin }) else { return state.idle.popLast() }
        return state.idle.remove(at: index)
    }
}

/// A thread with a handle of libcurl, which keeps connections open between requests.
private final class Worker: Sendable {
    /// A serial queue, which has a thread while a request blocks it.
    let queue = DispatchQueue(label: "HTTPClient")
    private let userAgent: String
    private let state = Mutex((connection: Connection?.none, origin: Substring?.none))

    init(userAgent: String) {
        self.userAgent = userAgent
    }

    /// The server of the last request.
    var origin: Substring? { state.withLock { $0.origin } }

    func perform(_ exchange: Exchange) -> Result<HTTPResponse, HTTPError> {
        state.withLock { state in
            do throws(HTTPError) {
                let connection: Connection
                if let opened = state.connection {
                    connection = opened
                } else {
                    connection = try Connection(for: exchange.request.address)
                    state.connection = connection
                }
                state.origin = exchange.request.origin
                return .success(try connection.perform(exchange, userAgent: userAgent))
            } catch {
                return .failure(error)
            }
        }
    }
}

extension HTTPRequest {
    /// The scheme, the host and the port of the address.
    fileprivate var origin: Substring {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count < 4 ? address[...] : address[..<parts[2].endIndex]
    }
}

/// A handle of libcurl with its open connections. Used by one thread at a time.
final class Connection {
    private let transfer: OpaquePointer

    init(for address: String) throws(HTTPError) {
        var message = [CChar](repeating: 0, count: 256)
        guard let transfer = transfer_create(&message, message.count) else {
            let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw HTTPError(.unavailable, address, detail: String(decoding: bytes, as: UTF8.self))
        }
        self.transfer = transfer
    }

    deinit { transfer_destroy(transfer) }

    func perform(_ exchange: Exchange, userAgent: String) throws(HTTPError) -> HTTPResponse {
        let request = exchange.request
        var result = transfer_result()
        withCStrings([request.address, userAgent] + request.headers) { texts in
            withOptionalCString(request.authorities) { authorities in
                var headers: [UnsafePointer<CChar>?] = texts.dropFirst(2).map(\.self) + [nil]
                headers.withUnsafeMutableBufferPointer { headers in
                    guard let address = texts[0], let agent = texts[1], let lines = headers.baseAddress else { return }
                    var options = transfer_request(
                        url: address, user_agent: agent, headers: lines, authorities: authorities,
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
                    transfer_perform(transfer, &options, &result)
                }
            }
        }
        return try exchange.finish(result)
    }
}

/// Calls a closure with the C strings of texts, which are valid only during the call.
private func withCStrings(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Void) {
    func next(_ index: Int, _ pointers: [UnsafePointer<CChar>?]) {
        guard index < texts.count else { return body(pointers) }
        texts[index].withCString { next(index + 1, pointers + [$0]) }
    }
    next(0, [])
}

private func withOptionalCString(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Void) {
    if let text { text.withCString(body) } else { body(nil) }
}
