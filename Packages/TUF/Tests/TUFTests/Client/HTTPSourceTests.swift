import Foundation
import HTTPTransfer
import Synchronization
import TUF
import TUFMetadata
import Testing

@Suite("A repository on a web server with TLS", .tags(.large))
struct HTTPSourceTests {
    private let folder: String
    private let server: FolderServer

    init() throws {
        let folder = try newFolder()
        self.folder = folder
        let openssl = Program(path: "/usr/bin/env")
        let result = try openssl.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder + "/key.pem", "-out",
            folder + "/authority.pem",
        ])
        try #require(result.status == 0, "\(result.output)")
        let both = try ["key.pem", "authority.pem"].map {
            try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
        }
        try both.joined().write(toFile: folder + "/server.pem", atomically: true, encoding: .utf8)
        try "content".write(toFile: folder + "/a b", atomically: true, encoding: .utf8)
        server = try FolderServer(folder: folder, certificate: folder + "/server.pem")
    }

    private func content(of path: String, authorities: String?) async throws(TUFError) -> String {
        let client = HTTPClient(userAgent: "tests/1.0")
        let content = Mutex<[UInt8]>([])
        let source = HTTPSource(server.address, client: client, authorities: authorities)
        try await source.read(path) { piece in
            content.withLock { $0.append(contentsOf: piece) }
            return true
        }
        return String(decoding: content.withLock { $0 }, as: UTF8.self)
    }

    @Test("is read if its certificate is trusted")
    func trusted() async throws {
        #expect(try await content(of: "a%20b", authorities: folder + "/authority.pem") == "content")
        let missing = await #expect(throws: TUFError.self) {
            try await content(of: "x", authorities: folder + "/authority.pem")
        }
        #expect(missing?.code == .notFound)
    }

    @Test("is not read if its certificate is not trusted")
    func untrusted() async throws {
        let error = await #expect(throws: TUFError.self) { try await content(of: "a%20b", authorities: nil) }
        #expect(error?.code == .certificateInvalid)
        #expect(error?.detail.contains("certificate-invalid") == true)
    }

    @Test("does not lead to plain HTTP")
    func downgrade() async throws {
        let error = await #expect(throws: TUFError.self) {
            try await content(of: "plain", authorities: folder + "/authority.pem")
        }
        #expect(error?.code == .transferFailed)
        #expect(error?.detail.contains("redirected") == true)
    }
}
