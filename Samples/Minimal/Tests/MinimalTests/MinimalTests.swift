import Foundation
import Testing

/// The whole life of plugins, with the built host, and plugins that are compiled here from changed sources.
@Suite("Minimal: plugins are installed, opened, updated, crash, and go back", .timeLimit(.minutes(5)))
struct MinimalTests {
    /// A change of Shop after which drawing its page crashes.
    private static let crash = #"s/\["A good one."/[String(repeating: "!", count: -1)/"#
    private static let page = "== Pencil\nA good one.\nIn the cart: 0\nShop 1.0.0\n"

    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test("An address is opened by a plugin that is loaded on first use, and that calls another one by the mediator")
    func open() throws {
        try sandbox.install("Shop")
        let alone = try sandbox.run("open", "app://shop/item/42")
        #expect(alone.status == 1)
        #expect(alone.errors == "minimal: no bundle has the target \"cart\"; \"minimal list\" prints the targets\n")
        try sandbox.install("Cart")
        let result = try sandbox.run(
            "open", "app://shop/item/42", input: "call cart add name=Pencil\n\napp://cart\nback\n")
        let after = Self.page.replacing(": 0", with: ": 1")
        #expect(result.output == Self.page + "1\n" + after + "== Cart\nPencil\n" + after, "\(result)")
        #expect(try sandbox.run("list").output == "cart 1.0.0\tcart\tcart\nshop 1.0.0\tshop\tshop/item/:id\n")
    }

    @Test("Of two patterns that match an address, the one with a text where the other has a capture opens it")
    func specificity() throws {
        try sandbox.install("Shop")
        let manifest = "s/\"cart\"\\]/\"shop\\/item\\/42\"]/"
        try sandbox.install("Cart", "s/route: \"cart\"/route: \"shop\\/item\\/42\"/", manifest: manifest)
        #expect(try sandbox.run("open", "app://shop/item/42").output == "== Cart\nNothing yet.\n")
        #expect(try sandbox.run("open", "app://shop/item/41").output.hasPrefix("== Towel\n"))
    }

    @Test(
        "A running host uses an update for new requests; an open page stays with its version, which ends with its last page"
    )
    func update() throws {
        try sandbox.install("Shop")
        try sandbox.install("Cart")
        let host = try sandbox.start("open", "app://shop/item/42")
        #expect(try host.page() == Self.page)
        try sandbox.install("Shop", "s/A good one/A better one/", version: "1.1.0")
        let better = "== Pencil\nA better one.\nIn the cart: 0\nShop 1.1.0\n"
        #expect(try host.page(after: "") == Self.page)
        #expect(try host.page(after: "app://shop/item/42") == better)
        #expect(try host.page(after: "back") == Self.page)
        #expect(host.errors.isEmpty, "The version before is in use.")
        let result = try host.end(after: "back")
        #expect(result.status == 0 && result.errors == "minimal: shop 1.0.0 has ended\n", "\(result)")
    }

    @Test("A version that is replaced while one of its actions runs ends after it")
    func updateDuringCall() throws {
        // The action waits for a line, and then reaches its own bundle, of which another version is active meanwhile.
        let wait =
            #"print("waits"); fflush(nil); _ = readLine(); _ = try context.call("cart", "count", [:]); names.append(name)"#
        try sandbox.install("Cart", "s/^import Contract/import Glibc\\n&/; s/names.append(name)/\(wait)/")
        try sandbox.install("Shop")
        let host = try sandbox.start("open", "app://shop/item/42")
        #expect(try host.page() == Self.page)
        #expect(try host.page(after: "call cart add name=Pencil") == "waits\n")
        #expect(try sandbox.run("list").errors == "", "The host lives, although the version's code has not returned.")
        try sandbox.install("Cart", version: "1.1.0")
        #expect(host.errors.isEmpty)
        #expect(try host.page(after: "") == "1\n", "The call has changed the version that it was made for.")
        #expect(try host.page(after: "app://cart") == "== Cart\nNothing yet.\n")
        let result = try host.end()
        #expect(result.status == 0 && result.errors == "minimal: cart 1.0.0 has ended\n", "\(result)")
    }

