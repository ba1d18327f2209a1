import PluginCore
import Testing
@testable import HostSystem
@testable import Preflight
@testable import Processes

@Suite("Preflight checks of the loader's assumptions, and its limits", .tags(.large))
struct LoaderTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: ErrorReason
        let plant: @Sendable (inout [UInt8]) throws -> Void

        init(
            _ name: String, _ reason: String, of part: String? = nil,
            _ plant: @escaping @Sendable (inout [UInt8]) throws -> Void
        ) {
            (testDescription, self.plant) = (name, plant)
            self.reason = ErrorReason(reason, part.map { ["part": .reason(ErrorReason($0))] } ?? [:])
        }
    }

    /// The tag of a dynamic entry that no loader reads.
    private static let unknown: UInt64 = 0x6FFF_0000

    static let faults = [
        Fault("another system than this one", "elfOtherSystem") { $0[7] = 9 },
        Fault("another version of the system", "elfOtherSystem") { $0[8] = 1 },
        Fault("another version of the format, in its first bytes", "elfUnknownVersion") { $0[6] = 0 },
        Fault("another version of the format", "elfUnknownVersion") { $0.write(UInt32(0), at: 20) },
        Fault("something where nothing is to stand", "elfReservedBytes") { $0[15] = 1 },
        Fault("a flag against opening", "elfNoDlopen") {
            // Replaces the count of relative relocations, which is only an optimization for the loader.
            let entry = try $0.dynamicEntry(0x6FFF_FFF9)
            $0.write(UInt64(0x6FFF_FFFB), at: entry)
            $0.write(UInt64(0x40), at: entry + 8)
        },
        Fault(
            "a dynamic section for readers of the file, and another one in memory", "elfPartElsewhere",
            of: "elfDynamicSection"
        ) {
            let header = try $0.firstHeader(2)
            let start = Int($0.integer(UInt64.self, at: header + 8))
            $0 += $0[start..<start + Int($0.integer(UInt64.self, at: header + 32))]
            $0.write(UInt64($0.count) - $0.integer(UInt64.self, at: header + 32), at: header + 8)
        },
        Fault("a dynamic section beyond its memory", "elfPartUnmapped", of: "elfDynamicSection") {
            $0.write(UInt64(1) << 40, at: try $0.firstHeader(2) + 16)
        },
        Fault("a dynamic section without an end", "elfDynamicNotTerminated") {
            $0.write(UInt64(try $0.dynamicEntries().count - 1) * 16, at: try $0.firstHeader(2) + 32)
        },
        Fault("a dynamic section that ends within an entry, which the loader reads past", "elfDynamicNotTerminated") {
            $0.write(UInt64(try $0.dynamicEntries().count - 3) * 16 + 11, at: try $0.firstHeader(2) + 32)
        },
        Fault("a read-only section", "elfDynamicReadOnly") { $0.write(UInt32(4), at: try $0.lastSegment() + 4) },
        Fault("two dynamic sections", "elfHeaderTwice") {
            let (one, other) = (try $0.firstHeader(2), try $0.firstHeader(0x6474_E550))
            $0.replaceSubrange(other..<other + 56, with: $0[one..<one + 56])
        },
        Fault("a place in the file that is not its place on the page", "elfSegmentUnmappable") {
            // Adds a segment in place of a header that no loader needs.
            let (other, last) = (try $0.firstHeader(0x6474_E550), try $0.lastSegment())
            let end = $0.integer(UInt64.self, at: last + 16) + $0.integer(UInt64.self, at: last + 40)
            let fields = [1 | 4 << 32, 0, (end + 0x1FFF) & ~0xFFF + 8, 0, 16, 16, 8] as [UInt64]
            for (number, field) in fields.enumerated() { $0.write(field, at: other + 8 * number) }
        },
        Fault("other versions", "elfVersionsInconsistent") { $0.write(UInt16(2), at: try $0.table(0x6FFF_FFFE)) },
        Fault("a version that is not found by its hash", "elfVersionsInconsistent") {
            let table = try $0.table(0x6FFF_FFFE)
            $0[table + Int($0.integer(UInt32.self, at: table + 8))] ^= 1
        },
        Fault("two segments on a page", "elfSharedPage") {
            let next = try $0.lastSegment()
            $0.write($0.integer(UInt64.self, at: next + 16) & ~0xFFF + 1, at: try $0.firstHeader(1) + 40)
        },
        Fault("writable code", "elfWritableCode") { $0.write(UInt32(7), at: try $0.firstHeader(1) + 4) },
        Fault("code on it", "elfExecutableStack") { $0.write(UInt32(7), at: try $0.firstHeader(0x6474_E551) + 4) },
        Fault("no word of it", "elfExecutableStack") { $0.write(UInt32(0), at: try $0.firstHeader(0x6474_E551)) },
        Fault("relocated code", "elfTextRelocations") { $0.write(UInt64(22), at: try $0.dynamicEntry(12)) },
        Fault("an initializer that is no code", "elfInitializerNotCode") {
            $0.write(UInt64(try $0.table(25)), at: try $0.dynamicEntry(12) + 8)
        },
        Fault("initializers beyond its memory", "elfPartUnmapped", of: "elfInitializers") {
            $0.write(UInt64(1) << 40, at: try $0.dynamicEntry(25) + 8)
        },
        Fault("initializers without a number", "elfPartIncomplete", of: "elfInitializers") {
            $0.write(unknown, at: try $0.dynamicEntry(27))
        },
        Fault("relocations of no size", "elfPartIncomplete", of: "elfRelocationTable") {
            $0.write(unknown, at: try $0.dynamicEntry(9))
        },
        Fault("versions of libraries, and none of symbols", "elfVersionsInconsistent") {
            $0.write(unknown, at: try $0.dynamicEntry(0x6FFF_FFF0))
        },
        Fault("a symbol of a version that there is not", "elfVersionsInconsistent") {
            $0.write(UInt16(0x7FFF), at: try $0.table(0x6FFF_FFF0) + 2)
        },
        Fault("a symbol that is not found by its hash", "elfSymbolNotHashed") {
            let table = try $0.table(0x6FFF_FEF5)
            let (buckets, filters) = ($0.integer(UInt32.self, at: table), $0.integer(UInt32.self, at: table + 8))
            $0[table + 16 + Int(filters) * 8 + Int(buckets) * 4 + 1] ^= 1
        },
        Fault("a relocation of what is not its own", "elfRelocationsInconsistent") {
            $0.write(UInt64(1) << 40, at: try $0.table(7))
        },
        Fault("a relocation of its dynamic section", "elfRelocationsInconsistent") {
            $0.write($0.integer(UInt64.self, at: try $0.firstHeader(2) + 16), at: try $0.table(7))
        },
        Fault("a relocation of a symbol that there is not", "elfRelocationsInconsistent") {
            $0.write(UInt32(1) << 20, at: try $0.table(23) + 12)
        },
        Fault("what is written once, elsewhere", "elfReadOnlyPartOutside") {
            $0.write(UInt64(1) << 40, at: try $0.firstHeader(0x6474_E552) + 16)
        },
    ]

    /// Returns a library that uses every table the loader reads and, depending on the options, runs no initializers.
    private static func sample(_ options: String...) throws -> [UInt8] {
        try library(
            ofC: """
                #include <stdio.h>
                #include <errno.h>
                __thread int mine = 7;
                static __thread int own[4];
                static const char *const words[] = { "one", "two" };
                int (*out)(const char *) = puts;
                const void *plugin_entry_v3(void) {
                    puts(words[errno & 1]);
                    own[mine & 3] = errno;
                    return &words[own[0] & 1];
                }
                """, options: options)
    }

    @Test("A malformed library that would crash or mislead the loader is rejected", arguments: faults)
    func fault(_ fault: Fault) throws {
        var library = try Self.sample()
        #expect(LibraryPreflight.validate(library).findings == [])
        try fault.plant(&library)
        let found = LibraryPreflight.validate(library).findings
        #expect(found.map(\.what) == [ErrorReason("libraryMalformed", ["problem": .reason(fault.reason)])], "\(found)")
    }

    @Test("Libraries of every linker are accepted", arguments: ["gold", "lld", "bfd"])
    func linkers(name: String) throws {
        for options in [[], ["-O2", "-Wl,-z,relro,-z,now"], ["-Wl,--hash-style=both"], ["-Wl,--build-id"]] {
            let library = try library(ofC: NeedsTests.entry, options: ["-fuse-ld=\(name)"] + options)
            #expect(LibraryPreflight.validate(library).findings == [], "\(options)")
        }
        let relative = ["-fuse-ld=lld", "-Wl,-z,pack-relative-relocs"]
        guard name == "lld" else { return }
        let pointers = "#include <stdio.h>\nstatic int a[9]; void *b[] = {a, a + 1, puts};" + NeedsTests.entry
        let packed = try library(ofC: pointers, options: relative)
        #expect(LibraryPreflight.validate(packed).findings == [])
        // A loader without support for packed relocations would skip them, so the library must declare that it needs
        // the support.
        let silent = try library(ofC: pointers, options: ["-fuse-ld=lld", "-Wl,--pack-dyn-relocs=relr"])
        #expect(
            LibraryPreflight.validate(silent).findings.map(\.what)
                == [ErrorReason("libraryMalformed", ["problem": .reason(ErrorReason("elfRelocationsPacked"))])])
    }

    @Test("Preflight ignores section headers")
    func sections() throws {
        var library = try Self.sample()
        let sound = LibraryPreflight.validate(library)
        let table = Int(library.integer(UInt64.self, at: 40))
        for index in table..<library.count where index % 64 >= 24 { library[index] = 0 }
        #expect(LibraryPreflight.validate(library).findings == [])
        #expect(LibraryPreflight.validate(library).facts == sound.facts)
    }

    @Test(
        "A randomly damaged library has a bounded number of findings, or neither crashes the loader nor fails to open",
        .timeLimit(.minutes(15)))
    func survived() throws {
        try withFolderNow { folder in
            let sound = try Self.sample("-nostartfiles")
            let opener = try Self.opener(in: folder)
            var random = Steps(state: 0x5EED)
            var files: [String] = []
            let entries = try sound.dynamicEntries()
            for number in 0..<3000 {
                var library = sound
                // Covers the first bytes one by one.
                if number % 16 == 0 { library[number / 16 % 24] = .random(in: 0...10, using: &random) }
                for _ in 0..<Int.random(in: 1...3, using: &random) { Self.damage(&library, of: entries, &random) }
                // Initializers run the plugin's own code, which the preflight does not check.
                let report = LibraryPreflight.validate(library)
                #expect(report.findings.count < 64 && report.facts.needed.count < 1024)
                #expect(SearchPath.removingForeign(from: library).count == library.count)
                guard !entries.contains(where: { [12, 25].contains(library.integer(UInt64.self, at: $0)) }),
                    report.isLoadable
                else { continue }
                let file = folder.appending("\(number).so")
                try file.write(library)
                files.append(file.string)
            }
            // Ensures that enough libraries pass.
            #expect((100..<2900).contains(files.count), "\(files.count)")
            try run([opener.string] + files)
        }
    }

    /// Builds a program that opens each library in its own process and fails if one of them crashes or doesn't open.
    private static func opener(in folder: FilePath) throws -> FilePath {
        let (source, program) = (folder.appending("open.c"), folder.appending("open"))
        try source.write(
            """
            #include <dlfcn.h>
            #include <stdio.h>
            #include <string.h>
            #include <sys/wait.h>
            #include <unistd.h>
            int main(int count, char **names) {
                int died = 0;
                for (int index = 1; index < count; index++) {
                    pid_t child = fork();
                    if (child == 0) {
                        alarm(20);
                        void *library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
                        if (library) dlsym(library, "plugin_entry_v3");
                        const char *error = library ? "" : dlerror();
                        // The preflight does not check which version of a symbol a library defines.
                        if (strstr(error, "undefined symbol: ") && strstr(error, ", version ")) _exit(0);
                        if (!library) fprintf(stderr, "%s\\n", error);
                        _exit(library ? 0 : 1);
                    }
                    int status = 0;
                    waitpid(child, &status, 0);
                    if (status != 0 && ++died) fprintf(stderr, "%s ended with %x\\n", names[index], status);
                }
                return died > 0;
            }
            """)
        try run("clang", source.string, "-o", program.string, "-ldl")
        return program
    }

    /// Changes one number that the loader reads.
    ///
    /// - Parameter entries: The offsets of the dynamic section's entries.
    private static func damage(_ library: inout [UInt8], of entries: [Int], _ random: inout Steps) {
        let header = 64
        let place: Int
        var width = 8
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<3:
            let number = Int.random(in: 0..<9, using: &random)
            place = header + number * 56 + 8 * Int.random(in: 0..<7, using: &random)
        case 3..<6:
            place = (entries.randomElement(using: &random) ?? 0) + 8 * Int.random(in: 0...1, using: &random)
        default:
            // The address of a read-only table is also its file offset.
            let tags: Set<UInt64> = [4, 7, 23, 0x6FFF_FEF5, 0x6FFF_FFF0, 0x6FFF_FFFC, 0x6FFF_FFFE]
            let tables = entries.filter { tags.contains(library.integer(at: $0)) }
            let table =
                tables.randomElement(using: &random).map {
                    Int(truncatingIfNeeded: library.integer(UInt64.self, at: $0 + 8))
                } ?? 0
            place = table &+ 2 * Int.random(in: 0..<48, using: &random)
            width = [2, 4, 8].randomElement(using: &random) ?? 2
        }
        guard place >= 0, place <= library.count - 8 else { return }
        let old = library.integer(UInt64.self, at: place)
        let other = library.integer(UInt64.self, at: header + 8 * Int.random(in: 0..<49, using: &random))
        let values = [
            0, 1, old &+ 1, old &- 1, old &+ 8, old &- 8, old &+ 4096, old &- 4096,
            old ^ 1 << UInt64.random(in: 0..<64, using: &random),
            old &* 2, other, .max, .max &- 15, UInt64.random(in: 0..<1 << 16, using: &random), 1 << 40,
        ]
        let value = values.randomElement(using: &random) ?? 0
        switch width {
        case 2: library.write(UInt16(truncatingIfNeeded: value), at: place)
        case 4: library.write(UInt32(truncatingIfNeeded: value), at: place)
        default: library.write(value, at: place)
        }
    }

    struct Excess: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: String
        let library: @Sendable () throws -> [UInt8]

        init(_ name: String, _ reason: String, _ library: @escaping @Sendable () throws -> [UInt8]) {
            (testDescription, self.reason, self.library) = (name, reason, library)
        }
    }

    private static func sample(_ change: (inout [UInt8]) throws -> Void) throws -> [UInt8] {
        var library = try library(ofC: NeedsTests.entry)
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
            return try library(ofC: NeedsTests.entry, "-Wl,-rpath,\(folders)")
        },
        Excess("in memory", "elfMemoryTooLarge(limit: 4294967296") {
            try sample { $0.write(UInt64(1) << 40, at: try #require($0.programHeaders(1).last) + 40) }
        },
    ]

    @Test("Examining an excessive library stops within a limit by its size and names the excess", arguments: excesses)
    func excess(_ excess: Excess) throws {
        let library = try excess.library()
        let validator = LibraryValidator(MappedFile(copying: library), named: "libSample.so", .none)
        var findings: [LibraryFinding] = []
        let time = processorTime { findings = validator.validated().findings }
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
            let found = validator.validated().findings.first { $0.rule == .unreadable }
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
            let findings = validator.validated().findings
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
                ofC: "extern int wanted __asm__(\"\(name)\"); int *use = &wanted;" + NeedsTests.entry)
            let found = LibraryPreflight.validate(library).findings
            #expect(found.map(\.what) == [ErrorReason("symbolUndefined", ["symbol": .text(name)])])
        }
        #expect(Demangling.swiftName(of: "$s10PluginCore9MediatingP") == "PluginCore.Mediating")
    }
}
