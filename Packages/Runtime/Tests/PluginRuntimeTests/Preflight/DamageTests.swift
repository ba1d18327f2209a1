import Glibc
import PluginCore
import PluginRuntime
import Testing
@testable import Preflight

@Suite("Names and functions of a library, and damaged files", .tags(.medium))
struct DamageTests {
    @Test("A library that is truncated at any size is rejected as truncated")
    func truncated() async throws {
        for library in [try await LoadTests.one.value, try #require(SamplePackage.dummy)] {
            for size in stride(from: 64, to: library.count, by: 64) {
                let findings = LibraryPreflight.validate(library.prefix(size)).findings
                #expect(findings.contains { $0.rule == .truncated }, "at \(size) of \(library.count): \(findings)")
                #expect(
                    findings.contains { $0.what.name == "libraryTruncated" && $0.what.values["size"] == .integer(size) }
                )
            }
            for size in 1..<64 {
                let findings = LibraryPreflight.validate(library.prefix(size)).findings
                #expect(findings.count == 1 && findings[0].rule == .truncated, "at \(size): \(findings)")
            }
        }
    }

    @Test("Examining a randomly damaged library ends with few enough findings", arguments: 0..<8 as Range<UInt64>)
    func mutated(seed: UInt64) async throws {
        var random = Steps(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        let sound = try #require(SamplePackage.dummy)
        // The tables that are read are at the start and the section headers at the end.
        let places = Array(0..<min(4096, sound.count)) + Array(max(0, sound.count - 4096)..<sound.count)
        var (sane, refused) = (0, 0)
        for _ in 0..<1500 {
            var library = sound
            for _ in 0...Int.random(in: 0..<6, using: &random) {
                let place = places.randomElement(using: &random) ?? 0
                let end = min(place + Int.random(in: 1...8, using: &random), library.count)
                switch Int.random(in: 0..<8, using: &random) {
                case 0..<3 where place < end: library[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 3..<5 where place < end: library[place] = .random(in: 0...255, using: &random)
                case 5..<7 where place < end:
                    let extremes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF]
                    for index in place..<end { library[index] = extremes.randomElement(using: &random) ?? 0 }
                case 7: library.removeLast(Int.random(in: 0...min(64, library.count), using: &random))
                default: break
                }
            }
            let report = LibraryPreflight.validate(library)
            #expect(report.findings.count < 64 && report.facts.needed.count < 1024)
            #expect(SearchPath.removingForeign(from: library).count == library.count)
            if report.isLoadable { sane += 1 } else { refused += 1 }
        }
        // Ensures that both outcomes were exercised.
        #expect(sane > 100 && refused > 100, "\(sane) \(refused)")
    }

    @Test("A folder, a pipe, a symbolic link or a missing file is rejected without blocking")
    func noFile() throws {
        try withFolderNow { folder in
            let (pipe, link, file) = (folder.appending("pipe"), folder.appending("link"), folder.appending("file"))
            #expect(mkfifo(pipe.string, 0o600) == 0)
            try file.write(try #require(SamplePackage.dummy))
            #expect(symlink(file.string, link.string) == 0)
            for path in [folder, pipe, link] {
                let findings = LibraryPreflight.validate(path).findings
                #expect(findings.map(\.what) == [ErrorReason("notRegularFileAt", ["path": "\(path)"])])
            }
            let missing = folder.appending("missing")
            let refusal = try #require(LibraryPreflight.validate(missing).refusal(of: "shop"))
            #expect(
                refusal.code == .libraryMissing && refusal.reason == ErrorReason("noFileAt", ["path": "\(missing)"]))
            #expect(LibraryPreflight.validate(file).isLoadable)
        }
    }

    private static let source = """
        \(NeedsTests.entry)
        int other(void);
        int shown(void) { return other(); }
        __attribute__((visibility("hidden"))) int hidden(void) { return 1; }
        static int own(void) { return hidden(); }
        int _reserved(void) { return own(); }
        """

    @Test("Exported and imported names are read, Swift names are demangled, and debug information is measured")
    func names() throws {
        let plain = try #require(LibrarySymbols(try library(ofC: Self.source)))
        #expect(plain.exported == ["plugin_entry_v3", "shown"])
        #expect(plain.imported.contains("other") && !plain.imported.contains("shown"))
        #expect(LibrarySymbols.swiftName("$s5Money6AmountVMa") == "type metadata accessor for Money.Amount")
        #expect(LibrarySymbols.swiftName("plain_c") == "plain_c" && plain.debugSize == 0)
        #expect(try #require(LibrarySymbols(try library(ofC: Self.source, "-g"))).debugSize > 100)
    }

    @Test("A file that is not a sound library has no names")
    func unsound() throws {
        let content = try library(ofC: Self.source)
        #expect(LibrarySymbols([]) == nil && LibrarySymbols(content.prefix(200)) == nil)
        // Without its section headers, which no loader reads, a library has no debug information.
        var bytes = content
        bytes.replaceSubrange(40..<48, with: repeatElement(0, count: 8))
        bytes.replaceSubrange(60..<64, with: repeatElement(0, count: 4))
        #expect(LibrarySymbols(bytes)?.exported == ["plugin_entry_v3", "shown"])
    }

    @TemporaryFolder private var folder

    @Test("A file that is not a library has no functions")
    func invalid() async throws {
        let path = folder.appending("library.so")
        for text in ["", "\u{7F}ELF", String(repeating: "\u{7F}ELF\u{2}\u{1}\u{1}", count: 40)] {
            try path.write(text)
            #expect(FunctionNames(ofLibrary: path) == nil)
        }
        #expect(FunctionNames(ofLibrary: folder) == nil)
        #expect(FunctionNames(ofLibrary: folder.appending("missing")) == nil)
    }

    @Test("A truncated library, or one with altered bytes, is read without harm")
    func damaged() async throws {
        let bytes = try SampleLibrary().built(answering: 1)
        let path = folder.appending("library.so")
        try path.write(bytes)
        let names = try #require(FunctionNames(ofLibrary: path))
        let found = (0..<UInt64(bytes.count)).lazy.compactMap { names.function(at: $0)?.name }
        #expect(found.contains("answer"))
        for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 200)) {
            var damaged = bytes
            damaged[place] ^= 0xFF
            try path.write(damaged)
            _ = FunctionNames(ofLibrary: path)?.function(at: UInt64(place))
            try path.write(Array(bytes.prefix(place)))
            _ = FunctionNames(ofLibrary: path)?.function(at: UInt64(place))
        }
    }
}
