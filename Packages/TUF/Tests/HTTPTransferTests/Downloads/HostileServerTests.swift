import Downloads
import HTTPTransfer
import Testing

@Suite("Downloads from a server that", .tags(.medium))
struct HostileServerTests {
    private let folder: DownloadFolder
    private let file = ServedFile()
    private let other = ServedFile(number: 1)
    private let half = 1 << 19

    init() throws {
        folder = try DownloadFolder()
    }

    private func server(_ answers: ScriptedServer.Answer...) throws -> ScriptedServer {
        try ScriptedServer(answers: answers)
    }

    /// Sends half of the file and breaks.
    private var breaking: ScriptedServer.Answer { { [file, half] in $0.serve(file, count: half) } }
    /// Sends the file, or the part that is requested.
    private var right: ScriptedServer.Answer { { [file] in $0.serve(file) } }

    /// Downloads the file, which must succeed, and returns the offsets of the requests.
    private func offsets(_ answers: ScriptedServer.Answer...) async throws -> [Int?] {
        let server = try ScriptedServer(answers: answers)
        #expect(try await folder.download(file, from: [server.address]) == file.content)
        return server.offsets
    }

    /// Downloads the file, which must fail, and returns the code of the error and the number of attempts.
    private func failure(
        limits: DownloadLimits = .short, _ answers: ScriptedServer.Answer...
    ) async throws -> Failure {
        let server = try ScriptedServer(answers: answers)
        let error = await folder.error(file, from: [server.address], limits: limits)
        #expect(folder.file("file") == nil)
        return try Failure(#require(error).code, #require(error).attempts)
    }

    private struct Failure: Equatable {
        let code: DownloadError.Code
        let attempts: Int

        init(_ code: DownloadError.Code, _ attempts: Int = 1) { (self.code, self.attempts) = (code, attempts) }
    }

    @Test("breaks go on where they ended", arguments: [false, true])
    func breaks(_ isReset: Bool) async throws {
        let server = try server(
            {
                $0.serve(file, count: half)
                if isReset { $0.reset() }
            }, { $0.serve(file, count: 1000) }, { $0.serve(file) })
        #expect(try await folder.download(file, from: [server.address]) == file.content)
        // A reset may lose what was sent before it.
        if !isReset { #expect(server.offsets == [nil, half, half + 1000]) }
        #expect(server.offsets.count == 3)
        #expect(server.requests.last?.contains("If-Range: \"1\"\r\n") == true)
        #expect(folder.names == ["file"])
    }

    @Test("has no entity tag go on without a condition")
    func withoutTag() async throws {
        let file = ServedFile(tag: nil)
        let server = try server({ [half] in $0.serve(file, count: half) }, { $0.serve(file) })
        #expect(try await folder.download(file, from: [server.address]) == file.content)
        #expect(server.offsets == [nil, half])
        #expect(server.requests.last?.contains("If-Range") == false)
    }

    @Test("sends no parts start from the beginning")
    func withoutRange() async throws {
        let whole: ScriptedServer.Answer = {
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: \(file.content.count)\r\n\r\n")
            $0.send(file.content)
        }
        #expect(try await offsets(breaking, whole) == [nil, half])
    }

    @Test("sends no parts and always breaks end")
    func withoutRangeForEver() async throws {
        let failure = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(file.content.count)\r\n\r\n")
            connection.send(Array(file.content.prefix(half)))
        }
        #expect(failure == Failure(.broken, 5))
    }

    @Test("has changed the file start from the beginning")
    func changedFile() async throws {
        let (old, half) = (ServedFile(number: 1, tag: "\"0\""), half)
        #expect(try await offsets({ $0.serve(old, count: half) }, right) == [nil, half])
    }

    @Test("has changed the file under the same tag start again")
    func sameTag() async throws {
        let (other, half) = (other, half)
        #expect(try await offsets({ $0.serve(other, count: half) }, right) == [nil, half, nil])
    }

    @Test("has mixed content again and again end")
    func mixedForEver() async throws {
        let (other, half) = (other, half)
        let (breaking, rest) = (
            { $0.serve(other, count: half) } as ScriptedServer.Answer, { $0.serve(other) } as ScriptedServer.Answer
        )
        #expect(try await failure(breaking, rest, breaking, rest) == Failure(.hashMismatch, 4))
    }

    @Test(
        "sends another part are asked for the whole file",
        arguments: [
            "bytes 0-1048575/1048576", "bytes 5-10/1048576", "bytes */1048576", "lines 1-2", "bytes -5/1048576",
            "bytes 99999999999999999999-5/1048576",
        ])
    func wrongPart(_ range: String) async throws {
        let wrong: ScriptedServer.Answer = {
            $0.send("HTTP/1.1 206 Partial Content\r\nContent-Length: 10\r\nContent-Range: \(range)\r\n\r\n")
            $0.send("0123456789")
        }
        #expect(try await offsets(breaking, wrong, right) == [nil, half, nil])
    }

    @Test(
        "answer a range with anything that does not fit are asked once for the whole file",
        arguments: [
            "200 OK\r\nContent-Length: 524288\r\nContent-Range: bytes 524288-1048575/1048576",
            "200 OK\r\nContent-Range: bytes 524288-1048575/1048576\r\nConnection: close",
            "200 OK\r\nContent-Length: 524288",
            "206 Partial Content\r\nContent-Length: 524288\r\nContent-Range: bytes 524288-1048575/2000000",
            "206 Partial Content\r\nContent-Length: 700000\r\nContent-Range: bytes 524288-1048575/1048576",
            "206 Partial Content\r\nContent-Length: 0\r\nContent-Range: bytes 524288-1048575/1048576",
            "206 Partial Content\r\nContent-Length: 524288",
            "206 Partial Content\r\nContent-Length: 524288\r\nContent-Range: bytes 524288-1048575/1048576\r\n"
                + "Content-Encoding: gzip",
            "206 Partial Content\r\nContent-Length: 524288\r\nContent-Type: multipart/byteranges; boundary=x",
            "204 No Content", "304 Not Modified", "400 Bad Request\r\nContent-Length: 0",
            "412 Precondition Failed\r\nContent-Length: 0",
            "416 Range Not Satisfiable\r\nContent-Length: 0\r\nContent-Range: bytes */524288",
            "416 x\r\nContent-Length: 0\r\nContent-Range: bytes */3",
            "206 Partial Content\r\nETag: \"2\"\r\nContent-Range: bytes 524288-1048575/1048576",
        ])
    func unfitting(_ head: String) async throws {
        let unfitting: ScriptedServer.Answer = {
            $0.send("HTTP/1.1 \(head)\r\n\r\n")
            if head.hasPrefix("200") || head.hasPrefix("206") && !head.contains("Content-Length: 0") {
                $0.send(Array(file.content[half...]))
            }
        }
        #expect(try await offsets(breaking, unfitting, right) == [nil, half, nil])
    }

    @Test("answer a range and the request without one with what does not fit end")
    func unfittingForEver() async throws {
        let wrong: ScriptedServer.Answer = { $0.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345") }
        #expect(try await failure(breaking, wrong, wrong) == Failure(.lengthMismatch, 3))
    }

    @Test("sends a part without a request for one are not believed")
    func unwantedPart() async throws {
        let failure = try await failure { connection in
            connection.send("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-1048575/1048576\r\n\r\n")
            connection.send(file.content)
        }
        #expect(failure.code == .rangeInvalid)
    }

    @Test("sends less of a part than requested are asked for the rest")
    func smallParts() async throws {
        let part: ScriptedServer.Answer = {
            $0.send(
                "HTTP/1.1 206 Partial Content\r\nContent-Length: 100000\r\nETag: \"1\"\r\n"
                    + "Content-Range: bytes \(half)-\(half + 99_999)/1048576\r\n\r\n")
            $0.send(Array(file.content[half..<half + 100_000]))
        }
        #expect(try await offsets(breaking, part, right) == [nil, half, half + 100_000])
    }

    @Test(
        "lies about the length end",
        arguments: ["Content-Length: 5", "Content-Length: 1048577", "Content-Length: 99999999999", "Connection: close"])
    func lengths(_ field: String) async throws {
        let failure = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n")
            connection.send(file.content + [1, 2, 3])
        }
        #expect(failure == Failure(.lengthMismatch))
    }

    @Test("ends too early end after some attempts", arguments: ["Connection: close", "Transfer-Encoding: chunked"])
    func tooShort(_ field: String) async throws {
        let failure = try await failure { $0.send("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n3\r\nabc\r\n0\r\n\r\n") }
        #expect(failure == Failure(.lengthMismatch, DownloadLimits().attempts))
    }

    @Test("never ends end")
    func endless() async throws {
        let failure = try await failure { connection in
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send([UInt8](repeating: 0x61, count: 1 << 16)) {}
        }
        #expect(failure.code == .lengthMismatch)
    }

    /// Sends a byte now and then.
    private static let dripping: ScriptedServer.Answer = { connection in
        connection.send("HTTP/1.1 200 OK\r\n\r\n")
        for _ in 0..<300 where connection.send("a") { connection.pause(milliseconds: 100) }
    }

    @Test("sends a byte now and then end")
    func drip() async throws {
        var limits = DownloadLimits.short
        limits.attempts = 2
        limits.deadlines.patience = .seconds(1)
        #expect(try await failure(limits: limits, Self.dripping) == Failure(.timedOut, 2))
    }

    @Test("is slow end at the deadline")
    func deadline() async throws {
        var limits = DownloadLimits.short
        limits.total = .milliseconds(300)
        limits.deadlines.slowestRate = 0
        #expect(try await failure(limits: limits, Self.dripping).code == .deadlineExceeded)
    }

    @Test("is busy are asked again", arguments: [429, 500, 502, 503, 408])
    func busy(_ status: Int) async throws {
        #expect(try await offsets({ $0.status(status) }, right) == [nil, nil])
    }

    @Test("is busy are asked again after the time that it names")
    func retryAfter() async throws {
        let start = ContinuousClock.now
        #expect(try await offsets({ $0.status(503, "Retry-After: 1") }, right) == [nil, nil])
        #expect(start.duration(to: .now) >= .seconds(1))
    }

    @Test("names a time after the deadline, or a very long one, end at once")
    func longRetryAfter() async throws {
        let answer: ScriptedServer.Answer = { $0.status(503, "Retry-After: 1000") }
        #expect(try await failure(answer) == Failure(.statusUnexpected))
        var limits = DownloadLimits.short
        limits.longestPause = .seconds(2000)
        #expect(try await failure(limits: limits, answer).code == .deadlineExceeded)
    }

    @Test(
        "refuses end at the first attempt, and is busy for ever after some",
        arguments: [
            ("503 x", DownloadError.Code.statusUnexpected), ("404 x", .notFound), ("401 x", .statusUnexpected),
            ("302 x\r\nLocation: /", .redirected), ("302 x\r\nLocation: file:///etc/passwd", .redirected),
            ("200 x\r\nContent-Encoding: gzip", .encoded), ("200 x\r\nContent-Encoding: gzip, gzip", .encoded),
            ("200 x\r\nContent-Encoding: gzip\r\nContent-Encoding: identity", .encoded),
        ])
    func permanent(_ head: String, _ expected: DownloadError.Code) async throws {
        let failure = try await failure { $0.send("HTTP/1.1 \(head)\r\nContent-Length: 0\r\n\r\n") }
        #expect(failure == Failure(expected, head == "503 x" ? DownloadLimits().attempts : 1))
    }

    @Test("redirects elsewhere follow, and believe only the digest")
    func redirects() async throws {
        let (right, wrong) = (try server { $0.serve(file) }, try server { $0.serve(other) })
        #expect(try await failure { $0.status(302, "Location: \(wrong.address)") }.code == .hashMismatch)
        #expect(try await offsets { $0.status(302, "Location: \(right.address)") } == [nil])
    }

    @Test("has wrong content are not asked again")
    func wrongContent() async throws {
        #expect(try await failure { $0.serve(other) } == Failure(.hashMismatch))
        let (wrong, right) = (try server { $0.serve(other) }, try server { $0.serve(file) })
        #expect(try await folder.download(file, from: [wrong.address, right.address]) == file.content)
        #expect(wrong.offsets == [nil])
    }

    @Test("is not there end")
    func closedPort() async throws {
        let server = try server { _ in }
        server.stop()
        let error = await folder.error(file, from: [server.address])
        #expect(error?.code == .unreachable || error?.code == .broken)
        #expect(error?.attempts == DownloadLimits().attempts && error?.address == server.address)
    }

    @Test("fails go on at the next mirror with the part that has arrived")
    func nextMirror() async throws {
        let broken = try server({ $0.serve(file, count: half) }, { $0.status(404) })
        let missing = try server { $0.status(404) }
        let right = try server { $0.serve(file) }
        let mirrors = [missing.address, broken.address, right.address]
        #expect(try await folder.download(file, from: mirrors) == file.content)
        #expect(missing.offsets == [nil])
        #expect(broken.offsets == [nil, half])
        #expect(right.offsets == [half])
        // The tag was another server's.
        #expect(right.requests.first?.contains("If-Range") == false)
    }
}
