import Glibc
import ExtensionProcess
import ExtensionProtocol
import PluginCore
import PluginExtension
import Processes
import Synchronization
import Testing

/// An extension that does what each request tells it, and the host that runs it.
struct TestExtension {
    /// A library with one extension, whose input is a command.
    static let library = Task {
        try await PluginRuntimeTests.library(
            ofSwift: """
                import Glibc

                final class Form: Page {
                    struct Note: Codable { var text = "Milk" }
                    let title: String
                    let context: ExtensionContext<String>
                    var presses = 0
                    var padding = ""

                    init(_ title: String, _ context: ExtensionContext<String>) {
                        (self.title, self.context) = (title, context)
                    }

                    var content: [PageElement] { [.list([PageRow("\\(presses)\\(padding)")])] }
                    var actions: [PageAction] {
                        PageAction("count", title: "Count") { _ in presses += 1 }
                        PageAction("save", title: "Save", input: Note(), fields: [PageField("text", label: "Text")]) {
                            note, _ in try context.completeRequest(returning: note.text)
                        }
                        PageAction("crash", title: "Crash") { _ in abort() }
                        PageAction("hang", title: "Hang") { _ in while true { sleep(1) } }
                        PageAction("never", title: "Never") { _ in try await Task.sleep(for: .seconds(600)) }
                        PageAction("much", title: "Much") { _ in padding = String(repeating: "x", count: 17 << 20) }
                        PageAction("stack", title: "Stack") { navigator in
                            let pages = navigator.pages.count
                            navigator.push(Form("pushed", context))
                            let value = await navigator.present(Form("presented", context)) as? Int
                            navigator.show(notice: "\\(pages) \\(value ?? -1)")
                        }
                        PageAction("dismiss", title: "Dismiss") { $0.dismiss(returning: 7) }
                        PageAction("pop", title: "Pop") { $0.pop() }
                        PageAction("again", title: "Again") { _ in try await context.show(Form("second", context)) }
                        PageAction("fill", title: "Fill") { navigator in
                            for number in 0..<40 {
                                navigator.push(Form("filling", context))
                                navigator.show(notice: "\\(number)")
                            }
                        }
                        PageAction("insist", title: "Insist") { navigator in
                            while true { _ = await navigator.present(Form("presented", context)) }
                        }
                        PageAction("blink", title: "Blink") { navigator in
                            while true {
                                _ = Task {
                                    try await Task.sleep(for: .milliseconds(300))
                                    navigator.dismiss(returning: 7)
                                }
                                _ = await navigator.present(Form("presented", context))
                                try await Task.sleep(for: .milliseconds(500))
                            }
                        }
                        PageAction("nap", title: "Nap") { _ in try await Task.sleep(for: .seconds(2)) }
                        PageAction("linger", title: "Linger") { navigator in
                            _ = Task {
                                try await Task.sleep(for: .milliseconds(500))
                                navigator.push(Form("late", context))
                            }
                            try context.completeRequest(returning: "early")
                            try await Task.sleep(for: .seconds(600))
                        }
                    }
                }

                final class Commands: ExtensionDelegate {
                    static let point = ExtensionPoint<String, String>("com.example.commands")
                    let environment: ExtensionEnvironment
                    var kept: [[UInt8]] = []
                    static var late: ExtensionContext<String>?

                    init(environment: ExtensionEnvironment) throws {
                        self.environment = environment
                        switch environment.identifier.text.split(separator: ".").last {
                        case "crashes": abort()
                        case "exits": exit(3)
                        case "hangs": while true { sleep(1) }
                        case "refuses": throw AtriumError(.init("refused"), "it", message: "it refuses")
                        default: break
                        }
                    }

                    func beginRequest(_ command: String, in context: ExtensionContext<String>) async throws {
                        let words = command.split(separator: " ").map(String.init)
                        switch words[0] {
                        case "echo": try context.completeRequest(returning: command, items: context.items)
                        case "twice":
                            try context.completeRequest(returning: "first")
                            try context.completeRequest(returning: "second")
                        case "attachment":
                            let text = try context.items[0].attachments[0].loadText(limit: 200 << 20)
                            try context.completeRequest(returning: "\\(text.utf8.count) \\(text.prefix(8))")
                        case "large":
                            let bytes = [UInt8](repeating: 7, count: 5 << 20)
                            let item = ExtensionItem(attachments: [ItemAttachment(types: [.data], content: .bytes(bytes))])
                            try context.completeRequest(returning: "sent", items: [item])
                        case "cancel": context.cancelRequest(throwing: AtriumError(.init("mine"), "it", message: "no"))
                        case "throw": throw AtriumError(.routeUnknown, words[1])
                        case "crash": abort()
                        case "trap": fatalError("the reason of the trap")
                        case "print":
                            print("a line")
                            print("and a part", terminator: "")
                            switch words[1] {
                            case "crash": abort()
                            case "exit": exit(4)
                            case "leave": _exit(4)
                            case "hang": while true { sleep(1) }
                            default: try context.completeRequest(returning: "printed")
                            }
                        case "fault": UnsafeMutablePointer<Int>(bitPattern: 8)!.pointee = 1
                        case "exit": _exit(4)
                        case "hang": while true { sleep(1) }
                        case "spin": while true {}
                        case "never": break
                        case "page":
                            try await context.show(Form(command, context))
                            if words.count > 1 { try await Task.sleep(for: .milliseconds(1_200)) }
                        case "late-page":
                            Self.late = context
                            try context.completeRequest(returning: "early")
                        case "old-page":
                            let old = Self.late ?? context
                            do {
                                try await old.show(Form("old", old))
                                try context.completeRequest(returning: "shown")
                            } catch {
                                try context.completeRequest(returning: "refused")
                            }
                        case "late-reply":
                            try await Task.sleep(for: .milliseconds(1_200))
                            try context.completeRequest(returning: "late")
                        case "late-error":
                            try await Task.sleep(for: .milliseconds(1_200))
                            throw AtriumError(.routeUnknown, "late")
                        case "memory":
                            while true { kept.append([UInt8](repeating: 1, count: 1 << 20)) }
                        case "open":
                            try await context.open(try ResourceURI(words[1]))
                            try context.completeRequest(returning: "opened")
                        case "progress":
                            for step in 1...4 { context.reportProgress(Double(step) / 4) }
                            try context.completeRequest(returning: "done")
                        case "expire":
                            context.onExpiration { remaining in
                                try? context.completeRequest(returning: "saved with \\(remaining > .zero)")
                            }
                        case "resource":
                            let bytes = try environment.resources.bytes(of: words[1])
                            try context.completeRequest(returning: String(decoding: bytes, as: UTF8.self))
                        case "process": try context.completeRequest(returning: "\\(getpid())")
                        case "log":
                            environment.logger.info("a message")
                            try context.completeRequest(returning: "logged")
                        case "log-much":
                            for number in 0..<10_000 { environment.logger.info("message \\(number)") }
                            try context.completeRequest(returning: "logged")
                        case "write":
                            let file = environment.container.documents.appending("note").string
                            let descriptor = open(file, O_WRONLY | O_CREAT, 0o644)
                            let reason = errno
                            try context.completeRequest(returning: descriptor >= 0 ? "written" : "\\(reason)")
                        case "group":
                            let group = try environment.appGroup(words[1])
                            try group.change("count") { bytes in bytes = (bytes ?? []) + [1] }
                            let count = DefaultsKey("count", default: 0)
                            let number = try group.defaults.update(count) { $0 += 1 }
                            try environment.defaults.update(count) { $0 += 1 }
                            let changes = try group.changes()
                            try context.completeRequest(returning: "\\(number)")
                            for await change in changes { environment.logger.info("\\(change)") }
                        case "hide", "show":
                            guard let widget = BundleIdentifier(words[1]) else { throw AtriumError(.init("word"), "") }
                            try await environment.widgets.setHasContent(words[0] == "show", for: widget)
                            try context.completeRequest(returning: "done")
                        case "environment":
                            var names: [String] = []
                            var next = environ
                            while let variable = next.pointee {
                                names.append(String(cString: variable))
                                next += 1
                            }
                            try context.completeRequest(returning: names.joined(separator: " "))
                        default: try context.completeRequest(returning: "unknown")
                        }
                    }

                    func extensionWillEnd() async {
                        environment.logger.info("the end")
                        if environment.identifier.text.hasSuffix("stays") { while true { sleep(1) } }
                    }
                }
                """, principal: "extension: Commands.self")
    }

