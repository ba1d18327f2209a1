import Glibc
import FoundationEssentials
import PluginCore
import Processes
import Testing

/// Runs a program found in `PATH` and requires that it succeeds.
func run(_ command: String...) throws { try run(command) }

func run(_ command: [String]) throws {
    // A compiler runs for seconds, in which it inherits no locks and files of tests that run beside this one.
    let process = try SpawnedProcess(
        "/usr/bin/env", arguments: command,
        environment: ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }, output: STDERR_FILENO)
    try #require(process.reap() == .exited(status: 0), "\(command.joined(separator: " "))")
}

/// Returns a C library built like a plugin's: with the compiler that ships with Swift and the entry note of this Core.
///
/// - Parameters:
///   - source: C code, compiled after `plugin_entry.h`.
///   - options: Additional compiler arguments.
func library(ofC source: String, _ options: String...) throws -> [UInt8] {
    try library(ofC: source, options: options)
}

func library(ofC source: String, options: [String]) throws -> [UInt8] {
    try withFolderNow { folder in
        let (file, library) = (folder.appending("sample.c"), folder.appending("libSample.so"))
        try file.write("#include <stddef.h>\n#include \"plugin_entry.h\"\n" + source)
        try run(["clang", "-shared", "-fPIC", "-I", headers.string, file.string] + options + ["-o", library.string])
        return try library.bytes
    }
}

/// The folder of Core's C header.
private let headers = FilePath(#filePath).parent.parent.parent.parent.parent.appending(
    "Core/Sources/CPluginEntry/include")

/// Returns a C library that a host installs but rejects after loading it.
///
/// - Parameter entry: The C expression that `plugin_entry_v3` returns.
func library(inC entry: String) throws -> [UInt8] {
    try library(
        ofC: """
            struct entry { unsigned magic, abi; const char *core, *compiler; void *principal; };
            static const struct entry magic = { 0x12345678, \(CoreVersion.abi), "1.0.0", "", 0 };
            static const struct entry abi = { 0x41545231, \(CoreVersion.abi + 1), "1.0.0", "", 0 };
            static const struct entry compiler = { 0x41545231, \(CoreVersion.abi), "1.0.0", "another", 0 };
            const void *tell(void) { return magic.abi == abi.abi ? &magic : &compiler; }
            const void *plugin_entry_v3(void) { return \(entry); }
            """)
}

/// Returns a Swift plugin library, built against the Core that the tests link, that answers with its version.
///
/// Its principal object registers a route, a service and an observer in code and calls other bundles when told to. The route
/// and the action `screen` return a page. Files in the container's `Documents` control it: `refuse` makes it fail to
/// start, `wait` makes it open its own address while it starts, `hang` makes starting never return, and `stay` makes
/// unloading never return.
func library(inSwift version: String) async throws -> [UInt8] {
    try await library(
        ofSwift:
            """
            import Glibc

            typealias Answer = ActionContract<NoValue, String>
            typealias Call = @Sendable () async throws -> any Sendable

            final class Sample: BundleDelegate {
                let context: BundleContext

                init(context: BundleContext) async throws {
                    self.context = context
                    context.logger.info("\(version) loads")
                    try await context.router.register("code/:id", kind: .object) { _ in .object("\(version)") }
                    try await context.services.provide("Greeting", policy: .perBundle) { "\(version)" }
                    try context.events.observe("Ping", priority: 0) { context.logger.info("\(version) hears \\($0)") }
                    if access(context.container.documents.appending("refuse").string, F_OK) == 0 {
                        throw AtriumError(.inputOutput, "refuse")
                    }
                    if access(context.container.documents.appending("wait").string, F_OK) == 0 {
                        try await context.router.open("app://shop")
                    }
                    if access(context.container.documents.appending("hang").string, F_OK) == 0 {
                        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                    }
                }

                func bundleWillUnload() async {
                    context.logger.info("\(version) unloads")
                    if access(context.container.documents.appending("stay").string, F_OK) == 0 {
                        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                    }
                }

                static var routes: some RouteSet<Sample> {
                    Route(HandlerRoute<NoValue, String>("shop", name: "page")) { _ in "\(version)" }
                    Route(ValueRoute<NoValue, String>("data")) { _ in "\(version)" }
                    Route(PageRoute<NoValue>("screen")) { sample in Screen(sample.context) }
                }

                static var targets: some TargetSet<Sample> {
                    Action(Answer("act", on: "Shop")) { _ in "\(version)" }
                    Action(Answer("hold", on: "Shop")) { _, _, parameters in
                        try await parameters.require("hold", as: (@Sendable () async -> Void).self)()
                        return "\(version)"
                    }
                    Action(ActionContract<NoValue, Call>(uncoded: "caller", on: "Shop")) { sample in
                        { try await sample.context.mediator.perform("act", on: "Shop") }
                    }
                    Action(ActionContract<NoValue, any Page>("screen", on: "Shop")) { sample in
                        await Screen(sample.context)
                    }
                    Action(Answer("greeting", on: "Shop")) { sample in
                        try await sample.context.services.service("Greeting")
                    }
                    Action(Answer("call", on: "Shop")) { sample, _, parameters in
                        let target = try parameters.require("target", as: String.self)
                        return try await sample.context.mediator.perform("act", on: target, returning: String.self)
                    }
                }
            }

            /// A page that calls others, pushes another of its kind, leaves before it calls, and stays in memory.
            final class Screen: Page {
                private static var kept: [Screen] = []
                private let context: BundleContext
                let title = "\(version)"
                let content: [PageElement] = [.list([PageRow("again", opens: try? ResourceURI("app://screen"))])]
                init(_ context: BundleContext) { self.context = context }
                var actions: [PageAction] {
                    PageAction("push", title: "") { $0.push(Screen(context)) }
                    PageAction("keep", title: "") { _ in Self.kept.append(self) }
                    PageAction("act", title: "") { try await act($0) }
                    PageAction("leave", title: "") { navigator in
                        navigator.pop()
                        try await act(navigator)
                    }
                }
                private func act(_ navigator: any Navigator) async throws {
                    let answer = try await context.mediator.perform("act", on: "Shop")
                    navigator.show(notice: "\(version) got \\(answer)")
                }
            }
            """)
}

