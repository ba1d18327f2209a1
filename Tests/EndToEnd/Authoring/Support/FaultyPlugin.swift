import PluginCore
import PluginTestKit
import Testing

/// A package of a plugin with an extension, in which an environment variable plants a fault; without it, the plugin has none.
struct FaultyPlugin {
    /// The variable with the name of the fault.
    static let variable = "ATRIUM_TEST_FAULT"

    let folder: ThrowawayFolder
    let package: FilePath

    /// Compiled once for all tests.
    private static let library = Task { try await compiled(swift: source) }
    private static let widget = Task { try await compiled(widgetSource, as: "Widget") }

    /// Packs the plugin.
    ///
    /// - Parameters:
    ///   - widgetFault: the fault of the extension, and of a plugin in a process of its own, which is in a resource because these see no
    ///     variables.
    ///   - isolation: where the plugin runs.
    ///   - version: its version.
    ///   - dataVersion: its data version.
    init(
        widgetFault: String = "none", isolation: String = "host", version: String = "1.0.0", dataVersion: Int = 0
    ) async throws {
        folder = try ThrowawayFolder()
        try folder.write(
            """
            {
              "formatVersion": 1, "identifier": "com.example.faulty", "version": "\(version)", "name": "Faulty", "kind": "app",
              "dataVersion": \(dataVersion),
              "entry": "libSample.so", "coreABI": 3, "isolation": "\(isolation)",
              "extensions": [{
                "identifier": "com.example.faulty.widget", "point": "today", "entry": "libWidget.so", "name": "Faulty",
                "limits": { "request": 5, "end": 2 }
              }]
            }
            """, to: "Faulty/manifest.json")
        try folder.write(
            #"{ "title": "Sample", "hello": "Hello", "save": "Save", "english": "Only here" }"#,
            to: "Faulty/Resources/en.lproj/Localizable.json")
        try folder.write(
            #"{ "title": "示例", "hello": "你好", "save": "保存" }"#, to: "Faulty/Resources/zh-Hans.lproj/Localizable.json")
        try folder.write(widgetFault, to: "Faulty/Resources/fault.txt")
        try folder.write(try await Self.library.value, to: "libSample.so")
        try folder.write(try await Self.widget.value, to: "libWidget.so")
        package = folder.appending("packages/com.example.faulty-\(version).zip")
        try await HostApp.find().bundletool.run(
            "pack", folder.appending("Faulty").string, "--library", folder.appending("libSample.so").string, "--output",
            package.parent.string
        ).succeeded()
    }

    /// Runs `bundletool validate` on the package.
    ///
    /// - Parameter deadline: the time for what takes milliseconds, in seconds; a busy machine may stop a process for a few of them.
    func validate(fault: String = "none", deadline: Int = 10, _ words: String...) async throws -> ProcessResult {
        try await HostApp.find().bundletool.run(
            ["validate", package.string, "--trust-code", "--opens", "40", "--deadline", "\(deadline)"] + words,
            environment: [Self.variable: fault], folder: folder.path)
    }

    private static let source = """
        import Synchronization

        let isolatedFault = Mutex("none")
        func isPlanted(_ fault: String) -> Bool {
            (getenv("\(variable)").map { String(cString: $0) } ?? isolatedFault.withLock { $0 }) == fault
        }
        let kept = Mutex<[[UInt8]]>([])
        let wasUnloaded = Atomic<Bool>(false)
        var isUnloaded: Bool { wasUnloaded.load(ordering: .relaxed) }

        func create(_ path: String) {
            if let file = fopen(path, "w") { fclose(file) }
        }

        final class Sample: BundleDelegate {
            let context: BundleContext

            init(context: BundleContext) async throws {
                self.context = context
                let fault = try context.resources.bytes(of: "fault.txt")
                isolatedFault.withLock { $0 = String(decoding: fault, as: UTF8.self) }
                if isPlanted("load") { throw AtriumError(.init("moonIsFull"), "the moon", message: "the moon is full") }
                if isPlanted("migration") {
                    // A database whose format is the minor version.
                    let path = context.container.documents.appending("data.sqlite").string
                    let own = UInt8(context.identity.version.minor)
                    if let file = fopen(path, "r") {
                        fseek(file, 63, SEEK_SET)
                        let found = fgetc(file)
                        fclose(file)
                        if found > own { throw AtriumError(.init("newer"), "the data", message: "it is too new") }
                    }
                    if let file = fopen(path, "w") {
                        let head = Array("SQLite format 3".utf8) + [UInt8](repeating: 0, count: 48) + [own]
                        fwrite(head, 1, head.count, file)
                        fclose(file)
                    }
                }
                if isPlanted("load-crash") { fatalError() }
                if isPlanted("load-mark"), let mark = getenv("ATRIUM_TEST_MARK") { create(String(cString: mark)) }
                if isPlanted("load-twice"), isUnloaded { fatalError() }
                // Its own container is the plugin's to write to.
                create(context.container.documents.appending("notes").string)
            }

            func bundleWillUnload() async {
                wasUnloaded.store(true, ordering: .relaxed)
                if isPlanted("late-unload") { try? await Task.sleep(for: .seconds(3600)) }
            }

            static var routes: some RouteSet<Sample> {
                Route(PageRoute<NoValue>("sample")) { sample in FaultyPage(sample) }
                Route(PageRoute<Int>("sample/item/:index")) { sample, index in
                    let items = [0, 1, 2]
                    if isPlanted("garbage-parameters") {
                        _ = items[index]
                    } else if !items.indices.contains(index) {
                        throw AtriumError(.resourceUnknown, "\\(index)")
                    }
                    return FaultyPage(sample)
                }
                Route(HandlerRoute<NoValue, NoValue>("sample/wait")) { _ in
                    if isPlanted("routes-answer") { try? await Task.sleep(for: .seconds(3600)) }
                    if isPlanted("exit") { exit(0) }
                }
                .deadline(.seconds(5))
                Route(HandlerRoute<NoValue, NoValue>("sample/write")) { sample in
                    if isPlanted("container-writes") { create(String(cString: getenv("TMPDIR")) + "/stray") }
                    if isPlanted("home-write") { create(String(cString: getenv("HOME")) + "/.stray") }
                    if isPlanted("folder-write") { create("stray") }
                    if isPlanted("passing-write") {
                        create("/tmp/stray-\\(getpid())")
                        unlink("/tmp/stray-\\(getpid())")
                    }
                    if isPlanted("folder-elsewhere") { rmdir("/var/tmp/stray-folder") }
                    if isPlanted("sandbox-write") { create(sample.context.container.root.string + "2") }
                }
            }

            static var targets: some TargetSet<Sample> {
                Action(ActionContract<NoValue, Int>("count", on: "Sample")) { _ in
                    if isPlanted("actions-answer") { try await Task.sleep(for: .seconds(3600)) }
                    return 1
                }
            }
        }

        final class FaultyPage: Page {
            let sample: Sample
            var cycle: FaultyPage?

            init(_ sample: Sample) {
                self.sample = sample
                if isPlanted("descriptor-leak") { _ = open("/dev/null", O_RDONLY) }
                if isPlanted("memory-leak") { cycle = self }
                if isPlanted("cache") { kept.withLock { $0.append([UInt8](repeating: 1, count: 4096)) } }
            }

            var title: String { sample.context.resources.string("title") }
            var content: [PageElement] {
                if isPlanted("unload-with-open-pages"), isUnloaded { fatalError() }
                let key = isPlanted("texts") ? "english" : "hello"
                return [.text(isPlanted("key") ? key : sample.context.resources.string(key))]
            }
            struct Draft: Codable { var text = "draft" }
            var actions: [PageAction] {
                let field = PageField(isPlanted("form") ? "txt" : "text", label: "")
                PageAction("save", title: sample.context.resources.string("save"), input: Draft(), fields: [field]) { draft, _ in
                    if isPlanted("hang"), draft.text == "draft" { while true { usleep(1000) } }
                    if isPlanted("endless"), draft.text == "draft" { try await Task.sleep(for: .seconds(3600)) }
                }
            }
        }
        """
    private static let widgetSource = """
        import Glibc
        import PluginCore
        import PluginExtension

        final class Widget: ExtensionDelegate {
            static let point = ExtensionPoints.today
            let fault: String

            init(environment: ExtensionEnvironment) throws {
                fault = String(decoding: try environment.resources.bytes(of: "fault.txt"), as: UTF8.self)
                if fault == "start" { abort() }
                if fault == "throws" { throw AtriumError(.init("closed"), "it", message: "it cannot start") }
            }

            func beginRequest(_ request: WidgetRequest, in context: ExtensionContext<WidgetContent>) async throws {
                switch fault {
                case "extensions-answer": while true { sleep(1) }
                case "crash": abort()
                case "never": return
                case "extensions-garbage": _ = [Int](repeating: 0, count: request.columns)
                case "slow-garbage" where request.columns < 0: return
                case "extensions-leak": _ = open("/dev/null", O_RDONLY)
                case "refuses": throw AtriumError(.init("refused"), "it", message: "it refuses")
                default: break
                }
                try context.completeRequest(returning: WidgetContent(title: "Faulty", elements: []))
            }

            func extensionWillEnd() async {
                if fault == "stays" { while true { sleep(1) } }
            }
        }

        @c(plugin_entry_v3)
        public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(extension: Widget.self) }
        """
}
