import CTransfer

extension HTTPRequest {
    /// The scheme, the host and the port of the address.
    var origin: Substring {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count < 4 ? address[...] : address[..<parts[2].endIndex]
    }
}

/// A handle of libcurl with its open connections.
// because: the client gives it to one request at a time, and reads its origin only in between.
final class Connection: @unchecked Sendable {
    private var transfer: UnsafeMutableRawPointer?
    /// The server of the last request.
    private(set) var origin: Substring?

    deinit { if let transfer { transfer_destroy(transfer) } }

    func perform(_ exchange: Exchange, userAgent: String) throws(HTTPError) -> HTTPResponse {
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
            receive_body: { context, transfer, bytes, count in
                let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
                return Exchange.of(context)?.receiveBody(bytes, from: transfer) ?? 1
            },
            check: { context in Exchange.of(context)?.isCanceled == false ? 0 : 1 })
        var result = transfer_result()
        transfer_perform(
            transfer, request.address, userAgent, request.range, request.rangeCondition, request.authorities, &options,
            &result)
        return try exchange.finish(result, of: transfer)
    }
}
