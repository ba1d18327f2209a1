import Downloads
import Foundation
import HTTPTransfer
import Synchronization
import Testing

@Suite("A downloader", .tags(.medium), .timeLimit(.minutes(10)))
struct DownloaderTests {
    private let folder: DownloadFolder
    private let file: ServedFile
    /// A server that sends the file.
    private let server: ScriptedServer
    private let half = 1 << 19

    init() throws {
        folder = try DownloadFolder()
        let file = ServedFile()
        server = try ScriptedServer { $0.serve(file) }
        self.file = file
    }

    /// Returns a server that sends half of the file and then waits until the client has gone.
    private func stuckServer() throws -> (server: ScriptedServer, isStuck: AsyncStream<Void>) {
        let (isStuck, send) = AsyncStream<Void>.makeStream()
        let server = try ScriptedServer { [file, half] connection in
            connection.serve(file, count: half)
            send.yield()
            connection.waitForRequest()
        }
        return (server, isStuck)
    }

    @Test("does not request a file that is there")
    func present() async throws {
        let progress = Mutex<[DownloadProgress]>([])
        for _ in 0..<2 {
            try await folder.download(file, from: [server.address]) { state in progress.withLock { $0.append(state) } }
        }
        #expect(server.requests.count == 1)
        let last = progress.withLock { $0.last }
        #expect(last?.received == last?.total)
    }

    @Test("replaces a file with the same name and another content")
    func replaced() async throws {
        let other = ServedFile(number: 1)
        let old = try ScriptedServer { $0.serve(other) }
        #expect(try await folder.download(other, from: [old.address]) == other.content)
        #expect(try await folder.download(file, from: [server.address]) == file.content)
    }

    @Test("downloads an empty file without a request")
    func empty() async throws {
        #expect(try await folder.download(ServedFile(length: 0), from: ["http://127.0.0.1:1/"]) == [])
        #expect(folder.names == ["file"])
    }

