#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore
import Testing

/// Runs a program that is found in `PATH`, and requires that it succeeds.
func run(_ command: String...) throws { try run(command) }

func run(_ command: [String]) throws {
    var arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    try #require(posix_spawnp(&child, command[0], nil, nil, &arguments, environ) == 0, "\(command[0]) cannot be run")
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    try #require(status == 0, "\(command.joined(separator: " "))")
}

/// A library in C, built as a plugin's is: by the compiler that is part of Swift, with the note of this Core.
///
/// - Parameters:
///   - source: C, with `plugin_entry.h` before it.
///   - options: more words for the compiler.
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

/// Where Core's C header is.
private let headers = FilePath(#filePath).parent.parent.parent.parent.parent.appending(
    "Core/Sources/CPluginEntry/include")

/// A library in C that a host installs, and refuses when it has loaded it.
///
/// - Parameter entry: what `plugin_entry_v1` returns.
func library(inC entry: String) throws -> [UInt8] {
    try library(
        ofC: """
            struct entry { unsigned magic, abi; const char *core, *compiler; void *context, *make; };
            static const struct entry magic = { 0x12345678, \(CoreVersion.abi), "1.0.0", "", 0, 0 };
            static const struct entry abi = { 0x41545231, \(CoreVersion.abi + 1), "1.0.0", "", 0, 0 };
            static const struct entry compiler = { 0x41545231, \(CoreVersion.abi), "1.0.0", "another", 0, 0 };
            const void *tell(void) { return magic.abi == abi.abi ? &magic : &compiler; }
            const void *plugin_entry_v1(void) { return \(entry); }
            """)
}

/// A library in Swift against the Core that the tests are linked to: a principal that answers with its version, registers
/// a route, a service and an observer in code, calls others when told to, and refuses to start while its container holds
/// `Documents/refuse`. Its route `screen` is a page, and so is what the action `screen` returns. With `Documents/wait` it waits for itself while it starts, and with `Documents/hang` for ever; with
/// `Documents/stay` it does not end when it is told that it goes.
func library(inSwift version: String) async throws -> [UInt8] {
    try await library(
        ofSwift:
            """
            import Glibc
            import PluginCore

            final class Sample: BundleDelegate {
                private var context: BundleContext?
                init() {}
                func bundleDidLoad(_ context: BundleContext) async throws {
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
                    context?.logger.info("\(version) unloads")
                    if let context, access(context.container.documents.appending("stay").string, F_OK) == 0 {
                        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                    }
                }
                func resource(for request: ResourceRequest) async throws -> Resource {
                    guard request.name == "screen", let context else { return .object("\(version)") }
                    return .page(Screen(context))
                }
                func target(named name: String) -> ActionTarget? {
                    let context = context
                    return ActionTarget(name, actions: [
                        Action("act") { _ in "\(version)" },
                        Action("hold") {
                            try await $0.require("hold", as: (@Sendable () async -> Void).self)()
                            return "\(version)"
                        },
                        Action("caller") { _ in
                            let call: @Sendable () async throws -> any Sendable = {
                                try await context?.mediator.perform("act", on: "Shop") ?? ()
                            }
                            return call
                        },
                        Action("screen") { _ in await Screen(context) },
                        Action("greeting") { _ in try await context?.services.service(named: "Greeting") ?? () },
                        Action("call") { try await context?.mediator.perform(
                            "act", on: $0.require("target", as: String.self)) ?? () },
                    ])
                }
            }

            /// A page that calls others, pushes another of its kind, leaves before it calls, and stays in memory.
            final class Screen: Page {
                private static var kept: [Screen] = []
                private let context: BundleContext?
                let title = "\(version)"
                let content: [PageElement] = []
                init(_ context: BundleContext?) { self.context = context }
                func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
                    switch action {
                    case "push": return navigator.push(Screen(context))
                    case "keep": return Self.kept.append(self)
                    case "leave": navigator.pop()
                    default: break
                    }
                    let answer = try await context?.mediator.perform("act", on: "Shop") ?? ()
                    navigator.show(notice: "\(version) got \\(answer)")
                }
            }

            @c(plugin_entry_v1)
            public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Sample.self) }
            """)
}

/// A library in Swift, built as a plugin's is, in a module of its own.
///
/// - Parameters:
///   - source: Swift, the entry included.
///   - module: its name.
///   - isShared: whether it is linked with Core's library, or Core's objects are put into it.
///   - options: more words for the compiler.
func library(
    ofSwift source: String, module: String = "Sample", isShared: Bool = true, _ options: String...
) async throws -> [UInt8] {
    try await withFolder { folder in
        let (file, library) = (folder.appending("sample.swift"), folder.appending("lib\(module).so"))
        try file.write(source)
        let products = FilePath(try #require(CommandLine.arguments.first)).parent
        let objects = { (target: String) in
            let build = products.appending("\(target).build")
            return try build.names.filter { $0.hasSuffix(".o") }.map { build.appending($0).string }
        }
        let core =
            isShared
            ? ["-L", products.string, "-lPluginCore"]
            : try objects("PluginCore") + objects("CPluginEntry") + ["-lFoundationEssentials"]
        try run(
            [
                // As all of the house is compiled; a closure passes only between sides that mean the same by `async`.
                "swiftc", "-swift-version", "6", "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
                "-no-toolchain-stdlib-rpath", "-emit-library", "-module-name", module, "-module-cache-path",
                folder.appending("cache").string, "-I", products.appending("Modules").string, "-Xcc",
                "-fmodule-map-file=\(products.appending("CPluginEntry.build/module.modulemap"))", file.string,
            ] + core + options + ["-o", library.string])
        return try library.bytes
    }
}

/// Returns whether a program is found in `PATH`.
func isThere(_ program: String) -> Bool {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
}
