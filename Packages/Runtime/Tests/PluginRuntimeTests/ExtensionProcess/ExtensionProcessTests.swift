import Glibc
import BundleStorage
import ConfinementReporting
@testable import ExtensionProcess
import ExtensionProtocol
import PluginCore
import PluginExtension
import Processes
import Synchronization
import Testing

@Suite("Processes of extensions", .tags(.large), .timeLimit(.minutes(5)))
struct ExtensionProcessTests {
    @TemporaryFolder private var folder
    private let services = TestExtension.Services()

    @Test("An extension starts without files and variables of its host, handles requests, and leaves no process")
    func life() async throws {
        let process = try await TestExtension.start(in: folder, services)
        #expect(process.launched.point == "com.example.commands")
        #expect(try await process.answer("echo 1") == "echo 1")
        #expect(try await process.answer("echo 2") == "echo 2")
        #expect(try await process.answer("twice") == "first")
        #expect(try await process.answer("log") == "logged")
        #expect(try await process.answer("resource en.json") == "content of en.json")
        #expect(services.logged.withLock { $0 } == ["info: a message"])
        #expect(try await !process.answer("environment").contains("PATH="))
        #expect(try await process.answer("write") == "written")
        #expect(process.launched.confinement.hasFilter && process.hasTimeForRequest)
        await process.end()
        #expect(!Self.exists(process.number) && !process.hasTimeForRequest)
        // The time for another request and its end cannot exceed the processor time.
        let limits = ExtensionLimits(start: 2, request: 3, end: 1)
        #expect(limits.hasTimeForRequest(after: 8) && !limits.hasTimeForRequest(after: 8.1))
    }

    @Test("An extension's errors reach its host, which decides what it opens, and hides and shows its widgets")
    func open() async throws {
        let process = try await TestExtension.start(in: folder, services)
        let canceled = await #expect(throws: AtriumError.self) { try await process.answer("cancel") }
        #expect(canceled?.code.name == "mine" && canceled?.message == "no")
        try await failingAsync(.routeUnknown, of: "app://x") { try await process.answer("throw app://x") }
        try await failingAsync(.resourceUnknown) { try await process.answer("resource missing") }
        #expect(try await process.answer("open app://shop") == "opened")
        #expect(services.opened.withLock { $0 } == ["app://shop"])
        try await failingAsync(.exposureDenied) { try await process.answer("open app://denied") }
        for word in ["hide", "show"] { #expect(try await process.answer("\(word) com.example.widget") == "done") }
        #expect(services.hidden.withLock { $0 } == ["com.example.widget: false", "com.example.widget: true"])
        await process.end()
    }

    @Test("An extension prepares for its end also if the task that ends it was canceled")
    func canceledEnd() async throws {
        let process = try await TestExtension.start(in: folder, services)
        #expect(try await process.answer("echo 1") == "echo 1")
        let ending = Task {
            while !Task.isCancelled { await Task.yield() }
            return await process.end()
        }
        ending.cancel()
        #expect(await ending.value == nil)
        #expect(services.logged.withLock { $0 } == ["info: the end"])
    }

    @Test("Progress arrives in order, and an expiring request can save its work")
    func progress() async throws {
        let process = try await TestExtension.start(in: folder, limits: ExtensionLimits(start: 60, request: 20))
        let fractions = Mutex<[Double]>([])
        #expect(
            try await process.answer("progress") { fraction in fractions.withLock { $0.append(fraction) } }
                == "done")
        #expect(fractions.withLock { $0 } == [0.25, 0.5, 0.75, 1])
        #expect(try await process.answer("expire") == "saved with true")
        await process.end()
    }

    @Test("An attachment of 100 MB crosses as a descriptor")
    func attachment() async throws {
        let size = 100 << 20
        let file = folder.appending("large")
        try file.write([UInt8](repeating: UInt8(ascii: "x"), count: size))
        let process = try await TestExtension.start(in: folder, limits: ExtensionLimits(start: 60, memory: 1 << 30))
        let item = ExtensionItem(attachments: [try ItemAttachment(opening: file, as: [.plainText])])
        #expect(try await process.answer("attachment", [item]) == "\(size) xxxxxxxx")
        let reply = try await process.perform(RequestContent(try CodedValue("large"), items: []))
        #expect(try reply.items[0].attachments[0].load() == [UInt8](repeating: 7, count: 5 << 20))
        #expect(try folder.appending("container/tmp").names.isEmpty)
        await process.end()
    }

    /// A command after which the process has ended, and the expected error.
    static let ends: [(command: String, code: String, reason: String)] = [
        ("crash", "extensionCrashed", "signal(signal: SIGABRT)"),
        ("fault", "extensionCrashed", "signal(signal: SIGSEGV)"),
        ("exit", "extensionCrashed", "exitStatus(status: 4)"),
        // The last output of an extension that traps.
        ("trap", "extensionCrashed", "the reason of the trap"),
        ("hang", "extensionTimedOut", "requestTimedOut(seconds: 1.0)"),
        ("never", "extensionTimedOut", "requestTimedOut(seconds: 1.0)"),
        // These arrive while the process is asked for its stack, before it is killed.
        ("late-reply", "extensionTimedOut", "requestTimedOut(seconds: 1.0)"),
        ("late-error", "extensionTimedOut", "requestTimedOut(seconds: 1.0)"),
        ("memory", "extensionOutOfMemory", "memoryLimit(limit: 134217728)"),
    ]