    @Test("After a crash, the next start goes back to the version before, and the crashed one is not installed again")
    func crash() throws {
        try sandbox.install("Shop")
        try sandbox.install("Cart")
        try sandbox.install("Shop", Self.crash, version: "1.1.0")
        #expect(try sandbox.run("open", "app://shop/item/42").signal != nil)
        let next = try sandbox.run("open", "app://shop/item/42")
        #expect(
            next.output == Self.page && next.errors == "minimal: shop 1.1.0 has crashed; shop 1.0.0 is active\n",
            "\(next)")
        #expect(try sandbox.run("open", "app://cart").errors == "", "It is reported once.")
        let refused = "shop 1.1.0 has crashed this host, so it is not installed again; install another version"
        #expect(throws: Refusal(text: refused)) { try sandbox.install("Shop", version: "1.1.0") }
    }

    @Test(
        "A crash counts against the version whose code it was: called by another one, at the start, and while it is loaded",
        arguments: [
            "s/(names.count {/([Int]()[1] + names.count {/",
            "s/context.bind(route.*/_ = [Int]()[1]/",
            "s/PluginEntry.describe/_ = [Int]()[1]; return &/",
        ])
    func nested(change: String) throws {
        try sandbox.install("Shop")
        try sandbox.install("Cart", change)
        #expect(try sandbox.run("open", "app://shop/item/42").signal != nil)
        #expect(try sandbox.run("list").errors == "minimal: cart 1.0.0 has crashed; it is not used any longer\n")
        #expect(try sandbox.run("list").output == "shop 1.0.0\tshop\tshop/item/:id\n")
    }

    @Test("A host that is killed between calls is nobody's crash, and another one that runs is not taken for dead")
    func killed() throws {
        try sandbox.install("Cart")
        let (killed, other) = (try sandbox.start("open", "app://cart"), try sandbox.start("open", "app://cart"))
        for host in [killed, other] { _ = try host.page() }
        #expect(try killed.end(by: SIGKILL).signal == SIGKILL)
        #expect(try sandbox.run("list").errors == "")
        #expect(try other.end(after: "").errors == "")
    }

    @Test(
        "Calls that lead in a circle end with an error, also while a plugin starts",
        arguments: [
            (#"s/"..names.count {.*/try context.call("shop", "name", [:])/"#, "more than 16 calls wait for each other"),
            (
                #"s/PluginContext) {/PluginContext) throws {/; s/context.bind(route.*/_ = try context.call("shop", "name", [:])/"#,
                "cart 1.0.0 is still starting"
            ),
        ])
    func circle(change: String, problem: String) throws {
        try sandbox.install("Shop", #"s/try Item(number: parameters.*/try context.call("cart", "count", [:])/"#)
        try sandbox.install("Cart", change)
        let result = try sandbox.run("open", "app://shop/item/42")
        #expect(result.status == 1 && result.errors.contains(problem), "\(result)")
    }

    @Test("A rollback goes back to the version before, also in a running host, and another one forth again")
    func rollback() throws {
        try sandbox.install("Cart")
        #expect(try sandbox.run("rollback", "cart").errors == "minimal: cart has no version to go back to\n")
        try sandbox.install("Shop")
        let host = try sandbox.start("open", "app://shop/item/42")
        _ = try host.page()
        #expect(try host.page(after: "app://cart") == "== Cart\nNothing yet.\n")
        #expect(try host.page(after: "call cart add name=Pencil") == "1\n")
        try sandbox.install("Cart", "s/Nothing yet/Empty/", version: "1.0.1")
        #expect(try host.page(after: "app://cart") == "== Cart\nEmpty.\n")
        #expect(try sandbox.run("rollback", "cart").output == "cart 1.0.0 is active\n")
        #expect(
            try host.page(after: "app://cart") == "== Cart\nPencil\n", "Its page was open, so it still has its state.")
        for page in ["Cart\nEmpty.", "Cart\nPencil", "Pencil\n"] {
            #expect(try host.page(after: "back").hasPrefix("== " + page))
        }
        #expect(try host.page(after: "call cart add name=Pencil") == "2\n", "It is active, so it has not ended.")
        #expect(try sandbox.run("rollback", "cart").output == "cart 1.0.1 is active\n")
        #expect(try host.end().errors == "minimal: cart 1.0.1 has ended\n")
    }

    @Test("A version that cannot be started leaves the one before as it is, so that a rollback finds its state")
    func failedStart() throws {
        try sandbox.install("Cart")
        let host = try sandbox.start("open", "app://cart")
        _ = try host.page()
        #expect(try host.page(after: "call cart add name=Pencil") == "1\n")
        try sandbox.install(
            "Cart", "s/PluginContext) {/PluginContext) throws {/; s/context.bind(route.*/throw Failure(\"no\")/",
            version: "1.1.0")
        try host.type("app://cart")
        try host.wait { !host.errors.isEmpty }
        #expect(try sandbox.run("rollback", "cart").output == "cart 1.0.0 is active\n")
        #expect(try host.page(after: "app://cart") == "== Cart\nPencil\n")
        #expect(try host.end().errors == "minimal: no\n")
    }

    @Test("What an interrupted installation has left is removed by the next one")
    func leftovers() throws {
        try sandbox.install("Cart")
        // Killed while it copied, and killed after the rename.
        for folder in ["Staging/cart", "Versions/cart/2.0.0"] {
            let folder = sandbox.folder.appending(path: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("{".utf8).write(to: folder.appending(path: "manifest.json"))
        }
        #expect(try sandbox.run("list").output == "cart 1.0.0\tcart\tcart\n")
        try sandbox.install("Cart", version: "2.0.0")
        #expect(try sandbox.run("list").output == "cart 2.0.0\tcart\tcart\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path + "/Staging") == [])
    }

    @Test("A version has one content, and an address and a target belong to one bundle")
    func conflicts() throws {
        try sandbox.install("Cart")
        #expect(throws: Refusal(text: "cart 1.0.0 was installed before; give other content another version")) {
            try sandbox.install("Cart")
        }
        let route = "cart 1.0.0 opens the addresses of \"cart\", too; other 1.0.0 must have other ones"
        #expect(throws: Refusal(text: route)) { try sandbox.install("Cart", manifest: "s/\"cart\"/\"other\"/") }
        let target = "cart 1.0.0 has the target \"cart\", too; other 1.0.0 must have another one"
        #expect(throws: Refusal(text: target)) {
            try sandbox.install("Cart", manifest: "s/\"cart\"/\"other\"/; s/\\[\"cart\"/[\"other\"/")
        }
    }

    @Test("Neither a rollback nor a crash leads back to a version whose addresses another bundle has taken")
    func conflictAfterCrash() throws {
        try sandbox.install("Cart")
        let crash = #"s/route: "cart"/route: "crash"/; s/Nothing yet/\\([Int]()[1])/"#
        try sandbox.install("Cart", crash, version: "1.1.0", manifest: #"s/\["cart"/["crash"/"#)
        let taken = #"s/"shop.item.:id"/"cart"/"#
        try sandbox.install("Shop", taken, manifest: taken)
        let refused = "minimal: shop 1.0.0 opens the addresses of \"cart\", too; cart 1.0.0 must have other ones\n"
        #expect(try sandbox.run("rollback", "cart").errors == refused)
        #expect(try sandbox.run("open", "app://crash").signal != nil)
        let crashed = "minimal: cart 1.1.0 has crashed; it is not used any longer\n"
        #expect(try sandbox.run("list").errors == refused + crashed)
    }

    @Test(
        "A library that is no plugin for this host is refused, and that is no crash",
        arguments: [
            ("s/@c.minimal_plugin_entry./@c(another)/", "it does not export minimal_plugin_entry"),
            (
                "s/describe(Cart.self/&, abi: 7/",
                "it was built for version 7 of the contract, and this host for 1; build it again"
            ),
            ("s/describe(Cart.self/&, compiler: strdup(\"Other 1\")!/", "it was built by Other 1"),
            ("s/route: \"cart\"/route: \"carts\"/", "has not bound the route \"cart\" of its manifest"),
        ])
    func foreign(change: String, problem: String) throws {
        try sandbox.install("Cart", "s/^import Contract/import Glibc\\n&/; " + change)
        let result = try sandbox.run("open", "app://cart")
        #expect(result.status == 1 && result.errors.hasPrefix("minimal: cart 1.0.0 "), "\(result)")
        #expect(result.errors.contains(problem), "\(result)")
        #expect(try sandbox.run("list").errors == "")
    }

    @Test("A plugin that contains a copy of the contract is refused")
    func copyOfTheContract() throws {
        try sandbox.installWithCopyOfContract("Cart")
        let problem =
            "minimal: cart 1.0.0 cannot be loaded: it contains a copy of the contract; link the library instead\n"
        #expect(try sandbox.run("open", "app://cart").errors == problem)
    }

    @Test(
        "Bad input is refused with a sentence",
        arguments: [
            (["open", "shop/item/42"], "\"shop/item/42\" is not an address; it must look like app://shop/item/42"),
            (["open", "app://shop//42"], "\"app://shop//42\" is not an address; it must look like app://shop/item/42"),
            (["open", "app://nobody"], "no bundle opens app://nobody; \"minimal list\" prints what is opened"),
            (["open", "app://shop/item/7"], "the shop has no item 7"),
            (["rollback", "nobody"], "nobody has no version to go back to"),
            (["instal"], "unknown command; minimal --help prints all"),
            (["open", "back"], "\"back\" is not an address; it must look like app://shop/item/42"),
            (["open", "call cart add ="], "no bundle has the target \"cart\"; \"minimal list\" prints the targets"),
            (["open", "call cart add name"], "\"name\" must be NAME=VALUE"),
        ])
    func badInput(words: [String], problem: String) throws {
        try sandbox.install("Shop")
        let result = try sandbox.run(words)
        #expect(result.status == 1 && result.errors == "minimal: \(problem)\n", "\(result)")
    }

    @Test("An identifier that leads out of the folder of versions is refused")
    func path() throws {
        let error = #expect(throws: Refusal.self) { try sandbox.install("Cart", manifest: "s/\"cart\"/\"..\\/cart\"/") }
        #expect(
            error?.text.hasSuffix("\"../cart\" must consist of at most 100 letters, digits, dots and hyphens") == true)
    }
}