/// Returns a Swift library, built like a plugin's, in its own module.
///
/// - Parameters:
///   - source: Swift code without the import of Core and the plugin entry.
///   - principal: What the plugin entry describes.
///   - isShared: `true` to link Core's library, `false` to link Core's object files into the library.
///   - options: Additional compiler arguments.
func library(
    ofSwift source: String, principal: String = "Sample.self", isShared: Bool = true, _ options: String...
) async throws -> [UInt8] {
    try await withFolder { folder in
        let (file, library) = (folder.appending("sample.swift"), folder.appending("libSample.so"))
        let entry = "public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(\(principal)) }"
        let modules = ["PluginCore"] + (source.contains("ExtensionDelegate") ? ["PluginExtension"] : [])
        let imports = modules.map { "import \($0)\n" }.joined()
        try file.write("\(imports)\(source)\n@c(plugin_entry_v3)\n\(entry)\n")
        let products = FilePath(try #require(CommandLine.arguments.first)).parent
        let objects = { (target: String) in
            let build = products.appending("\(target).build")
            // The folder also has the object files of sources that were removed.
            let sources = (try? build.appending("sources").text)?.split(separator: "\n")
            return try build.names.filter { name in
                name.hasSuffix(".o") && sources?.contains { $0.hasSuffix("/\(name.dropLast(2))") } != false
            }.map { build.appending($0).string }
        }
        let core =
            isShared
            ? ["-L", products.string] + modules.map { "-l\($0)" }
            : try objects("PluginCore") + objects("CPluginEntry") + ["-lFoundationEssentials"]
        try run(
            [
                // The compiler settings of this repository: a closure can cross a library boundary only if both sides
                // isolate `async` alike.
                "swiftc", "-swift-version", "6", "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
                "-no-toolchain-stdlib-rpath", "-emit-library", "-module-name", "Sample", "-module-cache-path",
                folder.appending("cache").string, "-I", products.appending("Modules").string, "-Xcc",
                "-fmodule-map-file=\(products.appending("CPluginEntry.build/module.modulemap"))", file.string,
            ] + core + options + ["-o", library.string])
        return try library.bytes
    }
}

/// A C library that others are linked with.
///
/// Its name is unique because a library that a test has opened stays open in the process.
struct SampleLibrary {
    let name = "libBase\(UUID().uuidString.prefix(8)).so"
    var identifier: BundleIdentifier = "com.example.lib.base"

    /// A name as long as every other one, so that it can be replaced in the libraries linked with it.
    private static let anyName = "libBase00000000.so"

    /// Builds a version of the library whose function returns a number.
    ///
    /// - Parameters:
    ///   - function: The name of its function.
    ///   - soname: The name that the linker records, if any.
    ///   - needed: A library whose number is added to the result.
    ///   - start: C code that runs as soon as the library is loaded.
    func built(
        answering answer: Int, as function: String = "answer", soname: String?, with needed: FilePath? = nil,
        starting start: String = ""
    ) throws -> [UInt8] {
        try library(
            ofC: """
                #include <stdlib.h>
                #include <unistd.h>
                static __attribute__((constructor)) void start(void) { \(start) }
                const plugin_entry_v3_t *plugin_entry_v3(void) {
                    static plugin_entry_v3_t entry;
                    entry = (plugin_entry_v3_t){
                        PLUGIN_ENTRY_MAGIC, plugin_core_abi(), plugin_core_version(), plugin_compiler_version(), NULL };
                    return &entry;
                }
                int below(void);
                int \(function)(void) { return \(answer)\(needed == nil ? "" : " + below()"); }
                """, options: (soname.map { ["-Wl,-soname,\($0)"] } ?? []) + (needed.map { [$0.string] } ?? []))
    }

    func built(answering answer: Int) throws -> [UInt8] { try built(answering: answer, soname: name) }

    /// Returns a package of this library in one version.
    func package(_ version: String = "1.0.0", answering answer: Int = 1, requires: [BundleIdentifier: String] = [:])
        throws
        -> SamplePackage
    {
        SamplePackage(
            identifier: identifier, version: version, kind: "lib", entry: name, requires: requires,
            library: try built(answering: answer))
    }

    /// Returns the library of a plugin that is linked with this one and answers with its number.
    func user() async throws -> [UInt8] {
        var bytes = try await Self.anyUser.value
        while let place = bytes.firstRange(of: Array(Self.anyName.utf8)) {
            bytes.replaceSubrange(place, with: name.utf8)
        }
        return bytes
    }

    private static let anyUser = Task {
        try await withFolder { folder in
            let file = folder.appending(anyName)
            try file.write(SampleLibrary().built(answering: 0, soname: anyName))
            return try await PluginRuntimeTests.library(
                ofSwift: """
                    @_silgen_name("answer") func answer() -> Int32
                    final class Sample: BundleDelegate {
                        init(context: BundleContext) {}
                        static var routes: some RouteSet<Sample> {
                            Route(ValueRoute<NoValue, Int>("answer")) { _ in Int(answer()) }
                        }
                    }
                    """, file.string)
        }
    }
}
