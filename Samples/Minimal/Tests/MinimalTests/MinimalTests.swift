import Foundation
import Testing

/// The whole life of plugins, with the built host, and plugins that are compiled here from changed sources.
@Suite("Minimal: plugins are installed, opened, updated, crash, and go back", .timeLimit(.minutes(5)))
struct MinimalTests {
    @Test("An address is opened by a plugin that is loaded on first use, and calls another one by the mediator")
    func open() throws {
        let sandbox = try Sandbox()
        try sandbox.install("Shop")
        // The cart is not there yet: the page says so, and the host goes on.
        #expect(
            try sandbox.run("open", "app://shop/item/42").errors
                == "minimal: no bundle has the target \"cart\"; install one that has\n")
        try sandbox.install("Cart")
        let result = try sandbox.run("open", "app://shop/item/42", input: "app://shop/buy/42\napp://cart\nback\n")
        let (before, after) = (
            "== Pencil\nA good one.\nIn the cart: 0\nShop 1.0.0\n",
            "== Pencil\nA good one.\nIn the cart: 1\nShop 1.0.0\n"
        )
        #expect(result.output == before + after + "== Cart\nPencil\n" + after, "\(result)")
        #expect(try sandbox.run("list").output == "cart 1.0.0\tcart\nshop 1.0.0\tshop/item/:id shop/buy/:id\n")
    }

    @Test(
        "A running host opens addresses with an update, while an open page stays with the version before, which ends with its last page"
    )
    func update() throws {
        let sandbox = try Sandbox()
        try sandbox.install("Shop")
        try sandbox.install("Cart")
        let host = try sandbox.start("open", "app://shop/item/42")
        #expect(try host.page().contains("A good one.\nIn the cart: 0\nShop 1.0.0\n"))
        try sandbox.install("Shop", version: "1.1.0") { $0.replacing("A good one.", with: "A better one.") }
        try host.type("")
        #expect(try host.page().contains("A good one.\nIn the cart: 0\nShop 1.0.0\n"))
        try host.type("app://shop/item/42")
        #expect(try host.page().contains("A better one.\nIn the cart: 0\nShop 1.1.0\n"))
        try host.type("back")
        #expect(try host.page().contains("Shop 1.0.0\n"))
        try host.type("back")
        #expect(try host.end() == 0)
        #expect(host.errors == "minimal: shop 1.0.0 has ended\n")
    }

    @Test(
        "After a crash, the next start goes back to the version before, and the crashed version is not installed again")
    func crash() throws {
        let sandbox = try Sandbox()
        try sandbox.install("Shop")
        try sandbox.install("Cart")
        try sandbox.install("Shop", version: "1.1.0") {
            $0.replacing("[\"A good one.\"", with: "[String(repeating: \"!\", count: -1)")
        }
        #expect(try sandbox.run("open", "app://shop/item/42").status > 1)
        let next = try sandbox.run("open", "app://shop/item/42")
        #expect(next.status == 0 && next.output.contains("Shop 1.0.0"), "\(next)")
        #expect(next.errors == "minimal: shop 1.1.0 has crashed; shop 1.0.0 is active\n")
        #expect(try sandbox.run("open", "app://cart").errors == "", "It is told once.")
        #expect(
            throws: Refusal(
                text: "shop 1.1.0 has crashed this host, so it is not installed again; install another version")
        ) {
            try sandbox.install("Shop", version: "1.1.0")
        }
    }

    @Test("A crash in a plugin that another one calls is its own")
    func nested() throws {
        let sandbox = try Sandbox()
        try sandbox.install("Shop")
        try sandbox.install("Cart") { $0.replacing("names.count {", with: "[Int]()[1 + names.count] + names.count {") }
        #expect(try sandbox.run("open", "app://shop/item/42").status > 1)
        #expect(try sandbox.run("list").errors == "minimal: cart 1.0.0 has crashed; it is not used any longer\n")
        #expect(try sandbox.run("list").output == "shop 1.0.0\tshop/item/:id shop/buy/:id\n")
    }

    @Test("A host that is killed between calls is nobody's crash")
    func killed() throws {
        let sandbox = try Sandbox()
        try sandbox.install("Cart")
        let host = try sandbox.start("open", "app://cart")
        _ = try host.page()
        #expect(try host.end(by: SIGKILL) == SIGKILL)
        #expect(try sandbox.run("list").errors == "")
    }

    @Test("A rollback goes back to the version before, and another one forth again")
    func rollback() throws {
        let sandbox = try Sandbox()
        try sandbox.install("Cart")
        #expect(try sandbox.run("rollback", "cart").errors == "minimal: cart has no version to go back to\n")
        try sandbox.install("Cart", version: "1.0.1")
        #expect(try sandbox.run("rollback", "cart").output == "cart 1.0.0 is active\n")
        #expect(try sandbox.run("rollback", "cart").output == "cart 1.0.1 is active\n")
        #expect(throws: Refusal(text: "cart 1.0.0 is installed; give other content another version")) {
            try sandbox.install("Cart")
        }
    }

    @Test("What an interrupted installation has left is removed by the next change")
    func leftovers() throws {
        let sandbox = try Sandbox()
        try sandbox.install("Cart")
        // Killed while it copied, and killed after the rename.
        for folder in ["Staging/cart", "Versions/cart/2.0.0"] {
            try FileManager.default.createDirectory(
                at: sandbox.folder.appending(path: folder), withIntermediateDirectories: true)
        }
        #expect(try sandbox.run("list").output == "cart 1.0.0\tcart\n")
        try sandbox.install("Cart", version: "2.0.0")
        #expect(try sandbox.run("list").output == "cart 2.0.0\tcart\n")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.appending(path: "Staging").path) == [])
    }

    @Test(
        "Code that is no plugin for this host is refused",
        arguments: [
            ("", "it does not export minimal_plugin_entry"),
            ("const void *minimal_plugin_entry(void) { return 0; }", "minimal_plugin_entry returned nothing"),
            (
                "const void *minimal_plugin_entry(void) { static int entry[8] = { 7 }; return entry; }",
                "it was built for version 7 of the contract, and this host has 1; build it again"
            ),
            (
                "const void *minimal_plugin_entry(void) { static int entry[8] = { 1 }; return entry; }",
                "it contains a copy of the contract; link the library instead"
            ),
        ])
    func foreign(code: String, problem: String) throws {
        let sandbox = try Sandbox()
        let source = sandbox.folder.appending(path: "foreign.c")
        try Data(code.utf8).write(to: source)
        let library = sandbox.folder.appending(path: "foreign.so")
        try #require(
            try Program("/usr/bin/env", ["clang", "-shared", "-o", library.path, source.path]).result().status == 0)
        _ = try sandbox.run("install", Sandbox.plugins.appending(path: "Cart/manifest.json").path, library.path)
        let result = try sandbox.run("open", "app://cart")
        #expect(
            result.status == 1 && result.errors == "minimal: cart 1.0.0 cannot be loaded: \(problem)\n", "\(result)")
        #expect(try sandbox.run("list").errors == "", "A refusal is no crash.")
    }

    @Test(
        "Bad input is refused with a sentence",
        arguments: [
            (["open", "shop/item/42"], "\"shop/item/42\" is not an address; it must look like app://shop/item/42"),
            (["open", "app://shop//42"], "\"app://shop//42\" is not an address; it must look like app://shop/item/42"),
            (["open", "app://nobody"], "no bundle opens app://nobody; \"minimal list\" prints the patterns of all"),
            (["open", "app://shop/item/7"], "the shop has no item 7"),
            (["rollback", "nobody"], "nobody has no version to go back to"),
        ])
    func badInput(words: [String], problem: String) throws {
        let sandbox = try Sandbox()
        try sandbox.install("Shop")
        let result = try sandbox.run(words)
        #expect(result.status == 1 && result.errors == "minimal: \(problem)\n", "\(result)")
    }

    @Test("A manifest whose identifier leads out of the folder of versions is refused")
    func path() throws {
        let sandbox = try Sandbox()
        let error = #expect(throws: Refusal.self) { try sandbox.install("Cart", identifier: "../cart") }
        #expect(error?.text.hasSuffix("\"../cart\" must consist of letters, digits, dots and hyphens") == true)
    }
}

