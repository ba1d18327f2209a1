import Foundation
import PluginCore
import Registry
import Testing

@testable import HostSystem
@testable import SystemLinks

@Suite("The handover of links to the app that runs", .tags(.medium), .timeLimit(.minutes(1)))
struct LinkHandoverTests {
    private let folder: LinkFolder
    private let sandbox: Sandbox

    init() throws {
        folder = try LinkFolder()
        sandbox = try folder.sandbox()
    }

    private func link(_ text: String, wasPassedOn: Bool = false) throws -> HandedLink {
        try #require(try HandedLink(ResourceURI(text), wasPassedOn: wasPassedOn))
    }

    private var socket: String { sandbox.hostData.appending("tmp/links/socket").string }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// Connects as a program that does not keep to the protocol.
    private func connect() throws -> Int32 {
        let opened = open(sandbox.hostData.appending("tmp/links").string, O_RDONLY | O_DIRECTORY)
        defer { close(opened) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array("/proc/self/fd/\(opened)/socket".utf8CString)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.map { UInt8(bitPattern: $0) }) }
        let connection = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0, "\(errno)")
        return connection
    }

    /// Sends bytes, and returns whether the listener has ended the connection without an answer.
    private func isRefused(_ bytes: [UInt8]) throws -> Bool {
        let connection = try connect()
        defer { close(connection) }
        _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        var answer = [UInt8](repeating: 0, count: 64)
        return recv(connection, &answer, answer.count, 0) <= 0
    }

    @Test("The app that runs gets the links in order, over a socket that only its user may open")
    func handed() async throws {
        let listener = try #require(try LinkListener.start(in: sandbox))
        #expect(try mode(socket) == 0o600)
        #expect(try mode(sandbox.hostData.appending("tmp/links").string) == 0o700)
        let links = [try link("app://shop/item/42"), try link("app://shop/späti?a=b#c", wasPassedOn: true)]
        for link in links { #expect(await LinkHandover.send(link, in: sandbox)) }
        var received: [HandedLink] = []
        for await link in listener.links {
            received.append(link)
            if received.count == links.count { break }
        }
        #expect(received == links)
        listener.end()
        #expect(!FileManager.default.fileExists(atPath: socket))
        #expect(await !LinkHandover.send(links[0], in: sandbox))
    }

    @Test("Nobody takes a link without a listener, and at the socket of a process that has died")
    func nobody() async throws {
        let link = try link("app://shop")
        #expect(await !LinkHandover.send(link, in: sandbox))
        #expect(await !LinkHandover.send(link, in: Sandbox(root: folder.path.appending("none"))))
        // A socket that nobody listens at.
        let tmp = sandbox.hostData.appending("tmp/links").string
        try FileManager.default.createDirectory(atPath: tmp, withIntermediateDirectories: true)
        let stale = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let opened = open(tmp, O_RDONLY | O_DIRECTORY)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array("/proc/self/fd/\(opened)/socket".utf8CString)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.map { UInt8(bitPattern: $0) }) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(stale, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        close(opened)
        close(stale)
        #expect(await !LinkHandover.send(link, in: sandbox))
        // A new listener takes its place.
        let listener = try #require(try LinkListener.start(in: sandbox))
        #expect(await LinkHandover.send(link, in: sandbox))
        listener.end()
    }

    @Test("Only one process listens, and the next one can when it ends")
    func one() throws {
        let first = try #require(try LinkListener.start(in: sandbox))
        #expect(try LinkListener.start(in: sandbox) == nil)
        first.end()
        let second = try #require(try LinkListener.start(in: sandbox))
        second.end()
    }

    @Test("No listener starts in a sandbox that does not exist yet, and none follows a link")
    func noSandbox() throws {
        #expect(try LinkListener.start(in: Sandbox(root: folder.path.appending("none"))) == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.path.appending("none").string))
        let outside = folder.path.appending("outside").string
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: sandbox.hostData.appending("tmp/links").string, withDestinationPath: outside)
        #expect(throws: AtriumError.self) { try LinkListener.start(in: sandbox) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == [])
    }

    @Test("Garbage, half lines and lines without end are refused, and the next link is taken")
    func hostile() async throws {
        let listener = try #require(try LinkListener.start(in: sandbox))
        defer { listener.end() }
        #expect(try isRefused([0xFF, 0xFE, 0x0A]))
        #expect(try isRefused([UInt8](repeating: 0x61, count: LineListener.lineSize + 2)))
        // A line that is not a link is answered, but is not a link.
        #expect(try !isRefused(Array("GET / HTTP/1.1\n".utf8)))
        #expect(try !isRefused(Array("link1 app://shop/%ZZ\n".utf8)))
        #expect(try !isRefused(Array("link1 app://shop/a b\n".utf8)))
        // Half a line is given up after a deadline.
        #expect(try isRefused(Array("link1 app://sh".utf8)))
        let link = try link("app://shop")
        #expect(await LinkHandover.send(link, in: sandbox))
        listener.end()
        var received: [HandedLink] = []
        for await link in listener.links { received.append(link) }
        #expect(received == [link])
    }

    @Test("Programs that connect and say nothing keep a link out only until their deadline")
    func flood() async throws {
        let listener = try #require(try LinkListener.start(in: sandbox))
        defer { listener.end() }
        let idle = try (0..<LineListener.connections).map { _ in try connect() }
        defer { for connection in idle { close(connection) } }
        let link = try link("app://shop")
        #expect(await LinkHandover.send(link, in: sandbox, within: .seconds(20)))
    }

    @Test("A flood of links fills the queue and no more; the sender then opens the link itself")
    func fullQueue() async throws {
        let listener = try #require(try LinkListener.start(in: sandbox))
        defer { listener.end() }
        var taken = 0
        for number in 0..<LinkListener.waitingLinks + 5 {
            if await LinkHandover.send(try link("app://shop/\(number)"), in: sandbox) { taken += 1 }
        }
        #expect(taken == LinkListener.waitingLinks)
    }

    @Test("A program of another user is not heard", .enabled(if: geteuid() == 0, "only root can be another user"))
    func otherUser() async throws {
        let listener = try #require(try LinkListener.start(in: sandbox))
        defer { listener.end() }
        // The folder is opened to everybody, as if the user had done so.
        for place in [socket, sandbox.hostData.appending("tmp/links").string] { chmod(place, 0o777) }
        // The program enters the folder first, because other users may not pass through the folders above it. The listener
        // ends the connection, which is an error for a program that has sent something or is about to.
        let script = """
            import socket, os, sys
            os.chdir(sys.argv[1])
            os.setuid(65534)
            connection = socket.socket(socket.AF_UNIX)
            connection.connect("socket")
            try:
                connection.sendall(b"link1 app://shop\\n")
                print(connection.recv(64))
            except (ConnectionResetError, BrokenPipeError):
                print(b"")
            """
        let program = Process()
        let output = Pipe()
        program.executableURL = URL(filePath: "/usr/bin/python3")
        program.arguments = ["-c", script, sandbox.hostData.appending("tmp/links").string]
        program.standardOutput = output
        try program.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        program.waitUntilExit()
        #expect(text == "b''\n" && program.terminationStatus == 0, "\(text)")
        #expect(await LinkHandover.send(try link("app://shop/own"), in: sandbox))
        listener.end()
        var received: [String] = []
        for await link in listener.links { received.append(link.uri.text) }
        #expect(received == ["app://shop/own"])
    }
}
