import PluginCore
@testable import Preflight
import Testing

@Suite("The names of a library", .tags(.medium))
struct LibrarySymbolsTests {
    private static let source = """
        \(LibraryReportTests.entry)
        int other(void);
        int shown(void) { return other(); }
        __attribute__((visibility("hidden"))) int hidden(void) { return 1; }
        static int own(void) { return hidden(); }
        int _reserved(void) { return own(); }
        """

    @Test("Exported and imported names are read, and debug information is measured")
    func names() throws {
        let plain = try #require(LibrarySymbols(try library(ofC: Self.source)))
        #expect(plain.exported == ["plugin_entry_v2", "shown"])
        #expect(plain.imported.contains("other") && !plain.imported.contains("shown"))
        #expect(plain.debugSize == 0)
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
        #expect(LibrarySymbols(bytes)?.exported == ["plugin_entry_v2", "shown"])
    }

    @Test("Swift names are shown as their author wrote them")
    func swiftNames() {
        #expect(LibrarySymbols.swiftName("$s5Money6AmountVMa") == "type metadata accessor for Money.Amount")
        #expect(LibrarySymbols.swiftName("plain_c") == "plain_c")
    }
}

@Suite("The functions of a library", .tags(.medium))
struct FunctionNamesTests {
    private let temporary = TemporaryFolder()
    private var folder: FilePath { temporary.path }

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
