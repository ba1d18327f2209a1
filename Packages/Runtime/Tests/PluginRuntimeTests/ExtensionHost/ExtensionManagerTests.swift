import Registry
import PluginIsolation
import ConfinementReporting
import Glibc
import CrashReports
import ExtensionHost
import ExtensionProtocol
import HostSystem
import PluginCore
import PluginExtension
import PluginRuntime
import Preflight
import Processes
import Testing

@Suite("Extensions of installed bundles", .tags(.large), .timeLimit(.minutes(5)))
struct ExtensionManagerTests {
    static let point = ExtensionPoint<String, String>("com.example.commands")
    static let works: BundleIdentifier = "com.example.app.shop.works"

    private static func package(
        _ version: String, name: String = "works", activation: String? = nil
    ) async throws -> SamplePackage {
        let library = try await TestExtension.library.value
        return SamplePackage(
            version: version,
            extensions: name.split(separator: " ").map {
                SampleExtension(name: String($0), point: point.identifier, activation: activation, library: library)
            })
    }

    /// Installs a bundle with an extension that does what each request tells it.
    @discardableResult
    func withExtension<Result>(
        _ versions: [String] = ["1.0.0"], name: String = "works", activation: String? = nil,
        limits: ExtensionLimits = ExtensionLimits(),
        _ body: (TestHost, ExtensionManager) async throws -> Result
    ) async throws -> Result {
        let host = TestHost()
        for version in versions { try await host.install(Self.package(version, name: name, activation: activation)) }
        let extensions = ExtensionManager(
            host.manager, running: try TestExtension.runner,
            points: [ExtensionPointDeclaration(identifier: Self.point.identifier, limits: limits)])
        let result = try await body(host, extensions)
        await extensions.endAll()
        return result
    }

    @Test("An extension of an installed bundle handles a request of its point alone, confined, and its process ends")
    func run() async throws {
        try await withExtension { _, extensions in
            let result = try await extensions.run(Self.works, input: try CodedValue("echo hello"))
            #expect(try result.output.value(as: String.self) == "echo hello")
            #expect("\(result.confinement)" != "none")
            try await failingAsync(.extensionMismatch) {
                try await extensions.run(Self.works, at: ExtensionPoints.share, NoValue())
            }
            let number = try await extensions.run("process")
            #expect(!FilePath("/proc/\(number)").exists)
        }
    }

    @Test("A disabled extension does not run, and hides only own widgets; both holds after an update until changed")
    func disabled() async throws {
        try await withExtension { host, extensions in
            // The choice outdates the values that a run has read.
            #expect(try await extensions.run("echo") == "echo")
            _ = try await extensions.run("hide \(Self.works)")
            try extensions.setEnabled(false, of: Self.works)
            try await failingAsync(.extensionDisabled) { try await extensions.run("echo") }
            try await host.install(Self.package("1.1.0"))
            let choice = try extensions.extension(Self.works).choice
            #expect(!choice.isEnabled && !choice.hasContent)
            #expect(try extensions.accepting([], at: Self.point.identifier).isEmpty)
            try extensions.setEnabled(true, of: Self.works)
            #expect(try extensions.accepting([], at: Self.point.identifier).count == 1)
            _ = try await extensions.run("show \(Self.works)")
            #expect(try extensions.extension(Self.works).choice.hasContent)
            let widget = SampleExtension(name: "widget", library: try await TestExtension.library.value)
            try await host.install(SamplePackage(identifier: "com.example.app.other", extensions: [widget]))
            try await failingAsync(.extensionUndeclared) {
                try await extensions.run("hide com.example.app.other.widget")
            }
            #expect(try extensions.extension("com.example.app.other.widget").choice.hasContent)
        }
    }

    @Test("A kept process is used for another request, replaced once it has ended, and ends when its view is left")
    func warm() async throws {
        try await withExtension(limits: ExtensionLimits(idle: 60)) { _, extensions in
            let first = try await extensions.run("process")
            #expect(try await extensions.run("process") == first)
            let waiting = try #require(extensions.waitingProcesses[Self.works])
            kill(waiting, SIGKILL)
            while kill(waiting, 0) == 0 { try await Task.sleep(for: .milliseconds(5)) }
            let second = try await extensions.run("process")
            #expect(second != "\(waiting)")
            await extensions.leave(Self.point.identifier)
            #expect(try await extensions.run("process") != second)
        }
    }

