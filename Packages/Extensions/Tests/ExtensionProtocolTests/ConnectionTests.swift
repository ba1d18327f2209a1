import Dispatch
@testable import ExtensionProtocol
import HostSystem
import PluginCore
import PluginExtension
import Processes
import Synchronization
import Testing

@Suite("Connections between a host and an extension's process", .tags(.medium), .timeLimit(.minutes(1)))
struct ConnectionTests {
    /// Replies to each request by its input, and remembers how the connection ended.
    private final class Peer: ConnectionHandler {
        let end = Mutex<Connection.End?>(nil)
        let canceled = Mutex(0)
        let waiting = Mutex<[IncomingRequest]>([])

        func receive(_ request: IncomingRequest) throws(ProtocolViolation) {
            guard request.method == Messages.begin.number else { throw .messageUnknown(request.method) }
            let begin = try request.decode(Messages.begin)
            switch String(decoding: begin.value.json, as: UTF8.self) {
            case "wait":
                request.onCancel { self.canceled.withLock { $0 += 1 } }
                waiting.withLock { $0.append(request) }
            default: request.reply(begin)
            }
        }

        func receive(_ event: Frame) throws(ProtocolViolation) { throw .messageUnknown(event.method) }

        func connectionEnded(_ end: Connection.End) { self.end.withLock { $0 = end } }

        /// The end of the connection, which another thread reports.
        var finalEnd: Connection.End? {
            get async throws {
                for _ in 0..<2000 {
                    if let end = end.withLock({ $0 }) { return end }
                    try await Task.sleep(for: .milliseconds(5))
                }
                return nil
            }
        }
    }

    /// The number of the thread on which a task has started.
    private final class Started: Sendable {
        let thread = Mutex(0)
    }

    private struct Ends {
        let host = Peer()
        let peer = Peer()
        let left: Connection
        let right: Connection

        init(limits: ConnectionLimits = ConnectionLimits()) throws {
            let (one, other) = try MessageSocket.pair()
            left = try Connection(one, limits: limits)
            right = try Connection(other, limits: limits)
            try left.start(handler: host)
            try right.start(handler: peer)
        }
    }

    /// A connection whose other end is a socket, over which a process may send anything.
    private struct BareEnd {
        let peer = Peer()
        let connection: Connection
        let other: MessageSocket

        init(limits: ConnectionLimits = ConnectionLimits()) throws {
            let (own, other) = try MessageSocket.pair()
            self.other = other
            connection = try Connection(own, limits: limits)
            try connection.start(handler: peer)
        }

        func send(_ frame: Frame) {
            frame.bytes.withUnsafeBytes { _ = other.send($0, files: frame.files.map(\.descriptor), waits: true) }
        }
    }

