import HTTPTransfer
import Synchronization
import Testing

@Suite("Requests over HTTP", .tags(.medium), .timeLimit(.minutes(10)))
struct HTTPClientTests {
    private let client = HTTPClient(userAgent: "tests/1.0")

    /// Returns the response with the content.
    private func get(_ request: HTTPRequest) async throws -> (HTTPResponse, String) {
        let content = Collector()
        let response = try await client.get(request) { content.append($0) >= 0 }
        return (response, content.text)
    }

    /// Returns the code of the error of a request, which must fail.
    private func code(_ request: HTTPRequest) async -> HTTPError.Code? {
        await #expect(throws: HTTPError.self) { try await get(request) }?.code
    }

    private func server(_ answer: String) throws -> ScriptedServer {
        try ScriptedServer { $0.send(answer) }
    }

    @Test("return the content and the head of the response")
    func content() async throws {
        let server = try server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"x\"\r\nX-Empty:\r\n\r\nhello")
        let (response, text) = try await get(HTTPRequest(server.address + "a%20b?c"))
        #expect(text == "hello")
        #expect(response.status == 200)
        #expect(response.contentLength == 5)
        #expect(response.entityTag == "\"x\"")
        #expect(server.requests.first?.hasPrefix("GET /a%20b?c HTTP/1.1\r\n") == true)
        #expect(server.requests.first?.contains("User-Agent: tests/1.0\r\n") == true)
        #expect(server.requests.first?.contains("Accept-Encoding") == false)
    }

    @Test("use the connection again after a missing file")
    func reuseAfterError() async throws {
        let server = try ScriptedServer { connection in
            connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nhello")
            connection.waitForRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb")
        }
        #expect(await code(HTTPRequest(server.address)) == .notFound)
        #expect(try await get(HTTPRequest(server.address)).1 == "b")
        #expect(server.requests.count == 1)
    }

    @Test("report a missing file whose page is endless or incomplete", arguments: [true, false])
    func errorWithoutEnd(_ isEndless: Bool) async throws {
        let server = try ScriptedServer { connection in
            connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 100000000000\r\n\r\nhello")
            while isEndless, connection.send([UInt8](repeating: 0x61, count: 1 << 16)) {}
        }
        let error = await #expect(throws: HTTPError.self) { try await get(HTTPRequest(server.address)) }
        #expect(error?.code == .notFound && error?.status == 404)
    }

    @Test(
        "report statuses without passing on their pages",
        arguments: [
            (404, HTTPError.Code.notFound), (403, .notFound), (410, .notFound), (500, .statusUnexpected),
            (401, .statusUnexpected), (304, .statusUnexpected),
        ])
    func statuses(_ status: Int, _ expected: HTTPError.Code) async throws {
        let server = try server("HTTP/1.1 \(status) x\r\nContent-Length: 5\r\n\r\nhello")
        let received = Collector()
        let error = await #expect(throws: HTTPError.self) {
            try await client.get(HTTPRequest(server.address)) { received.append($0) >= 0 }
        }
        #expect(error?.code == expected && error?.status == status)
        #expect(received.text.isEmpty)
    }

    @Test("follow redirects, unless they are not to")
    func redirects() async throws {
        let end = try server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        let once = try server("HTTP/1.1 302 Found\r\nLocation: \(end.address)\r\nContent-Length: 3\r\n\r\nxyz")
        var request = HTTPRequest(once.address)
        #expect(try await get(request).1 == "hello")
        request.mostRedirects = 0
        #expect(await code(request) == .statusUnexpected)
    }

    @Test(
        "are not made for other addresses",
        arguments: [
            "file:///etc/passwd", "ftp://127.0.0.1/", "http://127.0.0.1/a b", "http://127.0.0.1/\r\nX: y", "",
            "127.0.0.1",
        ])
    func addresses(_ address: String) async {
        #expect(await code(HTTPRequest(address)) == .addressInvalid)
    }

    @Test("fail if the head never ends")
    func endlessHead() async throws {
        let server = try ScriptedServer { connection in
            connection.send("HTTP/1.1 200 OK\r\n")
            while connection.send("X-Field: \(String(repeating: "x", count: 1000))\r\n") {}
        }
        #expect(await code(HTTPRequest(server.address)) == .broken)
    }

    @Test(
        "report the time after which a busy server wants the next one",
        arguments: [
            ("Retry-After: 7", Duration.seconds(7)...Duration.seconds(7)), ("Retry-After: 0", nil),
            ("Retry-After: soon", nil), ("X: y", nil),
            ("Retry-After: Sun, 01 Jan 2107 00:00:00 GMT", .seconds(1 << 30)...(.seconds(1 << 32))),
            ("Retry-After: Thu, 29 Feb 2024 00:00:00 GMT", nil),
        ])
    func retryAfter(_ fields: String, _ expected: ClosedRange<Duration>?) async throws {
        let server = try server("HTTP/1.1 503 x\r\n\(fields)\r\nContent-Length: 0\r\n\r\n")
        let error = await #expect(throws: HTTPError.self) { try await get(HTTPRequest(server.address)) }
        #expect(error?.retryAfter.map { expected?.contains($0) ?? false } ?? (expected == nil))
    }

    @Test("run at once up to a limit, and wait in order")
    func limit() async throws {
        let client = HTTPClient(userAgent: "tests/1.0", atOnce: 3)
        let running = Mutex((now: 0, most: 0))
        let server = try ScriptedServer { connection in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            connection.pause(milliseconds: 100)
            running.withLock { $0.now -= 1 }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\na")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<9 { group.addTask { try await client.get(HTTPRequest(server.address)) { _ in true } } }
            try await group.waitForAll()
        }
        #expect(running.withLock { $0.most } == 3)
        #expect(server.requests.count == 9)
    }

    @Test("end when their task is canceled", arguments: [true, false])
    func cancellation(_ isWaiting: Bool) async throws {
        let client = HTTPClient(userAgent: "tests/1.0", atOnce: 1)
        let (started, send) = AsyncStream<Void>.makeStream()
        let server = try ScriptedServer { connection in
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            send.yield()
            while connection.send("a") { connection.pause(milliseconds: 10) }
        }
        let request = HTTPRequest(server.address)
        let task = Task { try await client.get(request) { _ in true } }
        for await _ in started { break }
        if isWaiting {
            let waiting = Task { try await client.get(request) { _ in true } }
            waiting.cancel()
            let error = await #expect(throws: HTTPError.self) { try await waiting.value }
            #expect(error?.code == .canceled)
        }
        task.cancel()
        let error = await #expect(throws: HTTPError.self) { try await task.value }
        #expect(error?.code == .canceled)
        #expect(server.requests.count == 1)
    }

    @Test("use the open connection to their server")
    func origins() async throws {
        let answer: @Sendable (ScriptedServer.Connection) -> Void = { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
            connection.waitForRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nb")
        }
        let (one, two) = (try ScriptedServer(answer), try ScriptedServer(answer))
        async let first = get(HTTPRequest(one.address))
        async let second = get(HTTPRequest(two.address))
        _ = try await (first, second)
        #expect(try await get(HTTPRequest(one.address)).1 == "b")
        #expect(try await get(HTTPRequest(two.address)).1 == "b")
    }
}

/// Content that is collected in memory.
private final class Collector: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    /// Appends a piece. Returns the length of all content.
    func append(_ piece: UnsafeRawBufferPointer) -> Int {
        bytes.withLock { bytes in
            bytes.append(contentsOf: piece)
            return bytes.count
        }
    }

    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
}
