internal import CTransfer

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