    @Test("A reply arrives at its request, whatever the order of the replies")
    func replies() async throws {
        let ends = try Ends()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask { try await ends.left.begin("\(number)").output == "\(number)" }
            }
            for try await isEqual in group { #expect(isEqual) }
        }
        ends.left.close()
        #expect(try await ends.peer.finalEnd == .closedByPeer)
        #expect(try await ends.host.finalEnd == .closedHere)
    }

    @Test("Items arrive with their attachments, and files without a copy")
    func items() async throws {
        let ends = try Ends()
        let memory = try MemoryFile(Array("picture".utf8), named: "picture")
        let file = try AttachmentFile(opening: memory.path)
        let sent = ExtensionItem(
            title: "Title", text: nil,
            attachments: [
                ItemAttachment(url: "https://example.com"),
                ItemAttachment(types: [.png], name: "a.png", content: .file(file)),
            ])
        let reply = try await ends.left.begin(items: [sent])
        let item = try #require(reply.items.first)
        #expect(item.title == "Title" && item.text == nil && item.attachments.count == 2)
        #expect(try item.attachments[0].loadText() == "https://example.com")
        #expect(item.attachments[1].name == "a.png" && item.attachments[1].types == [.png])
        #expect(try item.attachments[1].loadText() == "picture")
        ends.left.close()
    }

    @Test("The other process is told of a canceled request, and its late reply is dropped")
    func cancellation() async throws {
        let ends = try Ends()
        let task = Task { try await ends.left.begin("wait") }
        while ends.peer.waiting.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        while ends.peer.canceled.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(1)) }
        ends.peer.waiting.withLock { $0.first }?.reply(RequestContent(CodedValue(json: []), items: []))
        #expect(try await ends.left.begin("1").output == "1")
        ends.left.close()
    }

    @MainActor
    @Test("A request of the main actor goes on there after a reply, a cancellation, and the end of the connection")
    func mainActor() async throws {
        let isMain = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: isMain, value: true)
        let ends = try Ends()
        for number in 0..<100 {
            #expect(try await ends.left.begin("\(number)", skipsPool: true).output == "\(number)")
            #expect(DispatchQueue.getSpecific(key: isMain) == true)
        }
        let canceled = Task {
            defer { #expect(DispatchQueue.getSpecific(key: isMain) == true) }
            return try await ends.left.begin("wait", skipsPool: true)
        }
        while ends.peer.waiting.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
        canceled.cancel()
        await #expect(throws: CancellationError.self) { try await canceled.value }
        let unanswered = Task {
            defer { #expect(DispatchQueue.getSpecific(key: isMain) == true) }
            return try await ends.left.begin("wait", skipsPool: true)
        }
        while ends.peer.waiting.withLock({ $0.count }) < 2 { try await Task.sleep(for: .milliseconds(1)) }
        ends.right.close()
        await #expect(throws: Connection.End.closedByPeer) { try await unanswered.value }
        #expect(try await ends.host.finalEnd == .closedByPeer)
    }

    @Test("A task that is resumed on the connection's thread goes on there, and on other threads on the pool")
    func executor() async throws {
        let executor = ReplyExecutor()
        @Sendable func startsAtOnce() -> Bool {
            let started = Started()
            Task(executorPreference: executor) { started.thread.withLock { $0 = SystemThreads.current } }
            return started.thread.withLock { $0 == SystemThreads.current }
        }
        #expect(!startsAtOnce())
        let result = BlockingResult<Bool, Never>()
        try DetachedThread.run {
            executor.begin()
            result.finish(.success(startsAtOnce()))
        }
        #expect(result.wait() == .success(true))
    }

    @Test("A task of the main actor leaves the connection's thread at once, so this can receive while the task blocks")
    @MainActor
    func blocking() async throws {
        let ends = try Ends()
        _ = try await ends.left.begin("1", skipsPool: true)
        #expect(
            try ends.left.requestBlocking(Messages.begin, RequestContent(CodedValue(json: [2]), items: [])).value.json
                == [2])
        ends.left.close()
    }

    @Test("A request fails if the connection ends before its reply")
    func ended() async throws {
        let ends = try Ends()
        let task = Task { try await ends.left.begin("wait") }
        while ends.peer.waiting.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
        ends.right.close()
        await #expect(throws: Connection.End.closedByPeer) { try await task.value }
        await #expect(throws: Connection.End.closedByPeer) { try await ends.left.begin() }
    }

    @Test("A connection closes its socket when it ends, although a request of the other process is still being handled")
    func descriptors() async throws {
        let peer = Peer()
        weak var socket: MessageSocket?
        func start() throws -> (Connection, MessageSocket) {
            let (own, other) = try MessageSocket.pair()
            socket = own
            let connection = try Connection(own)
            try connection.start(handler: peer)
            return (connection, other)
        }
        let (connection, other) = try start()
        let request = Frame(.request, method: 3, number: 1, body: Self.waiting)
        request.bytes.withUnsafeBytes { _ = other.send($0, waits: true) }
        while peer.waiting.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
        #expect(socket != nil)
        other.shutDown()
        #expect(try await peer.finalEnd == .closedByPeer)
        #expect(socket == nil)
        // A late reply and a late end have no effect.
        peer.waiting.withLock { $0.first }?.reply(RequestContent(CodedValue(json: []), items: []))
        connection.close()
    }

    /// The frames that a process sends while a request with number 1 waits for its reply, and the rule that it breaks.
    private static let violations: [(frames: [Frame], violation: ProtocolViolation)] = [
        ([Frame(.request, method: 999, number: 1)], .messageUnknown(999)),
        ([Frame(.event, method: 999)], .messageUnknown(999)),
        ([Frame(.request, method: 3, number: 1, body: [1])], .messageMalformed(3)),
        ([Frame(.reply, number: 1, body: [1])], .messageMalformed(3)),
        ([Frame(.failure, number: 1, body: [1])], .messageMalformed(3)),
        ([Frame(.reply, number: 5)], .replyWithoutRequest(5)),
        ([Frame(.failure, number: 6)], .replyWithoutRequest(6)),
        (Array(repeating: Frame(.reply, number: 1, body: noItems), count: 2), .replyWithoutRequest(1)),
        (Array(repeating: Frame(.request, method: 3, number: 1, body: waiting), count: 2), .requestRepeated(1)),
        ((1...65).map { Frame(.request, method: 3, number: $0, body: waiting) }, .tooManyRequests(64)),
        // The message does not use the file that comes with it.
        ([Frame(.request, method: 3, number: 1, body: waiting, files: file)], .filesUnused),
        ([Frame(.cancel, number: 1, files: file)], .filesUnused),
        ([Frame(.reply, number: 1, body: noItems, files: file)], .filesUnused),
        (
            [Frame(.failure, number: 1, body: WireWriter(WireError(CancellationError())).bytes, files: file)],
            .filesUnused
        ),
    ]

    private static let noItems: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    private static var file: [AttachmentFile] {
        (try? AttachmentFile(opening: "/dev/../etc/passwd")).map { [$0] } ?? []
    }

    private static var waiting: [UInt8] {
        var writer = WireWriter()
        RequestContent(CodedValue(json: Array("wait".utf8)), items: []).write(to: &writer)
        return writer.bytes
    }

    @Test("A process that breaks a rule of the protocol loses its connection", arguments: violations.indices)
    func violation(index: Int) async throws {
        let (frames, violation) = Self.violations[index]
        let end = try BareEnd()
        let sent = AsyncStream.makeStream(of: UInt32.self)
        let request = Task {
            let begin = RequestContent(CodedValue(json: []), items: [])
            return try await end.connection.request(Messages.begin, begin) { sent.continuation.yield($0) }
        }
        for await number in sent.stream.prefix(1) { #expect(number == 1) }
        for frame in frames { end.send(frame) }
        #expect(try await end.peer.finalEnd == .violation(violation))
        switch await request.result {
        // The first of two replies.
        case .success: #expect(violation == .replyWithoutRequest(1))
        case .failure(let error): #expect(error as? Connection.End == .violation(violation))
        }
    }

    @Test("The descriptors of a process that are open at the same time have a limit, and closed ones do not count")
    func heldFiles() async throws {
        let ends = try Ends()
        let item = ExtensionItem(
            attachments: (0..<16).flatMap { _ in Self.file.map { ItemAttachment(types: [], content: .file($0)) } })
        for _ in 0..<20 { _ = try await ends.left.begin() }
        for _ in 0..<20 { #expect(try await ends.left.begin(items: [item]).items.count == 1) }
        var held: [[ExtensionItem]] = []
        for _ in 0..<5 {
            if let reply = try? await ends.left.begin(items: [item]) { held.append(reply.items) }
        }
        #expect(try await ends.host.finalEnd == .violation(.tooManyFilesHeld(64)))
        withExtendedLifetime(held) {}
    }

    @Test("The requests that a process leaves open are not larger than the limit together")
    func openBytes() async throws {
        let ends = try Ends(limits: ConnectionLimits(openBytes: 1 << 20))
        let text = String(repeating: " ", count: 400_000)
        let requests = (0..<3).map { _ in
            Task { try await ends.left.begin("wait", items: [ExtensionItem(text: text)]) }
        }
        #expect(try await ends.peer.finalEnd == .violation(.tooManyValues(1 << 20)))
        for request in requests { await #expect(throws: Connection.End.self) { try await request.value } }
    }

    @Test(
        "A deadline of another process is more than nothing and at most an hour",
        arguments: [
            .nan, .infinity, -.infinity, 1e308, -1e308, 1e19, 0, -0.0, -1, 3600.000_001, .leastNonzeroMagnitude, 0.5,
            3600,
        ] as [Double])
    func deadline(seconds: Double) throws {
        var writer = WireWriter()
        writer.write(seconds)
        var reader = WireReader(writer.bytes)
        guard seconds > 0, seconds <= 3600 else {
            let error = #expect(throws: AtriumError.self) { try reader.readDeadline(of: "it") }
            #expect(error?.code == .parameterType && error?.reason?.name == "deadlineInvalid")
            return
        }
        #expect(try reader.readDeadline(of: "it") == .seconds(seconds))
    }

    @Test("Reasons in reasons of an error end at a limit")
    func reasons() {
        for depth in [10, 50_000] {
            let nested = String(repeating: #"{"name": "a", "values": {"b": "#, count: depth)
            let json = "[" + nested + "1" + String(repeating: "}}", count: depth) + "]"
            let body = WireWriter("code", "subject", String?.none, String?.none, Array(json.utf8), [String]()).bytes
            var reader = WireReader(body)
            #expect((try? WireError(from: &reader).error.reason?.name) == (depth == 10 ? "a" : nil))
        }
    }

    @Test("A request of a task that was canceled before is not sent, and the connection goes on")
    func canceledBefore() async throws {
        let ends = try Ends()
        for _ in 0..<100 {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await ends.left.begin("1")
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(try await ends.left.begin("2").output == "2")
        #expect(ends.host.end.withLock { $0 } == nil)
        ends.left.close()
    }

    @Test("A process that does not read cannot make its host hold many descriptors")
    func filesNotRead() async throws {
        let end = try BareEnd()
        let memory = try MemoryFile([1], named: "small")
        let file = try AttachmentFile(opening: memory.path)
        let item = ExtensionItem(attachments: [ItemAttachment(types: [], content: .file(file))])
        let requests = (0..<2_000).map { _ in Task { try await end.connection.begin(items: [item]) } }
        #expect(try await end.peer.finalEnd == .violation(.notReading(4 << 20)))
        for request in requests { await #expect(throws: Connection.End.self) { try await request.value } }
    }

    @Test("A process that does not read cannot make its host wait or hold more than the limit")
    func notReading() async throws {
        let end = try BareEnd(limits: ConnectionLimits(unsentBytes: 1 << 20))
        let text = String(repeating: "x", count: 100_000)
        for _ in 0..<50 { end.connection.send(Messages.log, "info", text) }
        #expect(try await end.peer.finalEnd == .violation(.notReading(1 << 20)))
    }

    @Test("A large message arrives whole at a slow reader")
    func large() async throws {
        let ends = try Ends()
        let input = String(repeating: "7", count: Frame.maximumBody - 64)
        #expect(try await ends.left.begin(input).output == input)
        await #expect(throws: ProtocolViolation.frameTooLarge(Frame.maximumBody + 8)) {
            try await ends.left.begin(String(repeating: "7", count: Frame.maximumBody))
        }
        ends.left.close()
    }
}

extension Connection {
    /// Sends a request with a text as its input.
    fileprivate func begin(
        _ input: String = "", items: [ExtensionItem] = [], skipsPool: Bool = false,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (output: String, items: [ExtensionItem]) {
        let begin = RequestContent(CodedValue(json: Array(input.utf8)), items: items)
        let reply = try await request(Messages.begin, begin, skipsPool: skipsPool, isolation: isolation)
        return (String(decoding: reply.value.json, as: UTF8.self), reply.items)
    }
}
