import PluginCore
import Testing

@testable import Preflight
@testable import HostSystem

/// Libraries of a few kilobytes whose examination would take hours or exhaust the memory.
@Suite("Preflight limits for excessive libraries", .tags(.large))
struct BoundTests {
    struct Excess: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: String
        let library: @Sendable () throws -> [UInt8]

        init(_ name: String, _ reason: String, _ library: @escaping @Sendable () throws -> [UInt8]) {
            (testDescription, self.reason, self.library) = (name, reason, library)
        }
    }

    private static func sample(_ change: (inout [UInt8]) throws -> Void) throws -> [UInt8] {
        var library = try library(ofC: LibraryReportTests.entry)
        try change(&library)
        return library
    }

    /// Returns a library with type symbols of 16 modules and many symbols that share one long name.
    private static func names(_ count: Int, of size: Int) -> [UInt8] {
        var texts = [0] + Array("$s".utf8) + [UInt8](repeating: UInt8(ascii: "1"), count: size - 2) + [0]
        var names: [Int] = []
        for letter in UInt8(ascii: "A")..<UInt8(ascii: "Q") {
            names.append(texts.count)
            texts += Array("$s1".utf8) + [letter] + Array("Mn".utf8) + [0]
        }
        return CraftedLibrary(texts: texts, names: names + [Int](repeating: 1, count: count)).bytes
    }

    static let excesses = [
        Excess("in program headers", "elfTooManyProgramHeaders(count: 1000, limit: 64)") {
            CraftedLibrary(emptyHeaders: 996).bytes
        },
        Excess("in the length of a name", "elfSymbolNameTooLong(index: 17, limit: 4096)") { names(126, of: 65_530) },
        Excess("in names that share a text", "part: elfSymbolNames") { names(20_000, of: 4000) },
        Excess("in packed relocations", "part: elfRelativeRelocations") { CraftedLibrary(packed: 4000).bytes },
        Excess("in symbols", "elfHashTableTooLarge(limit: 1048576)") { CraftedLibrary(missingSymbols: 1 << 20).bytes },
        Excess("in entries of the dynamic section", "elfTooManyDynamicEntries(count: 4096, limit: 1024)") {
            try sample { library in
                let header = try #require(library.programHeaders(2).first)
                let last = try #require(library.programHeaders(1).last)
                library += [UInt8](repeating: 0, count: 4096 * 16)
                for header in [header, last] {
                    library.write(UInt64(4096 * 16), at: header + 32)
                    library.write(UInt64(4096 * 16), at: header + 40)
                }
                library.write(library.integer(UInt64.self, at: header + 8), at: last + 8)
                library.write(library.integer(UInt64.self, at: header + 16), at: last + 16)
            }
        },
        Excess("in folders", "elfTooManySearchPaths(count: 300, limit: 256)") {
            let folders = [String](repeating: "$ORIGIN", count: 300).joined(separator: ":")
            return try library(ofC: LibraryReportTests.entry, "-Wl,-rpath,\(folders)")
        },
        Excess("in memory", "elfMemoryTooLarge(limit: 4294967296") {
            try sample { $0.write(UInt64(1) << 40, at: try #require($0.programHeaders(1).last) + 40) }
        },
    ]

    @Test(
        "Examining an excessive library stops within a step limit that its size determines and names the excess",
        arguments: excesses)
    func excess(_ excess: Excess) throws {
        let library = try excess.library()
        let validator = LibraryValidator(MappedFile(copying: library), named: "libSample.so", .none)
        var findings: [LibraryFinding] = []
        let time = processorTime { findings = validator.report().findings }
        let found = findings.first { $0.rule == .unreadable }
        #expect(found?.what.name == "libraryExcessive", "\(findings)")
        #expect(found?.what.description.contains(excess.reason) == true, "\(findings)")
        #expect(validator.work.limit <= 1 << 20 + library.count * 16)
        #expect(validator.work.steps <= validator.work.limit + library.count)
        #expect(time < .seconds(20), "\(time)")
    }

    @Test("Examining a library stops within its limit if looking up names in a dependency is expensive")
    func chain() throws {
        try withFolderNow { folder in
            let names = { (text: String, count: Int) in
                CraftedLibrary(texts: [0] + Array(text.utf8), names: [Int](repeating: 1, count: count)).bytes
            }
            let path = folder.appending("libBase.so")
            try path.write(names("$s1AMo", 20_000))
            let library = MappedFile(copying: names("$s1AMn", 2000))
            let validator = LibraryValidator(library, named: "libSample.so", LibraryDependencies(["libBase.so": path]))
            let found = validator.report().findings.first { $0.rule == .unreadable }
            #expect(found?.what.description.contains("elfTooMuchWork") == true, "\(String(describing: found))")
            #expect(validator.work.steps <= validator.work.limit + 4096)
        }
    }

    @Test("The libraries of this host need at most an eighth of the step limit")
    func real() throws {
        let paths = HostLibraries.current.scope.map(\.path)
        #expect(paths.count > 8)
        for path in paths {
            let file = try MappedFile(path, isLinkFollowed: true)
            let validator = LibraryValidator(file, named: path.lastComponent, .none)
            let findings = validator.report().findings
            #expect(!findings.contains { $0.rule == .unreadable }, "\(path): \(findings)")
            #expect(validator.work.steps < validator.work.limit / 8, "\(path): \(validator.work.steps)")
        }
    }

    @Test("A missing symbol whose demangled name would exhaust the memory is reported in its mangled form")
    func name() throws {
        let deep = (
            start: String(repeating: "SDy", count: 60),
            end: (0..<26).map { "A\(Character(UnicodeScalar(65 + UInt8($0))))G" }.joined()
        )
        let name = "$sSDy\(deep.start)SiSiG\(deep.end)D"
        let many = "$s1A1BVyACyACyACySiGA2000DGA2000EGA2000FGD"
        // The end of a word can also be the start of a substitution.
        let hidden = "$s1A1BVyACyACyACySiGAA2000DGAA2000EGAA2000FGD"
        for name in [name, many, hidden] {
            let library = try library(
                ofC: "extern int wanted __asm__(\"\(name)\"); int *use = &wanted;" + LibraryReportTests.entry)
            let found = LibraryPreflight.validate(library).findings
            #expect(found.map(\.what) == [ErrorReason("symbolUndefined", ["symbol": .text(name)])])
        }
        #expect(Demangling.swiftName(of: "$s10PluginCore9MediatingP") == "PluginCore.Mediating")
    }
}