    @Test(
        "An extension that crashes, exits, hangs or needs too much memory is an error for its host",
        arguments: ends)
    func failure(command: String, code: String, reason: String) async throws {
        let limits = ExtensionLimits(start: 60, request: code == "extensionTimedOut" ? 1 : 60, memory: 128 << 20)
        let process = try await TestExtension.start(in: folder, limits: limits)
        let error = await #expect(throws: AtriumError.self) { try await process.answer(command) }
        #expect(error?.code.name == code && error?.reason?.description.contains(reason) == true)
        if command == "trap" { #expect(error?.reason?.description.contains("signal(") == true) }
        #expect(!Self.exists(process.number))
        let again = await #expect(throws: AtriumError.self) { try await process.answer("echo") }
        #expect(again?.code.name == code)
    }

    @Test(
        "The host gets all that an extension prints, however its process ends",
        arguments: ["return", "crash", "exit", "leave", "hang"])
    func output(end: String) async throws {
        // Only a hang should meet its deadline on a busy machine.
        let limits = ExtensionLimits(start: 60, request: end == "hang" ? 2 : 60)
        let process = try await TestExtension.start(in: folder, limits: limits, services)
        let reply = try? await process.answer("print \(end)")
        #expect((reply == "printed") == (end == "return"))
        await process.end()
        #expect(services.printed.withLock { $0 } == ["a line", "and a part"])
    }

    /// A way to start, and the expected error.
    static let starts: [(behavior: String, code: String)] = [
        ("crashes", "extensionCrashed"), ("exits", "extensionCrashed"), ("hangs", "extensionTimedOut"),
        ("refuses", "refused"),
    ]

    @Test("What a process logs is limited like its output, in which the last line says so, and grows with time")
    func logLimit() {
        var limit = LogLimit()
        let lines = (0..<100_000).compactMap { limit.take("message \($0)", at: Int64($0 / 10_000)) }
        #expect(lines.joined().utf8.count <= ProcessOutput.reportedSize)
        #expect(lines.count > 100 && lines.last == "(more messages are not shown)")
        #expect(limit.take("later", at: 5_000) == "later")
        #expect(limit.take("much later", at: .max / 2) == "much later")
        #expect(limit.take("a clock that goes back", at: 0) != nil)
    }

    @Test("An extension that logs without end fills no log of its host")
    func manyMessages() async throws {
        let process = try await TestExtension.start(in: folder, services)
        #expect(try await process.answer("log-much") == "logged")
        await process.end()
        let logged = services.logged.withLock { $0 }
        #expect(logged.first == "info: message 0")
        #expect(logged.contains("info: (more messages are not shown)"))
        // A part of them, also if the time that they took has let a few more pass.
        #expect(logged.count < 5_000)
    }

    @Test("An extension that cannot start is an error for its host", arguments: starts)
    func start(behavior: String, code: String) async throws {
        let limits = ExtensionLimits(start: behavior == "hangs" ? 2 : 60)
        let error = await #expect(throws: AtriumError.self) {
            _ = try await TestExtension.start(behavior, in: folder, limits: limits)
        }
        #expect(error?.code.name == code)
    }

    @Test("A process that another process kills is an error that blames nobody")
    func killed() async throws {
        let process = try await TestExtension.start(in: folder)
        let answer = Task { try await process.answer("never") }
        try await Task.sleep(for: .milliseconds(100))
        kill(process.number, SIGKILL)
        let error = await #expect(throws: AtriumError.self) { try await answer.value }
        #expect(error?.code.name == "extensionEnded")
    }

    @Test("An extension that uses more processor time than it may is ended, even if nobody waits for it")
    func processorTime() async throws {
        let process = try await TestExtension.start(in: folder, processorSeconds: 1)
        try await failingAsync(.extensionTimedOut, because: "processorTimeUsed") { try await process.answer("spin") }
    }

    @Test("An extension shares files, defaults and their changes with its group, and only with a declared one")
    func group() async throws {
        let (name, root) = ("group.com.example", folder.appending("group"))
        try root.makeFolder()
        let group = AppGroup(name, storage: AppGroupFolder(at: root) { error in Issue.record(error) })
        try group.write([1], to: "count")
        let process = try await TestExtension.start(in: folder, groups: [name: root], services)
        #expect(try await process.answer("group \(name)") == "1")
        #expect(try group.read("count") == [1, 1])
        try group.change("count") { $0 = nil }
        func hasLogged(_ word: String) -> Bool { services.logged.withLock { $0.contains { $0.contains(word) } } }
        while !hasLogged("count") { try await Task.sleep(for: .milliseconds(10)) }
        try group.defaults.update(.count) { $0 += 1 }
        while !hasLogged("defaults") { try await Task.sleep(for: .milliseconds(10)) }
        #expect(try group.defaults[.count] == 2)
        try await failingAsync(.groupUndeclared) { try await process.answer("group group.com.other") }
        await process.end()
        #expect(try root.appending("Library/Coordination").names == [])
    }

    /// Returns whether a process exists.
    private static func exists(_ number: Int32) -> Bool { kill(number, 0) == 0 }
}
