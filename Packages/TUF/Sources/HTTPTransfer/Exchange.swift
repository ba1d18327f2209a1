import CTransfer
import Synchronization

/// One request and its response, while libcurl runs it.
// because: one thread runs it, and others only cancel it.
final class Exchange: @unchecked Sendable {
    let request: HTTPRequest
    private let start: @Sendable (HTTPResponse) -> Bool
    private let receive: PieceReceiver
    private var response: HTTPResponse?
    /// The code of the error with which this side has ended the transfer.
    private var stop: HTTPError.Code?
    private let cancellation = Atomic(false)

    init(
        _ request: HTTPRequest, start: @escaping @Sendable (HTTPResponse) -> Bool, receive: @escaping PieceReceiver
    ) {
        self.request = request
        self.start = start
        self.receive = receive
    }

    /// Returns the exchange of a callback. Its caller keeps it alive while libcurl runs.
    static func of(_ context: UnsafeMutableRawPointer?) -> Exchange? {
        context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }

    var isCanceled: Bool { cancellation.load(ordering: .relaxed) }

    func cancel() { cancellation.store(true, ordering: .relaxed) }

    /// The error of a canceled request.
    var canceled: HTTPError { HTTPError(.canceled, request.address) }

    func receiveBody(_ bytes: UnsafeRawBufferPointer, from transfer: UnsafeMutableRawPointer) -> CInt {
        guard !isCanceled, begin(transfer), receive(bytes) else {
            stop = stop ?? .stopped
            return 1
        }
        return 0
    }

    /// Passes on the head of the response, once. Returns whether to continue.
    private func begin(_ transfer: UnsafeMutableRawPointer) -> Bool {
        if response != nil { return true }
        let response = HTTPResponse(of: transfer)
        self.response = response
        guard ["", "identity"].contains(response.fields["content-encoding", default: ""].lowercased()) else {
            stop = .encoded
            return false
        }
        return start(response)
    }

    /// Returns the head of the response, or the error of a transfer that failed.
    func finish(_ result: transfer_result, of transfer: UnsafeMutableRawPointer) throws(HTTPError) -> HTTPResponse {
        if result.code == CURLE_OK, !begin(transfer) { stop = stop ?? .stopped }
        if result.code == CURLE_OK, stop == nil, let response {
            guard response.status == 200 || response.status == 206 else {
                throw error(.statusUnexpected, result)
            }
            return response
        }
        if isCanceled { throw canceled }
        throw error(stop ?? code(of: result), result)
    }

    private func code(of result: transfer_result) -> HTTPError.Code {
        switch result.code {
        case CURLE_HTTP_RETURNED_ERROR: [403, 404, 410].contains(result.status) ? .notFound : .statusUnexpected
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR: .unreachable
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE: .certificateInvalid
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_TOO_MANY_REDIRECTS, CURLE_UNSUPPORTED_PROTOCOL: .redirected
        case CURLE_URL_MALFORMAT: .addressInvalid
        default: .broken
        }
    }

    private func error(_ code: HTTPError.Code, _ result: transfer_result) -> HTTPError {
        let message = withUnsafeBytes(of: result.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return HTTPError(
            code, request.address, status: result.status > 0 ? result.status : nil, detail: message,
            retryAfter: result.retry_after > 0 ? .seconds(min(result.retry_after, 1 << 32)) : nil)
    }
}
