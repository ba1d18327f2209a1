import PluginCore
import Testing
@testable import Preflight

@Suite("Preflight checks of required libraries", .tags(.large))
struct NeedsTests {
    private let temporary = TemporaryFolder()
    private var folder: FilePath { temporary.path }

    private func findings(_ library: [UInt8], _ dependencies: [String: FilePath] = [:]) -> [LibraryFinding] {
        LibraryPreflight.validate(library, named: "libSample.so", dependencies: LibraryDependencies(dependencies))
            .findings
    }

    @Test("A library that requires an unavailable library or a private library of the host is rejected")
    func missing() async throws {
        try await withFolder { folder in
            let other = folder.appending("libOther.so")
            try other.write(try library(ofC: "int other(void) { return 1; }", "-Wl,-soname,libOther.so"))
            let uses = try library(
                ofC: "int other(void); int use(void) { return other(); }\n" + LibraryReportTests.entry, other.string)
            let found = findings(uses)
            #expect(found.map(\.rule) == [.neededLibrary, .undefinedSymbol])
            #expect(found[0].what == ErrorReason("libraryNotProvided", ["library": "libOther.so"]))
            // The same library is accepted if a declared dependency provides what it needs.
            #expect(findings(uses, ["libOther.so": other]) == [])
        }
        // The host itself uses libcrypto, but it isn't part of what plugins may link.
        let crypto = try library(ofC: LibraryReportTests.entry, "-Wl,--no-as-needed", "-l:libcrypto.so.3")
        #expect(findings(crypto).map(\.subject) == ["libcrypto.so.3"])
    }

    @Test("A library that uses a private library of the host is rejected, although the loader would find it")
    func privateSymbol() throws {
        let source = "extern int EVP_sha256(void); int use(void) { return EVP_sha256(); }\n" + LibraryReportTests.entry
        let found = findings(try library(ofC: source))
        #expect(found.map(\.what) == [ErrorReason("symbolUndefined", ["symbol": "EVP_sha256"])])
    }

    @Test(
        "A library that uses another one without being linked with it is rejected, and told what to link",
        arguments: [("$s6SQLite0A5ErrorVMa", "SQLite"), ("other", "Other")])
    func unlinked(symbol: String, name: String) async throws {
        let other = folder.appending("libOther.so")
        try other.write(try library(ofC: "int other(void) { return 1; }", "-Wl,-soname,libOther.so"))
        let source = "int it(void) __asm__(\"\(symbol)\"); int use(void) { return it(); }\n"
        let found = findings(try library(ofC: source + LibraryReportTests.entry), ["libOther.so": other])
        #expect(found.map(\.rule) == [.unlinkedLibrary] && found.map(\.subject) == ["lib\(name).so"], "\(found)")
        let setting = ".linkedLibrary(\"\(name)\")"
        #expect(found.map(\.remedy) == [ErrorReason("linkLibrary", ["setting": .text(setting)])])
    }

    @Test("A library may use a library of another bundle that one it is linked with needs")
    func indirect() async throws {
        let (deep, other) = (folder.appending("libDeep.so"), folder.appending("libOther.so"))
        try deep.write(try library(ofC: "int deep(void) { return 1; }", "-Wl,-soname,libDeep.so"))
        try other.write(
            try library(
                ofC: "int deep(void); int other(void) { return deep(); }", "-Wl,-soname,libOther.so", deep.string))
        let source = "int other(void), deep(void); int use(void) { return other() + deep(); }\n"
        let uses = try library(
            ofC: source + LibraryReportTests.entry, "-Wl,--allow-shlib-undefined",
            "-Wl,--unresolved-symbols=ignore-all",
            other.string)
        #expect(findings(uses, ["libOther.so": other, "libDeep.so": deep]) == [])
    }

    @Test(
        "Libraries that Core, SQLite, Swift and the C library provide are accepted",
        arguments: ["-lm", "-lpthread", "-l:libstdc++.so.6", "-l:libgcc_s.so.1", "-l:libdl.so.2"])
    func offered(option: String) throws {
        let found = findings(try library(ofC: LibraryReportTests.entry, "-Wl,--no-as-needed", option))
        #expect(found == [], "\(found)")
    }

