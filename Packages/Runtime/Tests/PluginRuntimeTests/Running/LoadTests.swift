import BundleFormat
@testable import Registry
import PluginCore
@testable import PluginRuntime
import SQLite
import Testing
@testable import HostSystem

@Suite("Loading bundles", .tags(.large))
struct LoadTests {
    private let host = TestHost()

    /// Installs a valid bundle and then replaces its library on disk.
    ///
    /// - Parameter isSealed: `true` to update the registry's digest, so that other faults are found.
    private func damage(
        _ library: [UInt8], _ code: AtriumError.Code, isSealed: Bool = true,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> AtriumError {
        let host = TestHost()
        let bundle = try await host.install(SamplePackage())
        let path = host.sandbox.folder(of: bundle)
            .appending("lib/\(Platform.triple)/libSample.so")
        try path.remove()
        try path.write(library)
        if isSealed {
            try host.database().execute(
                "UPDATE bundle SET json = json_set(json, '$.seal.libraryDigest', ?)", try ContentDigest.of(library))
        }
        return try await host.refusal(code, at: location) { try await host.manager.principal(of: .shop) }
    }

    @Test("A library that isn't the sealed file is rejected before any other check")
    func changed() async throws {
        var library = try #require(SamplePackage.dummy)
        library[library.count - 1] ^= 1
        let error = try await damage(library, .sealBroken, isSealed: false)
        #expect(error.reason?.description == "fileNotSealed(file: libSample.so)")
    }

    @Test("A truncated library is rejected without a crash")
    func cut() async throws {
        let whole = try await Self.one.value
        // The sizes cut the file before, within and after its loaded parts.
        for size in [0, 63, 64, 4096, 16384, whole.count / 4] {
            let error = try await damage(Array(whole.prefix(size)), .libraryUnloadable)
            #expect(error.problems.count == 1, "\(error)")
        }
    }

    @Test("A library for another Core or compiler is rejected before any of its code runs")
    func otherCore() async throws {
        try await withFolder { folder in
            let trace = folder.appending("ran")
            let source = """
                #include <fcntl.h>
                __attribute__((constructor)) static void run(void) { creat("\(trace)", 0600); }
                const void *plugin_entry_v3(void) { return NULL; }
                """
            let sound = try library(ofC: source)
            let owner = try #require(sound.firstRange(of: Array("Atrium\0\0".utf8))).upperBound
            for place in [owner, owner + 24] {
                var changed = sound
                changed[place] ^= 0x40
                let error = try await damage(changed, .libraryIncompatible)
                #expect(
                    error.problems.count == 1
                        && ["libraryABIDiffers", "libraryCompilerDiffers"].contains {
                            error.problems[0].description.contains($0)
                        }, "\(error)")
            }
            var foreign = sound
            foreign.replaceSubrange(18..<20, with: [243, 0])
            let error = try await damage(foreign, .libraryIncompatible)
            #expect("\(error)".contains("architectureDiffers(architecture: riscv"), "\(error)")
            #expect(!trace.exists)
            // Unchanged, its code runs.
            _ = try await damage(sound, .libraryIncompatible)
            #expect(trace.exists)
        }
    }

    @Test("A library with undefined symbols is rejected with all of them")
    func names() async throws {
        let error = try await damage(
            library(ofC: "int one(void), two(void); int plugin_entry_v3(void) { return one() + two(); }"),
            .libraryUnloadable)
        #expect(
            error.problems.map { $0.values["what"] }
                == ["one", "two"].map { .reason(ErrorReason("symbolUndefined", ["symbol": .text($0)])) }, "\(error)")
    }

    @Test(
        "A library whose entry doesn't fit this host is rejected",
        arguments: [
            ("NULL", "entryNothing"),
            ("&magic", "entryMagic"),
            (
                "&abi",
                "pluginABINewer(abi: \(CoreVersion.abi + 1), core: \(CoreVersion.release), host: \(CoreVersion.abi))"
            ),
            ("&compiler", "compilerDiffers(compiler: another, host: \(CoreVersion.compiler))"),
        ]
    )
    func wrongEntry(entry: String, detail: String) async throws {
        try await host.install(SamplePackage(library: library(inC: entry)))
        // A failed load can be retried.
        for _ in 0..<2 {
            try await host.refusal(.libraryIncompatible, because: detail, of: "com.example.app.shop@1.0.0") {
                try await host.manager.principal(of: .shop)
            }
            #expect(await host.manager.running.activations[.shop] == nil)
        }
    }

    @Test("A plugin can use parts of the Swift runtime that no other plugin has loaded")
    func runtime() async throws {
        try host.offer(
            SamplePackage(
                library: await library(
                    ofSwift: """
                        import Distributed
                        import RegexBuilder
                        final class Sample: BundleDelegate { init(context: BundleContext) {} }
                        public func pattern() -> Regex<Substring> { Regex { OneOrMore(.digit) } }
                        """)))
        try await host.manager.install(.shop)
        _ = try await host.manager.principal(of: .shop)
    }

    @Test("A missing library fails the load, and loading works once the file is back")
    func missing() async throws {
        let bundle = try await host.install(SamplePackage(library: await Self.one.value))
        let library = host.sandbox.folder(of: bundle)
            .appending("lib/\(Platform.triple)/libSample.so")
        let bytes = try library.bytes
        try library.remove()
        let error = try await host.refusal(.sealBroken) { try await host.manager.principal(of: .shop) }
        #expect(error.reason == ErrorReason("noFileAt", ["path": "\(library)"]))
        try library.write(bytes)
        _ = try await host.manager.principal(of: .shop)
        #expect(await host.manager.running.activations[.shop] != nil)
    }

    @Test("A bundle without code cannot be loaded, but its resources are available")
    func assets() async throws {
        try await host.install(SamplePackage(kind: "assets", library: nil, files: ["Resources/a.txt": "text"]))
        let error = try await host.refusal(.libraryMissing) { try await host.manager.principal(of: .shop) }
        #expect(error.reason?.description == "bundleWithoutCode")
        #expect(try await host.manager.resources(of: .shop).bytes(of: "a.txt") == Array("text".utf8))
    }

    static let one = Task { try await library(inSwift: "1.0.0") }
    static let two = Task { try await library(inSwift: "2.0.0") }
}