    /// The host's part: addresses that were opened, and messages that were logged.
    final class Services: ExtensionServices {
        let opened = Mutex<[String]>([])
        let logged = Mutex<[String]>([])
        let printed = Mutex<[String]>([])
        let hidden = Mutex<[String]>([])

        func open(_ address: String) async throws {
            guard address != "app://denied" else { throw AtriumError(.exposureDenied, address) }
            opened.withLock { $0.append(address) }
        }

        func resource(_ name: String) async throws -> [UInt8] {
            guard name != "missing" else { throw AtriumError(.resourceUnknown, name) }
            return Array("content of \(name)".utf8)
        }

        func setHasContent(_ hasContent: Bool, for identifier: String) async throws {
            hidden.withLock { $0.append("\(identifier): \(hasContent)") }
        }

        func reportCrash(_ crash: CrashDescription, _ cause: CrashCause, process: Int32) {}

        func output(_ line: String) { printed.withLock { $0.append(line) } }

        func log(_ level: BundleLogger.Level, _ message: String) {
            logged.withLock { $0.append("\(level): \(message)") }
        }
    }

    /// The program that the package's build has put beside the tests.
    static var runner: FilePath {
        get throws { FilePath(try #require(CommandLine.arguments.first)).parent.appending("extension-runner") }
    }

    /// Starts the extension.
    ///
    /// - Parameters:
    ///   - behavior: The last part of its identifier, by which it behaves when it starts and ends.
    ///   - folder: The folder of its library and its data.
    static func start(
        _ behavior: String = "works", in folder: FilePath, limits: ExtensionLimits = ExtensionLimits(start: 60),
        processorSeconds: Int = 0, groups: [String: FilePath] = [:], _ services: Services = Services()
    ) async throws -> ExtensionProcess {
        let file = folder.appending("libCommands.so")
        if !file.exists { try file.write(try await library.value) }
        let container = folder.appending("container")
        for place in ["", "Documents", "Library", "tmp"].map(container.appending) where !place.exists {
            try #require(mkdir(place.string, 0o755) == 0)
        }
        let products = try runner.parent
        return try await ExtensionProcess(
            running: runner,
            Launch(
                identifier: "com.example.app.sample.\(behavior)", bundle: "com.example.app.sample", version: "1.0.0",
                libraries: [try AttachmentFile(opening: file)], resources: folder.string, languages: ["en"],
                container: container.string, groups: groups.mapValues(\.string),
                readable: [folder.string, products.string],
                writable: [container.string] + groups.values.map(\.string), hasNetwork: false,
                host: CurrentProcess.number,
                memory: UInt64(limits.memory), fileSize: UInt64(limits.fileSize), openFiles: UInt32(limits.openFiles),
                processorSeconds: UInt32(processorSeconds)),
            limits: limits, services)
    }
}

extension ExtensionProcess {
    /// Performs a command, and returns the extension's answer.
    func answer(
        _ command: String, _ items: [ExtensionItem] = [], onProgress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> String {
        let content = RequestContent(try CodedValue(command), items: try items.transferable())
        return try await perform(content, onProgress: onProgress).value.value()
    }
}