    @Test("Undefined symbols are reported demangled, at most eight of them, with a count of the others")
    func undefined() async throws {
        let names = (0..<20).map { "$s10PluginCore4NewsV5item\(Character(UnicodeScalar(UInt8(97 + $0))))SivgZ" }
        let declarations = names.enumerated().map { "extern int n\($0)(void) __asm__(\"\($1)\");\n" }.joined()
        let calls = names.indices.map { "n\($0)()" }.joined(separator: "+")
        let found = findings(
            try library(ofC: declarations + "int use(void) { return \(calls); }\n" + LibraryReportTests.entry))
        #expect(found.count == 9)
        #expect(
            found[0].what
                == ErrorReason(
                    "symbolUndefinedSwift",
                    ["name": "static PluginCore.News.itema.getter : Swift.Int", "symbol": .text(names[0])]))
        #expect(found[0].remedy == ErrorReason("rebuildOlder"))
        #expect(found[8].what == ErrorReason("symbolsUndefined", ["count": 12]))
    }

    @Test("An undefined weak symbol is accepted")
    func weak() throws {
        let source = "int nobody(void) __attribute__((weak)); int use(void) { return nobody ? nobody() : 0; }\n"
        #expect(findings(try library(ofC: source + LibraryReportTests.entry)) == [])
    }

    @Test("A library that needs an unavailable version of a system library is rejected with that version")
    func version() throws {
        var bytes = try library(ofC: "#include <stdio.h>\nvoid use(void) { puts(\"\"); }\n" + LibraryReportTests.entry)
        let range = try #require(bytes.firstRange(of: Array("GLIBC_2.2.5\0".utf8)))
        bytes.replaceSubrange(range, with: Array("GLIBC_9.2.5\0".utf8))
        // The loader looks the version up by this hash.
        let table = Int(bytes.integer(UInt64.self, at: try bytes.dynamicEntry(0x6FFF_FFFE) + 8))
        let entry = table + Int(bytes.integer(UInt32.self, at: table + 8))
        #expect(bytes.integer(UInt32.self, at: entry) == 0x0969_1A75)
        bytes.write(UInt32(0x0968_1A75), at: entry)
        let found = findings(bytes)
        #expect(
            found.map(\.what) == [ErrorReason("versionUndefined", ["version": "GLIBC_9.2.5", "library": "libc.so.6"])])
    }

    @Test(
        "A required library whose name isn't ASCII never matches a similar name",
        arguments: ["\u{212A}it", "../\u{301}x", "\u{FF}"])
    func lookAlike(name: String) async throws {
        let other = folder.appending("libKit.so")
        try other.write(try library(ofC: "int other;", "-Wl,-soname,lib\(name).so"))
        let uses = try library(ofC: LibraryReportTests.entry, "-Wl,--no-as-needed", other.string)
        let found = findings(uses, ["libKit.so": other])
        #expect(
            found.map(\.what) == [
                ErrorReason("libraryMalformed", ["problem": .reason(ErrorReason("elfNameNotASCII"))])
            ])
    }

    @Test("A library that needs versions of a library it doesn't require is rejected, because the loader would crash")
    func versionOfNobody() throws {
        // The entry that names the required library is removed; the version requirements stay.
        var bytes = try library(ofC: "#include <stdio.h>\nvoid use(void) { puts(\"\"); }\n" + LibraryReportTests.entry)
        #expect(findings(bytes) == [])
        try bytes.removeDynamicEntry(tag: 1)
        let found = findings(bytes)
        let problem = ErrorReason("elfVersionsOfUnlinked", ["library": "libc.so.6"])
        #expect(found.map(\.what) == [ErrorReason("libraryMalformed", ["problem": .reason(problem)])], "\(found)")
    }

    @Test(
        "Library search paths outside the bundle are rejected and those inside are accepted",
        arguments: [
            ("/opt/swift/lib", ["/opt/swift/lib"]), ("$ORIGIN", []), ("${ORIGIN}/more", []),
            ("$ORIGIN/../lib:$ORIGIN", ["$ORIGIN/../lib"]), ("lib", ["lib"]), ("$ORIGINAL", ["$ORIGINAL"]),
            ("/a:/b", ["/a", "/b"]), ("$ORIGIN:", [""]), ("$ORIGIN/$LIB", ["$ORIGIN/$LIB"]),
            ("$ORIGIN/../\u{301}x", ["$ORIGIN/../\u{301}x"]), ("$ORIGIN/x:\u{301}tmp", ["\u{301}tmp"]),
        ], ["--enable-new-dtags", "--disable-new-dtags"])
    func searchPath(path: (String, [String]), kind: String) throws {
        let found = findings(try library(ofC: LibraryReportTests.entry, "-Wl,\(kind),-rpath,\(path.0)"))
        #expect(found.map(\.subject) == path.1 && found.allSatisfy { $0.rule == .searchPath })
    }

    @Test(
        "Packing removes foreign library search paths and preserves the bundle's own",
        arguments: [
            ("/opt/swift/lib", []), ("/opt/swift/lib:$ORIGIN", ["$ORIGIN"]), ("$ORIGIN", ["$ORIGIN"]),
            ("/a:$ORIGIN/x:$ORIGIN", ["$ORIGIN/x", "$ORIGIN"]), ("$ORIGIN:/a", []),
        ], ["--enable-new-dtags", "--disable-new-dtags"])
    func removed(path: (String, [String]), kind: String) async throws {
        let built = try library(ofC: LibraryReportTests.entry, "-Wl,\(kind),-rpath,\(path.0)")
        let packed = SearchPath.removingForeign(from: built)
        let report = LibraryPreflight.validate(packed)
        #expect(report.findings == [] && report.facts.searchPath == path.1)
        #expect(packed.count == built.count)
        #expect(SearchPath.removingForeign(from: packed) == packed)
    }

    @Test("Removing foreign search paths preserves the bundle's own paths after one that isn't UTF-8")
    func noUTF8() throws {
        var built = try library(ofC: LibraryReportTests.entry, "-Wl,-rpath,/opt/lib:$ORIGIN")
        let folder = try #require(built.firstRange(of: Array("/opt/lib:".utf8)))
        built[folder.lowerBound + 2] = 0xFF
        let report = LibraryPreflight.validate(SearchPath.removingForeign(from: built))
        #expect(report.findings == [] && report.facts.searchPath == ["$ORIGIN"])
    }

    @Test("Removing foreign search paths doesn't change a library that cannot be read")
    func unreadable() throws {
        let built = try library(ofC: LibraryReportTests.entry, "-Wl,-rpath,/opt")
        let cut = Array(built.prefix(500))
        #expect(SearchPath.removingForeign(from: cut) == cut)
    }
}
