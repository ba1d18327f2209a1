import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A web server on loopback for a temporary folder. It ends with the value.
final class Nginx: Sendable {
    /// The folder of its files.
    let folder: String
    /// The certificate of the authority that signed the server's one.
    let authority: String
    let address: String
    let secureAddress: String
    private let base: String
    private let program: Program

    static var isPresent: Bool { FileManager.default.isExecutableFile(atPath: path) }
    private static let path = "/usr/sbin/nginx"

    /// Starts a server.
    ///
    /// - Parameter rate: The number of bytes a second that a response gets while the server is slow, which it is in the beginning, or nil.
    init(rate: Int? = nil) throws {
        base = try newFolder()
        folder = base + "/files"
        authority = base + "/authority.pem"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Self.makeCertificates(in: base)
        let ports = (try freePort(), try freePort())
        address = "http://127.0.0.1:\(ports.0)/"
        secureAddress = "https://127.0.0.1:\(ports.1)/"
        let configuration = """
            daemon off;
            master_process off;
            error_log \(base)/errors.log;
            pid \(base)/nginx.pid;
            events {}
            http {
                log_format fields '$uri $status $body_bytes_sent $connection $http_range';
                access_log \(base)/access.log fields;
                client_body_temp_path \(base)/body;
                proxy_temp_path \(base)/proxy;
                fastcgi_temp_path \(base)/fastcgi;
                uwsgi_temp_path \(base)/uwsgi;
                scgi_temp_path \(base)/scgi;
                sendfile on;
                server {
                    listen 127.0.0.1:\(ports.0);
                    listen 127.0.0.1:\(ports.1) ssl;
                    ssl_certificate \(base)/server.pem;
                    ssl_certificate_key \(base)/server.key;
                    root \(folder);
                    if (-f \(base)/slow) { set $limit_rate \(rate ?? 0); }
                    location /plain { return 302 http://127.0.0.1:\(ports.0)/file; }
                }
            }

            """
        if rate != nil { try "".write(toFile: base + "/slow", atomically: true, encoding: .utf8) }
        try configuration.write(toFile: base + "/nginx.conf", atomically: true, encoding: .utf8)
        // It ends by itself if the tests are killed.
        program = try Program(
            "timeout",
            ["-s", "KILL", "300", Self.path, "-p", base, "-c", base + "/nginx.conf", "-e", base + "/errors.log"])
        for _ in 0..<500 where !Self.isOpen(ports.1) { usleep(10_000) }
        try #require(Self.isOpen(ports.1), "nginx does not start: \(errors)")
    }

    deinit {
        // A program that a test starts has its signals blocked, so that only this one ends it.
        if let number { kill(number, SIGKILL) }
        program.kill()
        try? FileManager.default.removeItem(atPath: base)
    }

    private var number: Int32? {
        let text = try? String(contentsOfFile: base + "/nginx.pid", encoding: .utf8)
        return text.flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    private var errors: String { (try? String(contentsOfFile: base + "/errors.log", encoding: .utf8)) ?? "" }

    /// A request that has ended.
    struct Request: Equatable {
        let path: String
        let status: Int
        /// The number of bytes that were sent.
        let count: Int
        /// The number of the connection.
        let connection: Int
        /// The requested part, or "-".
        let range: String
    }

    var requests: [Request] {
        let log = (try? String(contentsOfFile: base + "/access.log", encoding: .utf8)) ?? ""
        return log.split(separator: "\n").map { line in
            let fields = line.split(separator: " ").map(String.init)
            return Request(
                path: fields[0], status: Int(fields[1]) ?? 0, count: Int(fields[2]) ?? 0,
                connection: Int(fields[3]) ?? 0,
                range: fields[4])
        }
    }

    /// Ends the limit of the rate for the next requests.
    func accelerate() throws { try FileManager.default.removeItem(atPath: base + "/slow") }

    func publish(_ file: ServedFile, as name: String = "file") throws {
        try Data(file.content).write(to: URL(filePath: "\(folder)/\(name)"))
    }

    /// Makes an authority, and a certificate for loopback that it has signed.
    private static func makeCertificates(in base: String) throws {
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try openssl(
            ["req", "-x509"] + key + [
                "-days", "2", "-subj", "/CN=test authority", "-keyout", base + "/authority.key", "-out",
                base + "/authority.pem",
            ])
        try openssl(
            ["req"] + key + ["-subj", "/CN=127.0.0.1", "-keyout", base + "/server.key", "-out", base + "/server.csr"])
        try "subjectAltName=IP:127.0.0.1\n".write(toFile: base + "/extensions", atomically: true, encoding: .utf8)
        try openssl([
            "x509", "-req", "-in", base + "/server.csr", "-CA", base + "/authority.pem", "-CAkey",
            base + "/authority.key", "-set_serial", "1", "-days", "2", "-extfile", base + "/extensions", "-out",
            base + "/server.pem",
        ])
    }

    private static func openssl(_ arguments: [String]) throws {
        let result = try Program("openssl", arguments).wait()
        try #require(result.status == 0, "openssl: \(result.output)\(result.errors)")
    }

    private static func isOpen(_ port: Int) -> Bool {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        return withLoopback(port) { connect(socket, $0, $1) == 0 }
    }
}

/// Returns a port of loopback that is free now.
private func freePort() throws -> Int {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    try #require(withLoopback(0) { bind(socket, $0, $1) == 0 })
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(socket, $0, &size) }
    }
    return Int(UInt16(bigEndian: address.sin_port))
}

private func withLoopback(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    address.sin_port = in_port_t(port).bigEndian
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}
