import Downloads
import Foundation
import HTTPTransfer
import TestServer
import Testing

@Suite("Downloads from nginx", .tags(.large), .enabled(if: WebServer.isPresent, "nginx is not installed"))
struct NginxTests {
    private let folder: DownloadFolder
    private let file = ServedFile(length: 3 << 20)
    /// The bytes a second of a download that is interrupted. All of it takes longer than a test ever waits for its turn.
    private static let slowRate = 30_000

    init() throws {
        folder = try DownloadFolder()
    }

    private func download(
        _ name: String, from address: String, authorities: String? = nil
    ) async throws(DownloadError) -> [UInt8]? {
        var request = DownloadRequest(mirrors: [address], length: Int64(file.content.count), sha256: file.digest)
        (request.authorities, request.limits) = (authorities, .short)
        _ = try await folder.downloader.download(request, as: name)
        return folder.file(name)
    }

    @Test("over TLS need a certificate of a trusted authority")
    func untrusted() async throws {
        let nginx = try WebServer(isSecure: true)
        try nginx.publish(file)
        let address = nginx.secureAddress + "/file"
        let error = await #expect(throws: DownloadError.self) { try await download("file", from: address) }
        #expect(error?.code == .certificateInvalid && error?.attempts == 1)
        #expect(try await download("file", from: address, authorities: nginx.authority) == file.content)
    }

    @Test("over TLS are not redirected to plain text")
    func plainText() async throws {
        let nginx = try WebServer(isSecure: true)
        try nginx.publish(file)
        let error = await #expect(throws: DownloadError.self) {
            try await download("file", from: nginx.secureAddress + "/plain/file", authorities: nginx.authority)
        }
        #expect(error?.code == .redirected)
        #expect(try await download("file", from: nginx.address + "/plain/file") == file.content)
    }

    // MARK: Other processes

    private func program(_ nginx: WebServer, secure: Bool = false) throws -> Program {
        try Program(
            "download-file",
            [
                folder.path, "file", String(file.content.count), file.digest, secure ? nginx.authority : "-",
                (secure ? nginx.secureAddress : nginx.address) + "/file",
            ], isBuilt: true)
    }

    @Test("go on after the process was killed", arguments: [false, true])
    func killed(_ isSecure: Bool) async throws {
        let nginx = try WebServer(rate: Self.slowRate, isSecure: isSecure)
        try nginx.publish(file)
        let first = try program(nginx, secure: isSecure)
        try await folder.waitForPart(length: Self.slowRate / 2)
        first.kill()
        nginx.accelerate()
        let arrived = try #require(folder.file(".file.partial")?.count)
        #expect(folder.file("file") == nil)
        let result = try program(nginx, secure: isSecure).wait()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == folder.path + "/file\n")
        #expect(folder.file("file") == file.content)
        #expect(folder.names == ["file"])
        let last = try #require(nginx.requests.last)
        #expect(last.status == 206)
        #expect(last.range == "bytes=\(arrived)-")
        #expect(last.count == file.content.count - arrived)
    }

    @Test("are made by one process at a time, and the others find the file")
    func twoProcesses() async throws {
        let nginx = try WebServer(rate: 1_500_000)
        try nginx.publish(file)
        let programs = try (0..<3).map { _ in try program(nginx) }
        for program in programs {
            let result = program.wait()
            #expect(result.status == 0, "\(result.errors)")
        }
        #expect(nginx.requests.map(\.status) == [200])
        #expect(folder.file("file") == file.content)
        #expect(folder.names == ["file"])
    }

    @Test("are taken over from a process that was killed")
    func takenOver() async throws {
        let nginx = try WebServer(rate: Self.slowRate)
        try nginx.publish(file)
        let first = try program(nginx)
        try await folder.waitForPart(length: Self.slowRate / 2)
        let second = try program(nginx)
        // The second process shows the progress of the first one while it waits.
        #expect(second.waitForErrors(containing: " of \(file.content.count)"))
        nginx.accelerate()
        first.kill()
        #expect(second.wait().status == 0)
        #expect(folder.file("file") == file.content)
        #expect(nginx.requests.last?.status == 206)
    }

    @Test("leave no file under its name when the disk is full, and go on when there is room")
    func fullDisk() async throws {
        let nginx = try WebServer()
        try nginx.publish(file)
        let program = URL(filePath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
        let result = try Program(
            "strace",
            [
                "-f", "-qq", "-o", "/dev/null", "-e", "trace=write", "-e", "inject=write:error=ENOSPC:when=20+", "-P",
                folder.path + "/.file.partial", program.appending(path: "download-file").path, folder.path, "file",
                String(file.content.count), file.digest, "-", nginx.address + "/file",
            ]
        ).wait()
        #expect(result.status == 1)
        #expect(result.errors.contains("disk-full"), "\(result.errors)")
        #expect(folder.file("file") == nil)
        let arrived = try #require(folder.file(".file.partial")?.count)
        #expect(arrived > 0)
        #expect(try await download("file", from: nginx.address + "/file") == file.content)
        #expect(nginx.requests.last?.range == "bytes=\(arrived)-")
    }

    @Test("No other program finds the port of a stopped server free")
    func stoppedPort() throws {
        let nginx = try WebServer()
        nginx.stop()
        let port = try #require(nginx.address.split(separator: ":").last.flatMap { UInt16($0) })
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(other) }
        let isFound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                // The process that was killed listens a little longer.
                (0..<50).contains { _ in
                    usleep(10_000)
                    return bind(other, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }
        #expect(!isFound)
    }
}

extension WebServer {
    /// Writes a file into the served folder.
    fileprivate func publish(_ file: ServedFile, as name: String = "file") throws {
        try Data(file.content).write(to: URL(filePath: "\(folder)/\(name)"))
    }
}
