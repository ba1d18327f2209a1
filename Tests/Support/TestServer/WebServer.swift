import FoundationEssentials
import Synchronization

import Glibc

/// A web server on free ports of the loopback interface, which serves one folder and ends with the value.
///
/// ```swift
/// let server = try WebServer(serving: "repository", isSecure: true)
/// // https://127.0.0.1:PORT, with a certificate that server.authority has signed
/// print(server.secureAddress)
/// ```
public final class WebServer: Sendable {
    /// The folder that is served.
    public let folder: String
    /// The address of the folder over HTTP, without a slash at its end.
    public let address: String
    /// The address of the folder over TLS, without a slash at its end; empty unless the server uses TLS.
    public let secureAddress: String
    /// The file with the certificate of the authority that signed the server's one.
    public let authority: String
    private let base: String
    private let port: Int
    private let process: Mutex<ServerProcess?>
    private let keptPort = Mutex<Int32?>(nil)

    /// A Boolean value that indicates whether nginx is installed.
    public static var isPresent: Bool { FileManager.default.isExecutableFile(atPath: program) }
    private static let program = "/usr/sbin/nginx"
    /// The number of ports that are tried, because another program may take a free one first.
    private static let mostAttempts = 5

    /// Starts a server.
    ///
    /// It redirects `/plain/NAME` to `/NAME` over HTTP, also from TLS.
    ///
    /// - Parameters:
    ///   - folder: The folder to serve; `nil` for a new one, which is removed with the value.
    ///   - rate: The bytes a second of each response until ``accelerate()`` is called; `nil` for no limit.
    ///   - isSecure: A Boolean value that indicates whether it also answers over TLS.
    ///   - lifetime: The seconds after which it ends if the process of its user has been killed.
    /// - Throws: ``WebServerError``.
    public init(
        serving folder: String? = nil, rate: Int? = nil, isSecure: Bool = false, lifetime: Int = 300
    ) throws(WebServerError) {
        let base = try Self.newFolder()
        let served = folder ?? base + "/files"
        self.base = base
        self.folder = served
        authority = base + "/authority.pem"
        if folder == nil { mkdir(served, 0o755) }
        if isSecure { try ServerCertificate.make(in: base) }
        if rate != nil { try Self.write("", to: base + "/slow") }
        for _ in 1...Self.mostAttempts {
            let ports = (Loopback.freePort(), Loopback.freePort())
            try Self.write(
                Self.configuration(base, serving: served, rate: rate, ports, isSecure: isSecure),
                to: base + "/nginx.conf")
            let errors = base + "/errors.log"
            // A test that is killed cannot end the server.
            let process = try ServerProcess(
                "/usr/bin/timeout",
                [
                    "-s", "KILL", "\(lifetime)", Self.program, "-p", base, "-c", base + "/nginx.conf", "-e", errors,
                ], errors: errors)
            // nginx writes its number when it listens. A connection would also succeed if another server had taken the port.
            for _ in 0..<3_000 where process.isRunning {
                if FileManager.default.contents(atPath: base + "/nginx.pid")?.isEmpty == false {
                    port = ports.0
                    address = "http://127.0.0.1:\(ports.0)"
                    secureAddress = "https://127.0.0.1:\(ports.1)"
                    self.process = Mutex(process)
                    return
                }
                usleep(10_000)
            }
            process.kill()
        }
        let errors = FileManager.default.contents(atPath: base + "/errors.log") ?? Data()
        try? FileManager.default.removeItem(atPath: base)
        throw WebServerError("nginx does not start: \(String(decoding: errors, as: UTF8.self))")
    }

    deinit {
        stop()
        _ = keptPort.withLock { $0.map { close($0) } }
        try? FileManager.default.removeItem(atPath: base)
    }

    /// Ends the server, as if the connection had been lost. As long as the value lives, no other server of this kind gets its port: repositories
    /// of tests have the same keys, so another test's one would be taken for an old state of this one.
    public func stop() {
        process.withLock { process in
            guard let running = process else { return }
            running.kill()
            process = nil
            keptPort.withLock { $0 = Loopback.keep(port: port) }
        }
    }

    /// Ends the limit of the rate for the next requests.
    public func accelerate() { unlink(base + "/slow") }

    private static func configuration(
        _ base: String, serving folder: String, rate: Int?, _ ports: (Int, Int), isSecure: Bool
    ) -> String {
        let secure = """
            listen 127.0.0.1:\(ports.1) ssl;
            ssl_certificate \(base)/server.pem;
            ssl_certificate_key \(base)/server.key;
            """
        return """
            daemon off;
            master_process off;
            error_log \(base)/errors.log;
            pid \(base)/nginx.pid;
            events {}
            http {
                log_format fields '$uri $status $body_bytes_sent $bytes_sent $connection $http_range';
                access_log \(base)/access.log fields;
                client_body_temp_path \(base)/body;
                proxy_temp_path \(base)/proxy;
                fastcgi_temp_path \(base)/fastcgi;
                uwsgi_temp_path \(base)/uwsgi;
                scgi_temp_path \(base)/scgi;
                sendfile on;
                server {
                    listen 127.0.0.1:\(ports.0);
                    \(isSecure ? secure : "")
                    root \(folder);
                    if (-f \(base)/slow) { set $limit_rate \(rate ?? 0); }
                    location /plain/ { rewrite ^/plain/(.*)$ http://127.0.0.1:\(ports.0)/$1 redirect; }
                }
            }

            """
    }

    private static func newFolder() throws(WebServerError) -> String {
        let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(temporary)/nginx-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { throw WebServerError("no folder can be created in \(temporary)") }
        return String(cString: path)
    }

    static func write(_ text: String, to path: String) throws(WebServerError) {
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
            throw WebServerError("\(path) cannot be written")
        }
    }
}

extension WebServer {
    /// A request that has ended.
    public struct Request: Hashable, Sendable {
        /// The path without the query.
        public let path: String
        /// The status of the response.
        public let status: Int
        /// The number of bytes that were sent, without the head of the response.
        public let count: Int
        /// The number of bytes that were sent, with the head of the response.
        public let sent: Int
        /// The number of the connection.
        public let connection: Int
        /// The requested part, or "-".
        public let range: String
    }

    /// The requests that have ended since the start.
    public var requests: [Request] {
        // A client may have a whole response before nginx, which does one thing at a time, has noted it.
        let end = "/end-of-requests"
        if process.withLock({ $0?.isRunning == true }) { Loopback.get(end, port: port) }
        let log = FileManager.default.contents(atPath: base + "/access.log") ?? Data()
        return String(decoding: log, as: UTF8.self).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ").map(String.init)
            guard fields.count == 6, fields[0] != end else { return nil }
            return Request(
                path: fields[0], status: Int(fields[1]) ?? 0, count: Int(fields[2]) ?? 0, sent: Int(fields[3]) ?? 0,
                connection: Int(fields[4]) ?? 0, range: fields[5])
        }
    }
}

/// The reason why a web server does not start.
public struct WebServerError: Error, CustomStringConvertible {
    /// The reason as a sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
