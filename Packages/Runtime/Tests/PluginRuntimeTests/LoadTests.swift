import PluginCore
import PluginRuntime
import Testing

@Suite("Loading a bundle")
struct LoadTests {
    /// Installs a bundle with this library and has it loaded, which must fail; twice, for a failed load can be tried again.
    private func refusal(
        _ library: [UInt8], _ code: AtriumError.Code, _ location: SourceLocation = #_sourceLocation
    ) async throws -> AtriumError {
        try await withHost { host in
            try host.offer(SamplePackage(library: library))
            try await host.manager.install(TestHost.shop)
            await host.manager.connect(SilentNavigator(), supply: host.manager)
            let first = try await host.refusal(code, at: location) {
                try await host.manager.principal(of: TestHost.shop)
            }
            let second = try await host.refusal(code, at: location) {
                try await host.manager.principal(of: TestHost.shop)
            }
            #expect(first.subject == "com.example.app.shop@1.0.0", sourceLocation: location)
            #expect(second.detail == first.detail, sourceLocation: location)
            #expect(await !host.manager.isActive(TestHost.shop), sourceLocation: location)
            return first
        }
    }

    @Test("whose library is no library is refused in the loader's words")
    func text() async throws {
        let error = try await refusal(Array("no library".utf8), .libraryUnloadable)
        #expect(error.detail.contains("libSample.so"))
        #expect(try await !refusal([], .libraryUnloadable).detail.isEmpty)
    }

    @Test("whose library is not a plugin's is refused")
    func notAPlugin() async throws {
        let error = try await refusal(library(inC: nil), .libraryUnloadable)
        #expect(error.detail == "libSample.so does not export plugin_entry_v1")
    }

    @Test(
        "whose entry is not for this host is refused",
        arguments: [
            ("NULL", "its entry returned nothing"), ("&magic", "its entry does not start with the plugin magic"),
            (
                "&abi",
                "it speaks Core ABI \(CoreVersion.abi + 1) and this host speaks \(CoreVersion.abi); rebuild the host"
            ),
            (
                "&compiler",
                "it was built by \"another\" and this host by \"\(CoreVersion.compiler)\"; "
                    + "rebuild the plugin with the host's compiler"
            ),
        ]
    )
    func wrongEntry(entry: String, detail: String) async throws {
        let error = try await refusal(library(inC: entry), .libraryIncompatible)
        #expect(error.detail == detail)
    }

    @Test("whose library has gone is refused, and works once it is back")
    func missing() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(library: await Self.one.value))
            let bundle = try await host.manager.install(TestHost.shop).bundle
            await host.manager.connect(SilentNavigator(), supply: host.manager)
            let library = host.sandbox.folder(of: bundle.identity, digest: bundle.digest)
                .appending("lib/\(Platform.triple)/libSample.so")
            let bytes = try library.bytes
            try library.remove()
            let error = try await host.refusal(.libraryMissing) { try await host.manager.principal(of: TestHost.shop) }
            #expect(error.detail == "there is no file at \(library)")
            try library.write(bytes)
            _ = try await host.manager.principal(of: TestHost.shop)
            #expect(await host.manager.isActive(TestHost.shop))
        }
    }

    @Test("without code is refused, and its resources can be had")
    func assets() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(kind: "assets", library: nil, files: ["Resources/a.txt": "text"]))
            try await host.manager.install(TestHost.shop)
            await host.manager.connect(SilentNavigator(), supply: host.manager)
            let error = try await host.refusal(.libraryMissing) { try await host.manager.principal(of: TestHost.shop) }
            #expect(error.detail == "it is a bundle without code")
            let resources = try await host.manager.resources(of: TestHost.shop)
            #expect(try resources.bytes(of: "a.txt") == Array("text".utf8))
        }
    }

    @Test("before there is a router is refused, and works once there is one")
    func unconnected() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(library: await Self.one.value))
            try await host.manager.install(TestHost.shop)
            try await host.refusal(.bundleUnavailable) { try await host.manager.principal(of: TestHost.shop) }
            await host.manager.connect(SilentNavigator(), supply: host.manager)
            _ = try await host.manager.principal(of: TestHost.shop)
        }
    }

    static let one = Task { try await library(inSwift: "1.0.0") }
    static let two = Task { try await library(inSwift: "2.0.0") }
}
