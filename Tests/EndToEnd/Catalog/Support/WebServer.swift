import Foundation
import PluginCore
import PluginTestKit
import Synchronization
import Testing

/// nginx on a free port of the loopback interface, which serves one folder and ends with the test.
final class WebServer: Sendable {
    /// A line of the access log.
    struct Request: Hashable {
        let path: String
        let status: Int
        let bytes: Int
    }

    private let process: RunningProcess
    private let folder: ThrowawayFolder
    private let port: UInt16

    /// Starts the server.
    ///
    /// - Parameter rate: The rate of each response, such as `500k`; `nil` for no limit.
    init(serving root: FilePath, rate: String? = nil) async throws {
        folder = try ThrowawayFolder()
        port = try Self.freePort()
        let place = folder.path
        try folder.write(
            """
            daemon off; master_process off; pid \(place)/nginx.pid; error_log \(place)/error.log;
            events {}
            http {
              log_format plain '$uri $status $body_bytes_sent';
              access_log \(place)/access.log plain;
              client_body_temp_path \(place)/body; proxy_temp_path \(place)/proxy; fastcgi_temp_path \(place)/fastcgi;
              uwsgi_temp_path \(place)/uwsgi; scgi_temp_path \(place)/scgi;
              server { listen 127.0.0.1:\(port); root \(root); \(rate.map { "limit_rate \($0);" } ?? "") }
            }

            """, to: "nginx.conf")
        let nginx = Executable("/usr/sbin/nginx")
        process = try nginx.start(["-p", place.string, "-c", place.appending("nginx.conf").string])
        for _ in 0..<500 {
            if Self.isListening(port) { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("nginx does not answer: \(process.stderr)")
    }

    deinit { process.kill() }

    /// The address of the served folder.
    var address: String { "http://127.0.0.1:\(port)" }

    /// The finished requests since the start.
    var requests: [Request] {
        let log = (try? String(contentsOfFile: folder.path.appending("access.log").string, encoding: .utf8)) ?? ""
        return log.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, let status = Int(words[1]), let bytes = Int(words[2]) else { return nil }
            return Request(path: String(words[0]), status: status, bytes: bytes)
        }
    }

    /// Ends the server, as if the connection had been lost.
    func stop() { process.kill() }

    private static func freePort() throws -> UInt16 {
        try withSocket { socket in
            var address = loopback(0)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            return withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    guard bind(socket, $0, size) == 0, getsockname(socket, $0, &size) == 0 else { return 0 }
                    return 1
                }
            } == 1 ? UInt16(bigEndian: address.sin_port) : 0
        }
    }

    private static func isListening(_ port: UInt16) -> Bool {
        let result = try? withSocket { socket in
            var address = loopback(port)
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        return result == 0
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withSocket<Result>(_ body: (CInt) throws -> Result) throws -> Result {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        return try body(descriptor)
    }
}
