import PluginCore
import PluginTestKit
import Testing

@Suite("Libraries that cannot be loaded", .tags(.large))
struct LibraryTests {
    /// A fault of a library that can be detected in its file.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var status: Int32 = 65
        var code = "libraryUnloadable"
        var message = "the library of \"com.example.app.account@1.0.0\" cannot be loaded"
        let findings: [String]
        var remedy = unloadable
        let make: @Sendable ([UInt8]) async throws -> [UInt8]
    }

    private static let unloadable =
        "the plugin's author must rebuild it as a dynamic library that exports plugin_entry_v2"
    private static let incompatible =
        "rebuild the older of the two: plugin and host need the same compiler and the same Core ABI"
    private static let build = "the plugin's author must build the library and pack it with \"bundletool pack\""
    private static let noEntry =
        "it does not export plugin_entry_v2; "
        + "the plugin's author must export it: @c(plugin_entry_v2) in front of a function"

    static let faults = [
        Fault(testDescription: "that is a text", findings: ["it is not an ELF file; \(build)"]) { _ in
            Array(String(repeating: "This is no library. ", count: 100).utf8)
        },
        Fault(testDescription: "that is empty", findings: ["it is not an ELF file; \(build)"]) { _ in [] },
        Fault(
            testDescription: "that was cut short",
            findings: [
                "it is truncated: it ends at byte 20000, before the end of its section headers; "
                    + "get the package again; if that does not help, the plugin's author must pack the library again"
            ]
        ) { Array($0.prefix(20000)) },
        Fault(
            testDescription: "for another machine", status: 77, code: "libraryIncompatible",
            message: "\"com.example.app.account@1.0.0\" is not compatible with this host",
            findings: ["it is built for riscv, but this host is x86_64; the plugin's author must build it for x86_64"],
            remedy: incompatible
        ) { library in
            // The field e_machine is at offset 18, and 243 is EM_RISCV.
            var library = library
            library.replaceSubrange(18..<20, with: [243, 0])
            return library
        },
        Fault(
            testDescription: "for Core ABI 1", status: 77, code: "libraryIncompatible",
            message: "\"com.example.app.account@1.0.0\" is not compatible with this host",
            findings: [
                "it was built for Core ABI 1, but this host has 2; "
                    + "the plugin's author must rebuild it with Core 2.0.0 and this host's compiler"
            ],
            remedy: incompatible
        ) { _ in
            var library = try await compiled(c: "const void *plugin_entry_v2(void) { return 0; }")
            let owner = try #require(library.firstRange(of: Array("Atrium\0\0".utf8)))
            library[owner.upperBound] = 1
            return library
        },
        Fault(testDescription: "without an entry", findings: [noEntry]) { _ in
            try await compiled(c: "int answer(void) { return 42; }")
        },
        Fault(
            testDescription: "that is not a plugin's, with all that is wrong",
            findings: [
                noEntry,
                "it does not declare which Core it was built for; "
                    + "the plugin's author must rebuild it with Core \(CoreVersion.release) and this host's compiler",
                "no library defines nobody_has_this, which it uses; "
                    + "the plugin's author must link the library that defines it",
            ]
        ) { _ in
            try await compiled(
                c: "int nobody_has_this(void); int use(void) { return nobody_has_this(); }", isPlugins: false)
        },
        Fault(
            testDescription: "with a symbol that nobody has",
            findings: [
                "no library defines nobody_has_this, which it uses; "
                    + "the plugin's author must link the library that defines it"
            ]
        ) { _ in
            try await compiled(
                c: "int nobody_has_this(void); const void *plugin_entry_v2(void) { nobody_has_this(); return 0; }")
        },
        Fault(
            testDescription: "that is linked with a library of the host that is not for plugins",
            findings: [
                "it needs libPluginRuntime.so, which neither this host nor a required bundle provides; "
                    + "the plugin's author must remove it, link it statically, or require the bundle that contains it"
            ]
        ) { _ in
            try await compiled(
                c: "const void *plugin_entry_v2(void) { return 0; }", linkedWith: "PluginRuntime")
        },
        Fault(
            testDescription: "with a symbol of a library of the host that is not for plugins",
            findings: [
                "no library defines nominal type descriptor for PluginRouter.Router ($s12PluginRouter6RouterCMn), which "
                    + "it uses; the plugin's author must link the library that defines it"
            ]
        ) { _ in
            try await compiled(
                c: """
                    extern int router __asm__("$s12PluginRouter6RouterCMn");
                    const void *plugin_entry_v2(void) { return &router; }
                    """)
        },
    ]

    static let library = "lib/x86_64-unknown-linux-gnu/libAccount.so"

    @Test(
        "A library that no host can load is not installed, by name or on demand", arguments: faults,
        Scene.Start.allCases)
    func refused(fault: Fault, start: Scene.Start) async throws {
        let scene = try Scene()
        if start == .another { try await scene.does("install", Scene.shop) }
        try await scene.damage(with: fault.make)
        let refusal = Refusal(
            status: fault.status, code: fault.code, subject: "com.example.app.account@1.0.0", message: fault.message,
            remedy: fault.remedy, details: fault.findings)
        try await scene.refuses("install", Scene.account, with: refusal)
        try await scene.refuses("open", "app://account", with: refusal)
    }

    @Test("bundletool reports a library that no host can load in the same words as the host", arguments: faults)
    func inspected(fault: Fault) async throws {
        struct Document: Decodable {
            struct Finding: Decodable {
                let what: String
                let remedy: String
            }
            struct Library: Decodable {
                let isLoadable: Bool
                let findings: [Finding]
            }
            let library: Library
        }
        let scene = try Scene()
        try await scene.damage(with: fault.make)
        let package = scene.catalog.folder.appending("com.example.app.account-1.0.0.zip").string
        let result = try await scene.host.bundletool.run("inspect", package, "--json")
        let told = try result.json(as: Document.self).library
        #expect(result.status == 0 && !told.isLoadable)
        #expect(told.findings.map { "\($0.what); \($0.remedy)" } == fault.findings)
    }

    /// The error of a library whose entry function returns nothing, which only running it shows.
    private static let speechless = Refusal(
        status: 77, code: "libraryIncompatible", subject: "com.example.app.account@1.0.0",
        message: "\"com.example.app.account@1.0.0\" is not compatible with this host: its entry returned nothing",
        remedy: incompatible)

    private func speechless(_ scene: Scene) async throws {
        try await scene.damage { _ in try await compiled(c: "const void *plugin_entry_v2(void) { return 0; }") }
    }

    @Test(
        "If a plugin that was installed on demand cannot be loaded, it is removed again",
        arguments: Scene.Start.allCases)
    func onDemand(start: Scene.Start) async throws {
        let scene = try Scene()
        if start == .another { try await scene.does("install", Scene.shop) }
        try await speechless(scene)
        // SQLite counts the changes of a file, including those that cancel each other.
        try await scene.refuses(
            ["open", "app://account"], with: Self.speechless,
            remarks: "installed com.example.app.account@1.0.0\nremoved com.example.app.account@1.0.0 again\n",
            usingPlugin: true)
        #expect(try scene.sandbox.tree().isEmpty == (start == .nothing))
        #expect(try !scene.sandbox.tree().files.contains { $0.contains("/Bundle/MinimumVersions/") })
    }

    @Test("An installed library that cannot be loaded fails at each start and changes nothing")
    func installed() async throws {
        let scene = try Scene()
        try await speechless(scene)
        try await scene.does("install", Scene.account)
        try await scene.refuses("open", "app://account", with: Self.speechless)
        // Features without code still work, and the plugin can be uninstalled.
        try await scene.does("open", "app://account/about")
        try await scene.does("uninstall", Scene.account)
    }

    @Test("A package without its library is not installed", arguments: Scene.Start.allCases)
    func missing(start: Scene.Start) async throws {
        let scene = try Scene()
        if start == .another { try await scene.does("install", Scene.shop) }
        try scene.change(Scene.account) { try $0.remove(Self.library) }
        let refusal = Refusal(
            status: 65, code: "libraryMissing", subject: "com.example.app.account@1.0.0",
            message: "\"com.example.app.account@1.0.0\" has no library for this host: "
                + "it does not contain lib/x86_64-unknown-linux-gnu/libAccount.so",
            remedy: "the plugin's author must build it for this platform and pack it with \"bundletool pack --library\""
        )
        try await scene.refuses("install", Scene.account, with: refusal)
        try await scene.refuses("open", "app://account", with: refusal)
    }

    @Test("A missing or changed library is reported, and the remedy repairs it", arguments: [true, false])
    func harmed(isTaken: Bool) async throws {
        let scene = try await Scene(installed: Scene.account)
        try await scene.does("open", "app://account")
        let library = try scene.folder(of: Scene.account) + "/" + Self.library
        if isTaken {
            try await scene.removes(library)
        } else {
            try scene.rewrite(library) { $0[$0.count / 2] ^= 1 }
        }
        let finding =
            isTaken ? "there is no file at SANDBOX/\(library)" : "libAccount.so is not the file that was sealed"
        try await scene.refuses(
            "open", "app://account",
            with: Refusal(
                status: 77, code: "sealBroken", subject: "com.example.app.account@1.0.0",
                message: "\"com.example.app.account@1.0.0\" does not match its seal: \(finding)",
                remedy:
                    "reinstall it with \"hostapp install com.example.app.account@1.0.0\", or from its package if "
                    + "the catalog does not have it"))
        try await scene.does("install", "\(Scene.account)@1.0.0")
        try await scene.does("open", "app://account")
    }
}

extension Scene {
    /// Replaces the library in the package of Account and signs the package again.
    fileprivate func damage(with make: ([UInt8]) async throws -> [UInt8]) async throws {
        let name = LibraryTests.library
        let package = try PackageEditor(catalog.folder.appending("com.example.app.account-1.0.0.zip"))
        let library = try await make(try package.bytes(of: name))
        try change(Self.account) { $0.set(name, to: library) }
    }
}
