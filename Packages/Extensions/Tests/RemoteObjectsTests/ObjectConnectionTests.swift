import Glibc
@testable import ExtensionProtocol
import Foundation
import HostSystem
import PluginCore
import Processes
import Synchronization
import Testing

@Suite("Calls between a host and the process of a plugin", .tags(.medium), .timeLimit(.minutes(5)))
struct ObjectConnectionTests {
    @TaskLocal private static var chain: [String] = []

    @Test("A call back runs with the task-local values of the call that has led to it, however deep")
    func taskLocals() async throws {
        let link = try Link(
            plugin: Function { value in
                guard let closure = value as? @Sendable (String) async throws -> String else { return () }
                return try await Self.$chain.withValue(["plugin"]) { try await closure("x") }
            })
        let read: @Sendable (String) async throws -> String = { $0 + Self.chain.joined() }
        let results = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await Self.$chain.withValue(["\(number)"]) { try await link.host.call(read) as? String }
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1 ?? "") }
        }
        #expect(results == Set((0..<20).map { "x\($0)" }))
    }

    @Test("A canceled call cancels the function, and returns without waiting for it")
    func cancellation() async throws {
        let isCanceled = Mutex(false)
        let hasBegun = Mutex(false)
        let link = try Link(
            plugin: Function { _ in
                hasBegun.withLock { $0 = true }
                try? await Task.sleep(for: .seconds(20))
                isCanceled.withLock { $0 = Task.isCancelled }
                return ()
            })
        let call = Task { try await link.host.call(1) }
        #expect(try await eventually { hasBegun.withLock { $0 } })
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(try await eventually { isCanceled.withLock { $0 } })
    }

    @Test("An object that is no longer used is released by the process that has passed it")
    func release() async throws {
        final class Token: Sendable {}
        weak var token: Token?
        let kept = Mutex<[any Sendable]>([])
        let link = try Link(
            plugin: Function { value in
                if value is Int { kept.withLock { $0 = [] } } else { kept.withLock { $0.append(value) } }
                return ()
            })
        func pass() async throws {
            let strong = Token()
            token = strong
            let closure: @Sendable () -> Void = { _ = strong }
            for _ in 0..<3 { _ = try await link.host.call(closure) }
        }
        try await pass()
        #expect(token != nil)
        _ = try await link.host.call(0)
        nonisolated(unsafe) let released = { token == nil }
        #expect(try await eventually { released() })
    }

    @Test("When the process ends, the connection and the objects that were passed to it are released")
    func releaseAtEnd() async throws {
        weak var host: ObjectConnection?
        let kept = Mutex<[any Sendable]>([])
        func pass() async throws {
            let link = try Link(
                host: Function { $0 },
                plugin: Function { value in
                    kept.withLock { $0.append(value) }
                    let closure: @Sendable () -> Void = {}
                    return closure
                })
            host = link.host
            // The host's export refers to an object of the plugin's process.
            let theirs = try await link.host.call(1)
            _ = try await link.host.call(theirs)
            #expect(link.host.exportCount == 1)
            link.endPlugin()
        }
        try await pass()
        nonisolated(unsafe) let isReleased = { host == nil }
        #expect(try await eventually { isReleased() })
    }

    @Test("Objects in the reply to a canceled call are released")
    func lateReply() async throws {
        let hasBegun = Mutex(false)
        let isCanceled = Mutex(false)
        let link = try Link(
            plugin: Function { _ in
                hasBegun.withLock { $0 = true }
                // A canceled task does not sleep, and would keep its thread from others.
                while !isCanceled.withLock({ $0 }) { await Task.yield() }
                let closure: @Sendable () -> Void = {}
                return closure
            })
        let call = Task { try await link.host.call(1) }
        #expect(try await eventually { hasBegun.withLock { $0 } })
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        isCanceled.withLock { $0 = true }
        #expect(try await link.host.call(2) is @Sendable () -> Void)
        #expect(try await eventually { link.plugin.exportCount == 0 })
    }

    @Test("Objects among arguments that cannot pass, are not read, or belong to a canceled task are released")
    func unread() async throws {
        struct Own: Sendable {}
        let link = try Link(plugin: Nothing())
        let closure: @Sendable () -> Void = {}
        await #expect(throws: AtriumError.self) {
            try await link.host.call(ActionParameters(["a": closure, "b": Own()]))
        }
        #expect(link.host.exportCount == 0)
        await #expect(throws: AtriumError.self) { try await link.host.call(closure) }
        #expect(try await eventually { link.host.exportCount == 0 })
        let canceled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await link.host.call(closure)
        }
        await #expect(throws: (any Error).self) { try await canceled.value }
        #expect(try await eventually { link.host.exportCount == 0 })
    }

    @Test("An object that a message refers to without containing it is an error")
    func unlisted() async throws {
        let link = try Link(plugin: Function { $0 })
        let closure: [UInt8] = [2, 10, 0, 0, 0] + Array("() -> Void".utf8) + [7, 0, 0, 0]
        await #expect(throws: AtriumError.self) { try await link.send(TransferredValues(.message(closure))) }
        try await link.send(TransferredValues(objects: [7], .message(closure)))
    }

    /// The values that a process sends while nothing is handled, how often, and the limit that it exceeds.
    private static let floods: [(values: TransferredValues, count: Int, violation: ProtocolViolation)] = [
        (
            TransferredValues(.message([UInt8](repeating: 0, count: TransferredBytes.maximumInMessage))), 1100,
            .tooManyValues(64 << 20)
        ),
        // References count as values, too.
        (
            TransferredValues(objects: [UInt32](repeating: 9, count: TransferredValues.maximumObjects), .message([0])),
            200, .tooManyValues(64 << 20)
        ),
        (TransferredValues(.message([0])), 20_000, .tooManyRequests(10_000)),
    ]

    @Test(
        "A process cannot make the other one hold more than 64 MiB of values, or ten thousand notifications",
        arguments: floods.indices)
    func flood(index: Int) async throws {
        let (values, count, violation) = Self.floods[index]
        let isEnded = Mutex(false)
        let link = try Link(
            host: Function { _ in
                while !isEnded.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
                return ()
            }, plugin: Function { $0 })
        for _ in 0..<count { link.notifyHost(values) }
        #expect(try await link.endOfHost() == .violation(violation))
        isEnded.withLock { $0 = true }
    }

    @Test("A main thread that does not respond while a call waits is noticed, however long the call")
    func unresponsive() async throws {
        let hasHung = Mutex(false)
        let link = try Link(
            plugin: Function { _ in
                // Not for ever, because other tests need the main thread, too.
                await MainActor.run { for _ in 0..<60_000 where !hasHung.withLock({ $0 }) { usleep(1000) } }
                return ()
            }, responseLimit: 0.05
        ) {
            hasHung.withLock { $0 = true }
        }
        _ = try await link.host.call(1)
        #expect(hasHung.withLock { $0 })
    }

    @Test("When the process ends, calls fail with the reason for its end, and closures without a result return")
    func end() async throws {
        var settings = ObjectConnectionSettings()
        settings.failure = { _ in AtriumError(.init("gone"), "it") }
        let link = try Link(
            plugin: Function { value in
                if value is Int { try await Task.sleep(for: .seconds(20)) }
                let closure: @Sendable (String) async -> Void = { _ in }
                return closure
            }, settings)
        let closure = try #require(try await link.host.call("x") as? @Sendable (String) async -> Void)
        let call = Task { try await link.host.call(1) }
        try await Task.sleep(for: .milliseconds(50))
        link.endPlugin()
        let error = await #expect(throws: AtriumError.self) { try await call.value }
        #expect(error?.code.name == "gone")
        await closure("y")
    }

    @Test("Calls with unknown objects, unknown functions and damaged arguments fail alone")
    func hostile() async throws {
        let link = try Link(plugin: Function { $0 })
        let values: [[UInt8]] = [
            [], [99], [1], [1, 64, 64, 64, 64, 1, 1], [1, 66, 64, 1], [1, 67, 200, 1], [2, 1, 0, 0, 0, 65],
            [3, 1, 9, 0, 0, 0],
            [1, 65, 1, 255, 255, 255, 255], [6, 255, 255, 255, 255], [5, 9], [4, 255, 255, 255, 255],
        ]
        for arguments in values {
            let error = await #expect(throws: AtriumError.self, "\(arguments)") {
                try await link.send(TransferredValues(.message(arguments)))
            }
            #expect(error?.code == .parameterType, "\(arguments)")
        }
        await #expect(throws: AtriumError.self) { try await link.send(TransferredValues(.message([])), to: 77) }
        #expect(try await link.host.call("still there") as? String == "still there")
    }

    /// Values that lead into each other without end, by the bytes of a level: parameters, suspensions, and both.
    private static let nests: [[UInt8]] = [
        [6, 1, 0, 0, 0, 0, 0, 0, 0], [5, 3, 0, 0, 0, 0], [6, 1, 0, 0, 0, 0, 0, 0, 0, 5, 3, 0, 0, 0, 0],
    ]

    @Test("Values in values end at a limit, whatever leads into them", arguments: nests.indices)
    func depth(index: Int) async throws {
        let link = try Link(plugin: Function { $0 })
        let level = Self.nests[index]
        let deep: [UInt8] = Array(repeatElement(level, count: 200_000).joined()) + [0]
        let error = await #expect(throws: AtriumError.self) {
            try await link.send(TransferredValues(try TransferredBytes(deep)))
        }
        #expect(error?.code == .parameterType)
        // A reply is read with the same limit.
        let reply = try Link(plugin: DeepReply(bytes: deep))
        await #expect(throws: WireReader.Malformed.self) { try await reply.host.call(1) }
        let allowed = ActionParameters(["a": ActionParameters(["b": ActionParameters(["c": [1]])])])
        #expect(try await link.host.call(allowed) is ActionParameters)
    }

    /// An object that replies with any bytes.
    private struct DeepReply: ExportedObject {
        let bytes: [UInt8]
        func run(_ function: UInt8, _ arguments: inout WireReader) async throws -> any WireEncodable {
            RawBytes(bytes: bytes)
        }
    }

    private struct RawBytes: WireEncodable {
        let bytes: [UInt8]
        func write(to writer: inout WireWriter) { for byte in bytes { writer.write(byte) } }
    }

    /// Lists of values that are larger in memory than in a message: the description of their type, and the size of an element.
    private static let growing: [(type: [UInt8], size: Int)] = [
        ([65, 64, 15], MemoryLayout<ResourceURI?>.stride), ([65, 64, 1], MemoryLayout<String?>.stride),
        ([65, 64, 67, 1, 1], MemoryLayout<[String: String]?>.stride), ([65, 65, 0], MemoryLayout<[Bool]>.stride),
    ]

    @Test(
        "The limit of values covers what is decoded, of one call and of all at the same time",
        arguments: growing.indices)
    func decodedSize(index: Int) async throws {
        let isEnded = Mutex(false)
        let link = try Link(
            plugin: Function { value in
                while !(value is Int), !isEnded.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(2)) }
                return ()
            })
        func send(_ size: Int) async throws {
            let (type, elementSize) = Self.growing[index]
            let count = size / elementSize
            var writer = WireWriter()
            for byte in [1] + type { writer.write(byte) }
            writer.write(UInt32(count))
            // An element of zeros has at most four bytes.
            let bytes = writer.bytes + [UInt8](repeating: 0, count: 4 * count)
            try await link.send(TransferredValues(try TransferredBytes(bytes)))
        }
        let error = await #expect(throws: AtriumError.self) { try await send(65 << 20) }
        #expect(error?.reason?.name == "valuesMany")
        let first = Task { try await send(40 << 20) }
        #expect(try await eventually { link.plugin.budget.sizes.decoded >= 39 << 20 })
        let second = await #expect(throws: AtriumError.self) { try await send(40 << 20) }
        #expect(second?.reason?.name == "valuesMany")
        isEnded.withLock { $0 = true }
        try await first.value
        #expect(try await eventually { link.plugin.budget.sizes.decoded == 0 })
        try await send(40 << 20)
    }

    @Test("The content of a page that becomes too large when it is decoded ends the connection")
    func pages() async throws {
        let link = try Link(plugin: Function { $0 })
        let lists = [UInt8](repeatElement("[],".utf8, count: 2 << 20).joined())
        link.plugin.send(Messages.pageChanged, 1, try TransferredBytes(lists))
        #expect(try await link.endOfHost() == .violation(.messageMalformed(35)))
    }

    @Test(
        "The report of a crash names the sender of the message that was handled, on every thread, also after a stack overflow",
        arguments: ["call", "notification", "reply"])
    func sender(way: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sender-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        await #expect(processExitsWith: .signal(SIGSEGV)) { [folder = folder as String, way = way as String] in
            CrashReporting.begin(in: FilePath(folder))
            let sender = MessageSender("com.example.app.shop@1.0.0", extension: "com.example.app.shop.x")
            let link = try Link(
                host: Function { value in
                    await Task.yield()
                    return overflow(value)
                }, plugin: Function { $0 }, sender: sender)
            switch way {
            case "call": _ = try await link.plugin.call(1)
            case "notification": link.notifyHost(TransferredValues(.message([0])))
            case "reply":
                _ = try await link.host.call(Function.Number.call, AnyValue(1, named: "value"), as: Overflow.self)
            default: break
            }
            try await Task.sleep(for: .seconds(30))
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let report = try names.first.map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
        #expect(
            report?.contains("\nsender com.example.app.shop@1.0.0 com.example.app.shop.x\n") == true,
            "\(report ?? "no report")")
    }

    @Test("A process cannot make the other one hold more than ten thousand objects")
    func imports() async throws {
        let kept = Mutex<[any Sendable]>([])
        let link = try Link(
            plugin: Function { value in
                kept.withLock { $0.append(value) }
                return ()
            })
        func pass(_ count: Int) async throws {
            let closure: @Sendable () -> Void = {}
            let closures = (0..<count).map { ("\($0)", closure as any Sendable) }
            _ = try await link.host.call(ActionParameters(Dictionary(uniqueKeysWithValues: closures)))
        }
        for _ in 0..<10 { try await pass(1000) }
        await #expect(throws: AtriumError.self) { try await pass(1) }
        #expect(try await eventually { link.host.exportCount == 10_000 })
        kept.withLock { $0 = [] }
        try await pass(1000)
    }
}

/// A value that cannot be read.
private struct Overflow: WireDecodable {
    init(from reader: inout WireReader) throws { _ = try reader.nested { _ in overflow(1) } }
}

/// Overflows the stack of the calling thread.
@inline(never)
private func overflow(_ value: any Sendable) -> any Sendable {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { room in
        room[0] = 1
        return (overflow(value), room[0])
    }
}