/// What the host said when it refused to install a plugin.
struct Refusal: Error, Equatable {
    let text: String
}

/// A folder for one host, and its command line.
final class Sandbox {
    static let build = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    static let sample = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    static let plugins = sample.appending(path: "Plugins")

    let folder = FileManager.default.temporaryDirectory.appending(path: "minimal-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Installs a sample plugin; with a change of its source, as its author would compile it.
    func install(
        _ name: String, identifier: String? = nil, version: String = "1.0.0",
        changing source: ((String) -> String)? = nil
    ) throws {
        var manifest = try String(contentsOf: Self.plugins.appending(path: "\(name)/manifest.json"), encoding: .utf8)
        manifest.replace("1.0.0", with: version)
        if let identifier { manifest.replace("\"identifier\": \"cart\"", with: "\"identifier\": \"\(identifier)\"") }
        let file = folder.appending(path: "manifest.json")
        try Data(manifest.utf8).write(to: file)
        let library = try source.map { try compile(name, $0) } ?? Self.build.appending(path: "lib\(name).so")
        let result = try run("install", file.path, library.path)
        guard result.status == 0 else {
            throw Refusal(text: String(result.errors.dropFirst("minimal: ".count).dropLast()))
        }
    }

    private func compile(_ name: String, _ change: (String) -> String) throws -> URL {
        let original = try String(contentsOf: Self.plugins.appending(path: "\(name)/\(name).swift"), encoding: .utf8)
        let changed = change(original)
        try #require(changed != original)
        let source = folder.appending(path: "\(name).swift")
        try Data(changed.utf8).write(to: source)
        let library = folder.appending(path: "lib\(name).so")
        let headers = Self.sample.appending(path: "Contract/Sources/CPluginEntry/include").path
        let modules = Self.build.appending(path: "Modules").path
        let words = ["swiftc", "-emit-library", "-parse-as-library", "-module-name", name, "-swift-version", "6"]
        let places = [
            "-I", modules, "-Xcc", "-fmodule-map-file=\(Self.build.path)/CPluginEntry.build/module.modulemap", "-I",
            headers,
        ]
        let result = try Program(
            "/usr/bin/env", words + places + ["-L", Self.build.path, "-lContract", "-o", library.path, source.path]
        ).result()
        try #require(result.status == 0, "\(result)")
        return library
    }

    func run(_ words: String..., input: String = "") throws -> Program.Result {
        try run(words, input: input)
    }

    func run(_ words: [String], input: String = "") throws -> Program.Result {
        try program(words).result(input: input)
    }

    /// Starts a host that waits for lines.
    func start(_ words: String...) throws -> Program {
        let program = program(words)
        try program.start()
        return program
    }

    private func program(_ words: [String]) -> Program {
        Program(Self.build.appending(path: "minimal").path, ["--in", folder.path] + words)
    }
}

/// A program that a test starts, and talks to.
final class Program {
    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    private let process = Process()
    private let (input, output, problems) = (Pipe(), Pipe(), Pipe())

    init(_ path: String, _ arguments: [String]) {
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, problems)
    }

    func start() throws { try process.run() }

    func type(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// Returns what the program prints for one line.
    func page() throws -> String {
        String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }

    /// What the program has printed as errors until its end.
    private(set) lazy var errors = String(decoding: problems.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)

    func end(by signal: Int32? = nil) throws -> Int32 {
        if let signal { kill(process.processIdentifier, signal) }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }

    func result(input text: String = "") throws -> Result {
        try start()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: text, errors: errors)
    }
}
