import PluginCore
@testable import Preflight
import Testing

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