/// The refusal to install a plugin, in the words of the host.
struct Refusal: Error, Equatable {
    let text: String
}

/// A folder for one host, and its command line.
final class Sandbox {
    static let build = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    private static let sample = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized

    let folder = FileManager.default.temporaryDirectory.appending(path: "minimal-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Installs a sample plugin. Changes are commands of sed, of its source and of its manifest.
    func install(_ name: String, _ change: String? = nil, version: String = "1.0.0", manifest: String? = nil) throws {
        var files = [
            Self.sample.appending(path: "Plugins/\(name)/manifest.json").path,
            Self.build.appending(path: "lib\(name).so").path,
        ]
        if change != nil || version != "1.0.0" || manifest != nil {
            let release = Self.sample.appending(path: "release").path
            let result = try Program(release, [name, version, change ?? ""], in: folder).result()
            try #require(result.status == 0, "\(result)")
            files = result.output.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        if let manifest {
            try #require(try Program("/bin/sed", ["-i", manifest, files[0]], in: folder).result().status == 0)
        }
        let result = try run(["install"] + files)
        guard result.status == 0 else {
            throw Refusal(text: String(result.errors.dropFirst("minimal: ".count).dropLast()))
        }
    }

    /// Installs a sample plugin that is linked with the object files of the contract.
    func installWithCopyOfContract(_ name: String) throws {
        let script = """
            c="-Xcc -fmodule-map-file=$1/CPluginEntry.build/module.modulemap -I Contract/Sources/CPluginEntry/include"
            s="swiftc -swift-version 6 -parse-as-library -emit-library"
            $s -static -module-name Contract $c Contract/Sources/Contract/Contract.swift \
              -emit-module-path "$2/Contract.swiftmodule" -o "$2/libCopy.a" &&
              $s -module-name $3 $c -I "$2" -L "$2" -lCopy Plugins/$3/$3.swift -o "$2/lib$3.so"
            """
        let words = ["-c", "cd '\(Self.sample.path)'; \(script)", "copy", Self.build.path, folder.path, name]
        let result = try Program("/bin/bash", words, in: folder).result()
        try #require(result.status == 0, "\(result)")
        let manifest = Self.sample.appending(path: "Plugins/\(name)/manifest.json").path
        try #require(try run("install", manifest, folder.appending(path: "lib\(name).so").path).status == 0)
    }

    func run(_ words: String..., input: String = "") throws -> Program.Result {
        try program(words).result(input: input)
    }

    func run(_ words: [String]) throws -> Program.Result { try program(words).result() }
    /// Starts a host that waits for lines.
    func start(_ words: String...) throws -> Program {
        let program = try program(words)
        try program.start()
        return program
    }

    private func program(_ words: [String]) throws -> Program {
        try Program(Self.build.appending(path: "minimal").path, ["--in", folder.path] + words, in: folder)
    }
}

/// A program that a test starts, and talks to. Its output goes to files, so it never waits for a reader.
final class Program {
    struct Result {
        let status: Int32
        /// The signal that ended the program.
        let signal: Int32?
        let output: String
        let errors: String
    }

    private let process = Process()
    private let input = Pipe()
    private let files: [URL]
    private var position = 0

    init(_ path: String, _ arguments: [String], in folder: URL) throws {
        files = ["output", "errors"].map { folder.appending(path: "\(UUID().uuidString).\($0)") }
        for file in files { try Data().write(to: file) }
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["TMPDIR": folder.path, "MINIMAL_BUILD": Sandbox.build.path]) { $1 }
        process.standardInput = input
        // No other program that a test starts at the same time keeps this one's input open.
        for end in [input.fileHandleForReading, input.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var errors: String { (try? String(contentsOf: files[1], encoding: .utf8)) ?? "" }

    func start() throws {
        // A program that has ended reads nothing any more; that is an error, and not the end of the tests.
        signal(SIGPIPE, SIG_IGN)
        try process.run()
    }

    func type(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// Returns what the program prints next, for a line if there is one. It writes all of that at once.
    func page(after line: String? = nil) throws -> String {
        if let line { try type(line) }
        var text = Data()
        try wait {
            text = ((try? Data(contentsOf: files[0])) ?? Data()).dropFirst(position)
            return !text.isEmpty
        }
        position += text.count
        return String(decoding: text, as: UTF8.self)
    }

    /// Waits until something is so, for at most a minute.
    func wait(until isSo: () -> Bool) throws {
        for _ in 0..<6000 {
            if isSo() { return }
            usleep(10_000)
        }
        kill(process.processIdentifier, SIGKILL)
        throw Refusal(text: "nothing happened for a minute; \(errors)")
    }

    /// Ends the input, or the program by a signal, and waits for its end.
    func end(after line: String? = nil, by signal: Int32? = nil) throws -> Result {
        if let line { try type(line) }
        if let signal { kill(process.processIdentifier, signal) }
        try input.fileHandleForWriting.close()
        try wait { !process.isRunning }
        let isSignal = process.terminationReason == .uncaughtSignal
        return Result(
            status: process.terminationStatus, signal: isSignal ? process.terminationStatus : nil,
            output: try String(contentsOf: files[0], encoding: .utf8), errors: errors)
    }

    func result(input text: String = "") throws -> Result {
        try start()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        return try end()
    }
}
