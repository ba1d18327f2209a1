import PluginCore
import PluginTestKit
import Testing

@Suite("A library")
struct LibraryTests {
    /// A library that can be installed and not loaded.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var status: Int32 = 65
        var code = "libraryUnloadable"
        var message = "the library of \"com.example.app.account@1.0.0\" can not be loaded"
        /// `LIBRARY` stands for its path.
        let finding: String
        var remedy =
            "the plugin's author must build the library again, "
            + "as a dynamic one that exports plugin_entry_v1"
        let make: @Sendable ([UInt8]) async throws -> [UInt8]
    }

    static let faults = [
        Fault(testDescription: "that is a text", finding: "LIBRARY: invalid ELF header") { _ in
            Array(String(repeating: "This is no library. ", count: 100).utf8)
        },
        Fault(testDescription: "that is empty", finding: "LIBRARY: file too short") { _ in [] },
        Fault(
            testDescription: "for another machine",
            finding: "LIBRARY: cannot open shared object file: No such file or directory"
        ) { library in
            // e_machine is at 18; 243 is EM_RISCV.
            var library = library
            library.replaceSubrange(18..<20, with: [243, 0])
            return library
        },
        Fault(testDescription: "without an entry", finding: "libAccount.so does not export plugin_entry_v1") { _ in
            try await compiled(c: "int answer(void) { return 42; }")
        },
        Fault(
            testDescription: "with a symbol that nobody has", finding: "LIBRARY: undefined symbol: nobody_has_this"
        ) { _ in
            try await compiled(
                c: "int nobody_has_this(void); const void *plugin_entry_v1(void) { nobody_has_this(); return 0; }")
        },
        Fault(
            testDescription: "whose entry describes nothing", status: 77, code: "libraryIncompatible",
            message: "\"com.example.app.account@1.0.0\" does not fit this host", finding: "its entry returned nothing",
            remedy: "whoever is behind must rebuild: plugin and host need the same compiler and the same Core ABI"
        ) { _ in
            try await compiled(c: "const void *plugin_entry_v1(void) { return 0; }")
        },
    ]

    static let library = "lib/x86_64-unknown-linux-gnu/libAccount.so"

    private func refusal(_ fault: Fault, in scene: Scene) throws -> Refusal {
        let path = "SANDBOX/\(try scene.folder(of: Scene.account))/\(Self.library)"
        let finding = fault.finding.split(separator: "LIBRARY", omittingEmptySubsequences: false)
            .joined(separator: path)
        return Refusal(
            status: fault.status, code: fault.code, subject: "com.example.app.account@1.0.0",
            message: "\(fault.message): \(finding)", remedy: fault.remedy)
    }

    @Test(
        "that can not be loaded takes its plugin along when nobody had asked for it", arguments: faults,
        Scene.Start.allCases)
    func onDemand(fault: Fault, start: Scene.Start) async throws {
        let scene = try Scene()
        if start == .another { try await scene.does("install", Scene.shop) }
        try await scene.damage(with: fault.make)
        let history = try await scene.does("history").stdout
        // SQLite counts the changes of a file, also those that cancel each other.
        try await scene.refuses(
            ["open", "app://account"], with: try refusal(fault, in: scene),
            remarks: "installed com.example.app.account@1.0.0\nremoved com.example.app.account@1.0.0 again\n",
            changing: start == .another ? ["~ Containers/Bundle/registry.sqlite: content"] : [])
        #expect(try await scene.does("history").stdout == history)
    }

    @Test("that can not be loaded fails each time, and changes nothing", arguments: faults)
    func installed(fault: Fault) async throws {
        let scene = try Scene()
        try await scene.damage(with: fault.make)
        try await scene.does("install", Scene.account)
        try await scene.refuses("open", "app://account", with: try refusal(fault, in: scene))
        // What needs no code still works, and so does the way out.
        try await scene.does("open", "app://account/about")
        try await scene.does("uninstall", Scene.account)
    }

    @Test("that is not in the package is not installed", arguments: Scene.Start.allCases)
    func missing(start: Scene.Start) async throws {
        let scene = try Scene()
        if start == .another { try await scene.does("install", Scene.shop) }
        try scene.change(Scene.account) { try $0.remove(Self.library) }
        let refusal = Refusal(
            status: 65, code: "libraryMissing", subject: "com.example.app.account@1.0.0",
            message: "\"com.example.app.account@1.0.0\" has no library for this host: "
                + "there is no lib/x86_64-unknown-linux-gnu/libAccount.so in it",
            remedy: "the plugin's author must build it for this platform and pack it with \"bundletool pack --library\""
        )
        try await scene.refuses("install", Scene.account, with: refusal)
        try await scene.refuses("open", "app://account", with: refusal)
    }

    @Test("that somebody took away is told, and the remedy brings it back")
    func takenAway() async throws {
        let scene = try await Scene(installed: Scene.account)
        let library = try scene.folder(of: Scene.account) + "/" + Self.library
        try await scene.removes(library)
        try await scene.refuses(
            "open", "app://account",
            with: Refusal(
                status: 65, code: "libraryMissing", subject: "com.example.app.account@1.0.0",
                message: "\"com.example.app.account@1.0.0\" has no library for this host: "
                    + "there is no file at SANDBOX/\(library)",
                remedy: "the plugin's author must build it for this platform "
                    + "and pack it with \"bundletool pack --library\""))
    }
}

extension Scene {
    fileprivate func damage(with make: ([UInt8]) async throws -> [UInt8]) async throws {
        let package = catalog.folder.appending("com.example.app.account-1.0.0.zip")
        var editor = try PackageEditor(package)
        let library = LibraryTests.library
        editor.set(library, to: try await make(try editor.bytes(of: library)))
        try catalog.write(try editor.bytes(), named: editor.name)
    }
}