    @Test("The process of an extension gets its processor time as a limit, and that of a plugin none")
    func processorTime() async throws {
        try await withExtension { host, _ in
            let registry = host.manager.registry
            let bundle = try #require(try registry.active.version(of: .shop))
            let entry = try #require(try registry.versions.manifest(of: bundle).extensions.first?.entry)
            let prepared = try PreparedCode(
                entry, of: bundle, using: await host.manager.use(dataOf: bundle), by: host.manager.policy)
            let limits = ExtensionLimits(start: 1, request: 1.1, end: 1)
            #expect(try prepared.launch(Self.works, limits: limits, languages: []).processorSeconds == 13)
            #expect(try prepared.launch(.shop, limits: limits, languages: []).processorSeconds == 0)
            try prepared.finishLoading()
        }
    }

    @Test("Three failures of an extension in five minutes disable it alone, and say how to enable it again")
    func failures() async throws {
        let other: BundleIdentifier = "com.example.app.shop.other"
        try await withExtension(["1.0.0", "1.1.0"], name: "works other", limits: ExtensionLimits(request: 2)) {
            host, extensions in
            func fail(_ identifier: BundleIdentifier, by command: String) async -> AtriumError? {
                await #expect(throws: AtriumError.self) {
                    try await extensions.run(identifier, at: Self.point, command)
                }
            }
            // Failures of different extensions do not add up.
            for (identifier, command) in [
                (Self.works, "crash"), (other, "hang"), (Self.works, "hang"), (other, "exit"),
            ] { #expect(await fail(identifier, by: command)?.reason?.name != "disabledAfterFailures") }
            let error = await fail(Self.works, by: "crash")
            #expect(error?.code.name == "extensionCrashed" && error?.reason?.name == "disabledAfterFailures")
            #expect(error?.reason?.values["extension"] == .text(Self.works))
            #expect(await fail(Self.works, by: "echo")?.code == .extensionDisabled)
            #expect(try extensions.accepting([], at: Self.point.identifier).map(\.declaration.identifier) == [other])
            // The bundle goes on, with its other extension.
            #expect(try host.versions()[0] == "1.1.0" && host.registry.quarantine.all().isEmpty)
            #expect(try await extensions.run(other, at: Self.point, "echo still").output == "echo still")
            try extensions.setEnabled(true, of: Self.works)
            #expect(await fail(Self.works, by: "crash")?.reason?.name != "disabledAfterFailures")
            #expect(try await extensions.run("echo again") == "echo again")
        }
    }

