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

    @Test("An installed library that cannot be loaded fails at each start and changes nothing")
    func installed() async throws {
        let scene = try Scene()
        // Only running it shows that its entry function returns nothing.
        try await scene.damage { _ in try await compiled(c: "const void *plugin_entry_v2(void) { return 0; }") }
        try await scene.does("install", Scene.account)
        try await scene.refuses(
            "open", "app://account",
            with: Refusal(
                status: 77, code: "libraryIncompatible", subject: "com.example.app.account@1.0.0",
                message:
                    "\"com.example.app.account@1.0.0\" is not compatible with this host: its entry returned nothing",
                remedy: Self.incompatible))
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