    @Test(
        "rejects invalid requests",
        arguments: [
            ("", 0, "http://x/", 64), (".a", 0, "http://x/", 64), ("a/b", 0, "http://x/", 64),
            ("a\0b", 0, "http://x/", 64),
            ("a", -1, "http://x/", 64), ("a", 0, "", 64), ("a", 0, "http://x/", 63),
        ])
    func invalid(_ name: String, _ length: Int64, _ mirror: String, _ digits: Int) async {
        let request = DownloadRequest(
            mirrors: mirror.isEmpty ? [] : [mirror], length: length, sha256: String(repeating: "0", count: digits))
        let error = await #expect(throws: DownloadError.self) {
            try await folder.downloader.download(request, as: name)
        }
        #expect(error?.code == .requestInvalid)
    }

    @Test("rejects addresses that are not of HTTP, and goes on with the next")
    func addresses() async throws {
        #expect(await folder.error(file, from: ["file:///etc/passwd"])?.code == .addressInvalid)
        #expect(try await folder.download(file, from: ["ftp://127.0.0.1/", server.address]) == file.content)
    }

    @Test("reports each step of progress once in a while, and the end always")
    func progress() async throws {
        let server = try ScriptedServer { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(file.content.count)\r\n\r\n")
            for start in stride(from: 0, to: file.content.count, by: 1 << 15) {
                connection.send(Array(file.content[start..<start + 1 << 15]))
                connection.pause(milliseconds: 20)
            }
        }
        let progress = Mutex<[DownloadProgress]>([])
        let seconds =
            try await ContinuousClock().measure {
                try await folder.download(file, from: [server.address]) { state in
                    progress.withLock { $0.append(state) }
                }
            } / .seconds(1)
        let states = progress.withLock { $0 }
        // One at the start, one at the end, and at most five per second between them.
        #expect(states.count >= 3 && Double(states.count) <= 2 + 5 * seconds)
        #expect(states.map(\.received) == states.map(\.received).sorted())
        #expect(states.last?.received == Int64(file.content.count))
        #expect(states.allSatisfy { $0.total == Int64(file.content.count) })
    }

    @Test("makes one download for several tasks, each with progress")
    func shared() async throws {
        let server = try ScriptedServer { connection in
            connection.pause(milliseconds: 300)
            connection.serve(file)
        }
        let ends = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 {
                group.addTask { [folder] in
                    let content = try await folder.download(file, from: [server.address]) { progress in
                        if progress.received == progress.total { ends.next() }
                    }
                    #expect(content == file.content)
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == 1)
        #expect(ends.value >= 5)
    }

    @Test("goes on for the others when one task is canceled")
    func cancelOne() async throws {
        let (isStuck, send) = AsyncStream<Void>.makeStream()
        let server = try ScriptedServer(answers: [
            { connection in
                connection.serve(file, count: half)
                send.yield()
                connection.waitForRequest()
            }, { $0.serve(file) },
        ])
        let first = Task { [folder] in try await folder.download(file, from: [server.address]) }
        for await _ in isStuck { break }
        let second = Task { [folder] in try await folder.download(file, from: [server.address]) }
        try await folder.waitForPart(length: half)
        first.cancel()
        let error = await #expect(throws: DownloadError.self) { try await first.value }
        #expect(error?.code == .canceled)
        #expect(try await second.value == file.content)
        #expect(server.offsets == [nil, half])
    }

    @Test("leaves the part that has arrived when it is canceled, and uses it next time")
    func cancelAndResume() async throws {
        let (stuck, isStuck) = try stuckServer()
        let task = Task { [folder] in try await folder.download(file, from: [stuck.address]) }
        for await _ in isStuck { break }
        try await folder.waitForPart(length: half)
        task.cancel()
        let error = await #expect(throws: DownloadError.self) { try await task.value }
        #expect(error?.code == .canceled)
        #expect(folder.file("file") == nil)
        #expect(try await folder.download(file, from: [server.address]) == file.content)
        #expect(server.offsets == [half])
        #expect(folder.names == ["file"])
    }

    @Test(
        "ignores a partial file whose origin is another file or unknown",
        arguments: ["", "partial file 1\n", "partial file 1\n0000\nhttp://127.0.0.1/\n\"1\"\n", "partial file 2\n"])
    func foreignPart(_ validator: String) async throws {
        try Data(file.content.prefix(1000)).write(to: URL(filePath: folder.path + "/.file.partial"))
        try validator.write(toFile: folder.path + "/.file.validator", atomically: true, encoding: .utf8)
        #expect(try await folder.download(file, from: [server.address]) == file.content)
        #expect(server.offsets == [nil])
    }

    @Test(
        "takes a partial file that is complete, and none that is longer or wrong",
        arguments: [(-2, [1000, nil]), (-1, [nil]), (0, []), (1, [nil])] as [(Int, [Int?])])
    func wholePart(_ difference: Int, offsets: [Int?]) async throws {
        var content = file.content
        if difference > 0 { content.append(0) }
        if difference < 0 { content[5] ^= 1 }
        // A part of another file, which the server goes on with: only its digest shows that it is wrong.
        if difference < -1 { content.removeLast(content.count - 1000) }
        try Data(content).write(to: URL(filePath: folder.path + "/.file.partial"))
        try "partial file 1\n\(file.digest)\nhttp://127.0.0.1/\n".write(
            toFile: folder.path + "/.file.validator", atomically: true, encoding: .utf8)
        #expect(try await folder.download(file, from: [server.address]) == file.content)
        #expect(server.offsets == offsets)
        #expect(folder.names == ["file"])
    }

    @Test("does not write through a link, and reports errors of files")
    func fileErrors() async throws {
        let outside = folder.path + "/outside"
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/.file.partial", withDestinationPath: outside)
        #expect(await folder.error(file, from: [server.address])?.code == .fileFailed)
        #expect(folder.file("outside") == nil)
        let downloader = Downloader(folder: "/dev/null/x", client: HTTPClient(userAgent: "tests/1.0"))
        let request = DownloadRequest(mirrors: [server.address], length: 1, sha256: file.digest)
        let error = await #expect(throws: DownloadError.self) { try await downloader.download(request, as: "file") }
        #expect(error?.code == .fileFailed)
    }

    @Test("removes old parts that nobody downloads")
    func oldParts() async throws {
        let (stuck, isStuck) = try stuckServer()
        let task = Task { [folder] in try await folder.download(file, from: [stuck.address], as: "running") }
        for await _ in isStuck { break }
        try await folder.waitForPart(of: "running", length: half)
        for name in [".old.partial", ".old.validator", ".new.partial", "complete", ".temporary.tmp"] {
            try Data([1]).write(to: URL(filePath: "\(folder.path)/\(name)"))
        }
        for name in folder.names where name != ".new.partial" {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: "\(folder.path)/\(name)")
        }
        try folder.downloader.removePartialFiles(olderThan: 3600)
        #expect(folder.names == [".new.partial", ".running.partial", ".running.validator", "complete"])
        task.cancel()
        _ = await task.result
    }
}