    @Test("A crash of an extension leaves a report with the functions on the stack")
    func crashReport() async throws {
        try await withExtension { host, extensions in
            _ = try? await extensions.run("crash")
            let reports = try CrashReportFolder(host.sandbox).all()
            let report = try #require(reports.first)
            let purpose = try #require(report.purpose)
            #expect(reports.count == 1 && report.signal == SIGABRT)
            #expect(purpose.extension == Self.works && purpose.bundle.identifier == .shop)
            let symbols = try host.symbols(of: report)
            let own = report.calls.filter { $0.owner == .bundle(purpose.bundle, library: "libSample-works.so") }
            #expect(
                own.contains { symbols.function(of: $0)?.name.contains("Commands") == true },
                "\(report.calls.map { ($0.owner, symbols.function(of: $0)?.name) })")
        }
    }

    @Test(
        "A hang of an extension leaves a report with the deadline, and with the functions on the stack of its main thread if that is busy",
        arguments: [
            ("hangs", "echo", "start"), ("works", "hang", "request"), ("works", "never", "request"),
            ("stays", "echo", "end"),
        ])
    func hangReport(name: String, command: String, phase: String) async throws {
        // While an extension awaits something, its main thread is idle, and no function is on its stack.
        let isBusy = command != "never"
        var functions: [String?] = []
        // On a busy machine, a short deadline can pass before the extension reaches its endless loop.
        for seconds in [1.0, 4, 16] {
            functions = try await functionsOnStack(ofHanging: name, command, phase: phase, deadline: seconds)
            if functions.contains(where: { $0?.contains("Commands") == true }) == isBusy { return }
        }
        Issue.record("\(functions)")
    }

    /// Makes an extension miss a deadline, and returns the functions of the bundle that its report lists.
    private func functionsOnStack(
        ofHanging name: String, _ command: String, phase: String, deadline seconds: Double
    ) async throws -> [String?] {
        func limit(_ limited: String) -> Double { phase == limited ? seconds : 60 }
        let limits = ExtensionLimits(start: limit("start"), request: limit("request"), end: limit("end"))
        return try await withExtension(name: name, limits: limits) { host, extensions in
            let identifier = try #require(BundleIdentifier("com.example.app.shop.\(name)"))
            _ = try? await extensions.run(identifier, at: Self.point, command)
            let reports = try CrashReportFolder(host.sandbox).all()
            let report = try #require(reports.first)
            #expect(reports.count == 1 && report.signal == nil && report.purpose?.extension == identifier)
            #expect(report.deadline?.phase.rawValue == phase && report.deadline?.seconds == seconds)
            let symbols = try host.symbols(of: report)
            let own = report.calls.filter { if case .bundle = $0.owner { true } else { false } }
            return own.map { symbols.function(of: $0)?.name }
        }
    }

    @Test("An extension that does not end as it was asked to is ended and logged")
    func stays() async throws {
        let limits = ExtensionLimits(start: 60, end: 1, idle: 60)
        try await withExtension(name: "stays", limits: limits) { host, extensions in
            let stays: BundleIdentifier = "com.example.app.shop.stays"
            #expect(try await extensions.run(stays, at: Self.point, "echo").output == "echo")
            let number = try #require(extensions.waitingProcesses[stays])
            await extensions.endAll()
            #expect(!FilePath("/proc/\(number)").exists && extensions.waitingProcesses.isEmpty)
            #expect(
                host.log.contains { $0.contains("code: extensionTimedOut") && $0.contains("endTimedOut") },
                "\(host.log)")
        }
    }

    @Test("An extension whose library was changed on the disk does not run")
    func changed() async throws {
        try await withExtension { host, extensions in
            let bundle = try host.bundle()
            let library = host.sandbox.folder(of: bundle).appending("lib/x86_64-unknown-linux-gnu/libSample-works.so")
            try library.write(try library.bytes + [0])
            try await failingAsync(.sealBroken) { try await extensions.run("echo") }
        }
    }

    @Test("Only the extensions whose rules accept the items are offered")
    func accepting() async throws {
        try await withExtension(activation: #"{"webURLs": {"max": 1}}"#) { _, extensions in
            let link = ExtensionItem(attachments: [ItemAttachment(url: "https://example.com")])
            let text = ExtensionItem(attachments: [ItemAttachment(text: "hello")])
            #expect(
                try extensions.accepting([link], at: Self.point.identifier).map(\.declaration.identifier) == [
                    Self.works
                ])
            #expect(try extensions.accepting([text], at: Self.point.identifier).isEmpty)
            // The index of types finds the extension for two links, and only its rule rejects them.
            let links = ExtensionItem(attachments: link.attachments + link.attachments)
            #expect(try extensions.accepting([links], at: Self.point.identifier).isEmpty)
            let failures = try extensions.activationFailures(of: Self.works, for: [text])
            #expect(failures.map(\.name) == ["attachmentUnsupported"])
        }
    }
}

extension ExtensionManager {
    /// Runs the extension that the tests install by default, and returns its answer.
    @discardableResult
    fileprivate func run(_ command: String) async throws -> String {
        let point = ExtensionPoint<String, String>("com.example.commands")
        return try await run("com.example.app.shop.works", at: point, command).output
    }
}

extension TestHost {
    /// Returns the functions at the calls of a report.
    func symbols(of report: RecordedCrash) throws -> CallSymbols {
        try CallSymbols(of: report, in: sandbox, registry) { FunctionNames(ofLibrary: $0)?.function(at:) }
    }
}
