import PluginCore
import PluginRuntime
import Signing
import SQLite
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
            await host.connect(supply: host.manager)
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

    /// Installs a sound bundle, then puts another library in the place of its own.
    ///
    /// - Parameter isSealed: whether the registry takes it for the one that was sealed, so that what else is wrong shows.
    private func damage(
        _ library: [UInt8], _ code: AtriumError.Code, isSealed: Bool = true,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> AtriumError {
        try await withHost { host in
            try host.offer(SamplePackage())
            let bundle = try await host.manager.install(TestHost.shop).bundle
            let path = host.sandbox.folder(of: bundle.identity, digest: bundle.digest)
                .appending("lib/\(Platform.triple)/libSample.so")
            try path.remove()
            try path.write(library)
            if isSealed {
                try host.database().execute(
                    "UPDATE bundle SET library_digest = ?", try SHA256Hasher.digest(of: library).hexadecimal)
            }
            await host.connect(supply: host.manager)
            return try await host.refusal(code, at: location) { try await host.manager.principal(of: TestHost.shop) }
        }
    }

    @Test("whose library is not the one that was sealed is refused before anything else is looked at")
    func changed() async throws {
        var library = try #require(SamplePackage.dummy)
        library[library.count - 1] ^= 1
        let error = try await damage(library, .sealBroken, isSealed: false)
        #expect(error.detail == "libSample.so is not the file that was sealed")
    }

    @Test("whose library was cut short on the disk is refused, and the process lives")
    func cut() async throws {
        let whole = try await Self.one.value
        // Half of what is loaded, and more of the file than is loaded, are there in turn.
        for size in [0, 63, 64, 4096, 16384, whole.count / 4] {
            let error = try await damage(Array(whole.prefix(size)), .libraryUnloadable)
            #expect(error.problems.count == 1, "\(error)")
        }
    }

    @Test("whose library was changed for one of another machine is refused as that, and not as missing")
    func otherMachine() async throws {
        var library = try #require(SamplePackage.dummy)
        library.replaceSubrange(18..<20, with: [243, 0])
        let error = try await damage(library, .libraryIncompatible)
        #expect(error.problems[0].hasPrefix("it is built for riscv, this host is "), "\(error)")
    }

    @Test("whose library is of another system now, or takes more memory than any, is refused as that")
    func otherSystem() async throws {
        var library = try #require(SamplePackage.dummy)
        library[7] = 9
        let system = try await damage(library, .libraryUnloadable)
        #expect(system.problems.map { $0.contains("its header is of another system than this one") } == [true])
        library[7] = 0
        library.write(UInt64(1) << 33, at: try #require(library.programHeaders(1).last) + 40)
        let memory = try await damage(library, .libraryUnloadable)
        #expect(memory.problems.map { $0.contains("bytes of memory, 4294967296 allowed") } == [true])
    }

    @Test("whose library is of another Core or compiler now is refused before any of its code runs")
    func otherCore() async throws {
        try await withFolder { folder in
            let trace = folder.appending("ran")
            let source = """
                #include <fcntl.h>
                __attribute__((constructor)) static void run(void) { creat("\(trace)", 0600); }
                const void *plugin_entry_v1(void) { return NULL; }
                """
            let sound = try library(ofC: source)
            let owner = try #require(sound.firstRange(of: Array("Atrium\0\0".utf8))).upperBound
            for place in [owner, owner + 24] {
                var changed = sound
                changed[place] ^= 0x40
                let error = try await damage(changed, .libraryIncompatible)
                #expect(error.problems.count == 1 && error.problems[0].hasPrefix("it was built "), "\(error)")
            }
            #expect(!trace.exists)
            // As it is, it runs.
            _ = try await damage(sound, .libraryIncompatible)
            #expect(trace.exists)
        }
    }

    @Test("whose library uses names that this host no longer has is refused with all of them")
    func names() async throws {
        let error = try await damage(
            library(ofC: "int one(void), two(void); int plugin_entry_v1(void) { return one() + two(); }"),
            .libraryUnloadable)
        #expect(
            error.problems.map { $0.prefix { $0 != "," } } == ["nobody defines one", "nobody defines two"], "\(error)")
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

    @Test("finds parts of Swift's runtime that no plugin has needed before")
    func runtime() async throws {
        try await withHost { host in
            try host.offer(
                SamplePackage(
                    library: await library(
                        ofSwift: """
                            import Distributed
                            import PluginCore
                            import RegexBuilder
                            final class Sample: BundleDelegate { init() {} }
                            public func pattern() -> Regex<Substring> { Regex { OneOrMore(.digit) } }
                            @c(plugin_entry_v1)
                            public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Sample.self) }
                            """)))
            try await host.manager.install(TestHost.shop)
            await host.connect(supply: host.manager)
            _ = try await host.manager.principal(of: TestHost.shop)
        }
    }

    @Test("whose library has gone is refused, and works once it is back")
    func missing() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(library: await Self.one.value))
            let bundle = try await host.manager.install(TestHost.shop).bundle
            await host.connect(supply: host.manager)
            let library = host.sandbox.folder(of: bundle.identity, digest: bundle.digest)
                .appending("lib/\(Platform.triple)/libSample.so")
            let bytes = try library.bytes
            try library.remove()
            let error = try await host.refusal(.sealBroken) { try await host.manager.principal(of: TestHost.shop) }
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
            await host.connect(supply: host.manager)
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
            await host.connect(supply: host.manager)
            _ = try await host.manager.principal(of: TestHost.shop)
        }
    }

    static let one = Task { try await library(inSwift: "1.0.0") }
    static let two = Task { try await library(inSwift: "2.0.0") }
}
