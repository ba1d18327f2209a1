import PluginCore
import Testing
@testable import HostSystem
@testable import Preflight

@Suite("Preflight of a library, its required libraries and copied code", .tags(.large))
struct NeedsTests {
    @TemporaryFolder private var folder

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
                ofC: "int other(void); int use(void) { return other(); }\n" + Self.entry, other.string)
            let found = findings(uses)
            #expect(found.map(\.rule) == [.neededLibrary, .undefinedSymbol])
            #expect(found[0].what == ErrorReason("libraryNotProvided", ["library": "libOther.so"]))
            // The same library is accepted if a declared dependency provides what it needs.
            #expect(findings(uses, ["libOther.so": other]) == [])
        }
        // The host itself uses libcrypto, but it isn't part of what plugins may link.
        let crypto = try library(ofC: Self.entry, "-Wl,--no-as-needed", "-l:libcrypto.so.3")
        #expect(findings(crypto).map(\.subject) == ["libcrypto.so.3"])
        // The loader would find its symbols.
        let source = "extern int EVP_sha256(void); int use(void) { return EVP_sha256(); }\n" + Self.entry
        #expect(
            findings(try library(ofC: source)).map(\.what)
                == [ErrorReason("symbolUndefined", ["symbol": "EVP_sha256"])])
    }

    @Test(
        "A library that uses another one without being linked with it is rejected, and told what to link",
        arguments: [("$s6SQLite0A5ErrorVMa", "SQLite"), ("other", "Other")])
    func unlinked(symbol: String, name: String) async throws {
        let other = folder.appending("libOther.so")
        try other.write(try library(ofC: "int other(void) { return 1; }", "-Wl,-soname,libOther.so"))
        let source = "int it(void) __asm__(\"\(symbol)\"); int use(void) { return it(); }\n"
        let found = findings(try library(ofC: source + Self.entry), ["libOther.so": other])
        #expect(found.map(\.rule) == [.unlinkedLibrary] && found.map(\.subject) == ["lib\(name).so"], "\(found)")
        let setting = ".linkedLibrary(\"\(name)\")"
        #expect(found.map(\.remedy) == [ErrorReason("linkLibrary", ["setting": .text(setting)])])
    }

    @Test("A library may use one of another bundle that a library it is linked with needs, and undefined weak symbols")
    func indirect() async throws {
        let (deep, other) = (folder.appending("libDeep.so"), folder.appending("libOther.so"))
        try deep.write(try library(ofC: "int deep(void) { return 1; }", "-Wl,-soname,libDeep.so"))
        try other.write(
            try library(
                ofC: "int deep(void); int other(void) { return deep(); }", "-Wl,-soname,libOther.so", deep.string))
        let source = "int other(void), deep(void); int use(void) { return other() + deep(); }\n"
        let uses = try library(
            ofC: source + Self.entry, "-Wl,--allow-shlib-undefined",
            "-Wl,--unresolved-symbols=ignore-all",
            other.string)
        #expect(findings(uses, ["libOther.so": other, "libDeep.so": deep]) == [])
        let weak = "int nobody(void) __attribute__((weak)); int use(void) { return nobody ? nobody() : 0; }\n"
        #expect(findings(try library(ofC: weak + Self.entry)) == [])
    }

    @Test(
        "Libraries that Core, SQLite, Swift and the C library provide are accepted",
        arguments: ["-lm", "-lpthread", "-l:libstdc++.so.6", "-l:libgcc_s.so.1", "-l:libdl.so.2"])
    func offered(option: String) throws {
        let found = findings(try library(ofC: Self.entry, "-Wl,--no-as-needed", option))
        #expect(found == [], "\(found)")
    }

    @Test("Undefined symbols are reported demangled, at most eight of them, with a count of the others")
    func undefined() async throws {
        let names = (0..<20).map { "$s10PluginCore4NewsV5item\(Character(UnicodeScalar(UInt8(97 + $0))))SivgZ" }
        let declarations = names.enumerated().map { "extern int n\($0)(void) __asm__(\"\($1)\");\n" }.joined()
        let calls = names.indices.map { "n\($0)()" }.joined(separator: "+")
        let found = findings(
            try library(ofC: declarations + "int use(void) { return \(calls); }\n" + Self.entry))
        #expect(found.count == 9)
        #expect(
            found[0].what
                == ErrorReason(
                    "symbolUndefinedSwift",
                    ["name": "static PluginCore.News.itema.getter : Swift.Int", "symbol": .text(names[0])]))
        #expect(found[0].remedy == ErrorReason("rebuildOlder"))
        #expect(found[8].what == ErrorReason("symbolsUndefined", ["count": 12]))
    }

    @Test("A library that needs an unavailable version, or one of a library it doesn't require, is rejected")
    func version() throws {
        var bytes = try library(ofC: "#include <stdio.h>\nvoid use(void) { puts(\"\"); }\n" + Self.entry)
        #expect(findings(bytes) == [])
        // The entry that names the required library is removed; the version requirements stay, and the loader would crash.
        var unlinked = bytes
        try unlinked.removeDynamicEntry(tag: 1)
        let problem = ErrorReason("elfVersionsOfUnlinked", ["library": "libc.so.6"])
        #expect(findings(unlinked).map(\.what) == [ErrorReason("libraryMalformed", ["problem": .reason(problem)])])
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

    @Test("A library whose name isn't ASCII matches no other name", arguments: ["\u{212A}it", "../\u{301}x", "\u{FF}"])
    func lookAlike(name: String) async throws {
        let other = folder.appending("libKit.so")
        try other.write(try library(ofC: "int other;", "-Wl,-soname,lib\(name).so"))
        let uses = try library(ofC: Self.entry, "-Wl,--no-as-needed", other.string)
        let found = findings(uses, ["libKit.so": other])
        #expect(
            found.map(\.what) == [
                ErrorReason("libraryMalformed", ["problem": .reason(ErrorReason("elfNameNotASCII"))])
            ])
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
        let found = findings(try library(ofC: Self.entry, "-Wl,\(kind),-rpath,\(path.0)"))
        #expect(found.map(\.subject) == path.1 && found.allSatisfy { $0.rule == .searchPath })
    }

    @Test(
        "Packing removes foreign library search paths and preserves the bundle's own",
        arguments: [
            ("/opt/swift/lib", []), ("/opt/swift/lib:$ORIGIN", ["$ORIGIN"]), ("$ORIGIN", ["$ORIGIN"]),
            ("/a:$ORIGIN/x:$ORIGIN", ["$ORIGIN/x", "$ORIGIN"]), ("$ORIGIN:/a", []),
        ], ["--enable-new-dtags", "--disable-new-dtags"])
    func removed(path: (String, [String]), kind: String) async throws {
        let built = try library(ofC: Self.entry, "-Wl,\(kind),-rpath,\(path.0)")
        let packed = SearchPath.removingForeign(from: built)
        let report = LibraryPreflight.validate(packed)
        #expect(report.findings == [] && report.facts.searchPath == path.1)
        #expect(packed.count == built.count)
        #expect(SearchPath.removingForeign(from: packed) == packed)
    }

    @Test("Removing foreign search paths preserves own ones after one that isn't UTF-8, and an unreadable library")
    func noUTF8() throws {
        var built = try library(ofC: Self.entry, "-Wl,-rpath,/opt/lib:$ORIGIN")
        let folder = try #require(built.firstRange(of: Array("/opt/lib:".utf8)))
        built[folder.lowerBound + 2] = 0xFF
        let report = LibraryPreflight.validate(SearchPath.removingForeign(from: built))
        #expect(report.findings == [] && report.facts.searchPath == ["$ORIGIN"])
        let cut = Array(built.prefix(500))
        #expect(SearchPath.removingForeign(from: cut) == cut)
    }

    private static let plugin = """
        final class Sample: BundleDelegate { init(context: BundleContext) {} }

        """

    @Test("A library with a second copy of Core is rejected")
    func core() async throws {
        let found = findings(try await library(ofSwift: Self.plugin, isShared: false))
        #expect(found.map(\.rule) == [.secondCopy] && found.first?.subject == "libPluginCore.so")
        #expect(found.first?.what.values["example"]?.description.hasPrefix("PluginCore.") == true, "\(found)")
        #expect(found.first?.remedy == ErrorReason("linkDynamically"))
    }

    @Test("Extensions and inlined code of Core don't count as a second copy")
    func extensions() async throws {
        let source = """
            extension Mediating { public func hello() async throws -> String { try await perform("hello", on: "Hello") as? String ?? "" } }
            public enum HelloNames { public static let target = "Hello" }
            public struct Greeting: Codable, Sendable { public var text = "" }
            extension ResourceURI { public struct Parts { public var count = 0 } }
            """
        #expect(findings(try await library(ofSwift: Self.plugin + source)) == [])
    }

    @Test("A library may contain another bundle's interface module but not its implementation")
    func otherBundle() async throws {
        // Types of other modules, as static linking adds them.
        let types = { (names: [String]) in
            names.map { "__attribute__((used)) const int t\($0) __asm__(\"$s\($0)VMn\") = 1;\n" }.joined()
                + Self.entry
        }
        let own = ["6Sample4Page", "15SampleInterface5Names"]
        let interface = ["15OrdersInterface5Names"]
        #expect(findings(try library(ofC: types(own + interface))) == [])
        // A module of the plugin's own or of a third-party library isn't another bundle's code.
        #expect(
            findings(try library(ofC: types(own + interface + ["11SampleModel4Item", "11Collections5Stack"]))) == [])
        let found = findings(try library(ofC: types(own + interface + ["6Orders5Order", "6Orders4List"])))
        #expect(found.map(\.rule) == [.otherBundle])
        #expect(found.first?.what == ErrorReason("moduleOfOther", ["module": "Orders"]))
        #expect(found.first?.remedy == ErrorReason("dependOnInterface", ["module": "Orders"]))
        // A library with a different file name than its module still has a module of its own.
        #expect(LibraryPreflight.validate(try library(ofC: types(own)), named: "libRenamed.so").findings == [])
    }

    typealias Rule = LibraryFinding.Rule

    /// Returns the rules that a library breaks, in the order of detection.
    private func rules(_ library: [UInt8]) -> [Rule] {
        LibraryPreflight.validate(library).findings.map(\.rule)
    }

    private func problems(_ library: [UInt8]) -> [ErrorReason] {
        LibraryPreflight.validate(library).findings.map(\.what)
    }

    static let entry = "const void *plugin_entry_v3(void) { return NULL; }\n"

    @Test("A valid plugin library has no findings, and its file states its Core, compiler and required libraries")
    func sound() async throws {
        let report = LibraryPreflight.validate(try await LoadTests.one.value)
        #expect(report.findings == [] && report.refusal(of: "it") == nil)
        let facts = report.facts
        #expect(facts.hasEntry && facts.coreABIs == [CoreVersion.abi] && facts.coreReleases == [CoreVersion.release])
        #expect(facts.compilers == [CoreVersion.compiler])
        #expect(facts.needed.contains("libPluginCore.so") && facts.needed.contains("libswiftCore.so"))
        #expect(Platform.triple.hasPrefix(facts.architecture))
    }

    @Test(
        "A file that isn't an ELF library is rejected",
        arguments: [[], Array("#!/bin/sh\n".utf8), [0x7F, 0x45], [0x7F, 0x45, 0x4C, 0x47]])
    func noELF(content: [UInt8]) {
        let expected: [Rule] = content == [0x7F, 0x45] ? [.truncated] : [.format]
        #expect(rules(content) == expected)
    }

    @Test(
        "A library for another machine, word size or byte order is rejected with the names of both machines",
        arguments: [
            (18, [183, 0], "aarch64"), (18, [0x34, 0x12], "machine 4660"), (4, [1], "32-bit x86_64"),
            (5, [2], "big-endian machine 15872"),
        ] as [(Int, [UInt8], String)])
    func machine(place: Int, bytes: [UInt8], name: String) throws {
        var library = try #require(SamplePackage.dummy)
        library.replaceSubrange(place..<place + bytes.count, with: bytes)
        let report = LibraryPreflight.validate(library)
        let reason = ErrorReason("architectureDiffers", ["architecture": .text(name), "host": "x86_64"])
        #expect(report.findings.map(\.what) == [reason] && report.findings.map(\.rule) == [.machine])
        #expect(report.findings.map(\.remedy) == [ErrorReason("buildFor", ["machine": "x86_64"])])
        #expect(report.refusal(of: "it")?.code == .libraryIncompatible)
    }

    @Test("An object file or a program is rejected with its type")
    func type() throws {
        for (options, name) in [
            ("-c", "libraryIsObject"), ("-no-pie", "libraryIsProgram"), ("-pie", "libraryIsProgram"),
        ] {
            try withFolderNow { folder in
                let (source, result) = (folder.appending("a.c"), folder.appending("a"))
                try source.write("int main(void) { return 0; }")
                try run("cc", "-fPIC", options, source.string, "-o", result.string)
                let found = problems(try result.bytes)
                #expect(found.contains { $0.name == name }, "\(options): \(found)")
            }
        }
    }

    @Test("A library without an exported entry function is rejected")
    func entry() throws {
        let symbol = ["symbol": "plugin_entry_v3"] as [String: ErrorReason.Value]
        let missing = LibraryPreflight.validate(
            try library(ofC: "int answer(void) { return 42; }"))
        #expect(missing.findings.map(\.what) == [ErrorReason("entryNotExported", symbol)])
        #expect(missing.findings.map(\.remedy) == [ErrorReason("exportEntry", symbol)])
        #expect(problems(try library(ofC: "int plugin_entry_v3 = 1;")).first == ErrorReason("entryNotFunction", symbol))
        #expect(rules(try library(ofC: "__attribute__((visibility(\"hidden\")))" + Self.entry)) == [.entry])
        #expect(
            rules(try library(ofC: "void *plugin_entry_v3(void); void *use(void) { return plugin_entry_v3(); }")) == [
                .entry, .undefinedSymbol,
            ])
    }

    @Test("The Core release and compiler of a library are read from the file, and the finding says who must rebuild")
    func builtBy() throws {
        let other = { (text: String, replacement: String) in
            var bytes = try #require(SamplePackage.dummy)
            let range = try #require(bytes.firstRange(of: Array(text.utf8)))
            bytes.replaceSubrange(range, with: Array(replacement.utf8))
            return bytes
        }
        let compiler = "D" + CoreVersion.compiler.dropFirst()
        let report = try LibraryPreflight.validate(other("\(CoreVersion.compiler)\0", "\(compiler)\0"))
        #expect(report.facts.compilers.contains(compiler))
        #expect(
            report.findings.last?.what
                == ErrorReason(
                    "libraryCompilerDiffers", ["compiler": .text(compiler), "host": .text(CoreVersion.compiler)]))
        #expect(report.findings.last?.remedy == ErrorReason("rebuildWithCompiler"))
        #expect(report.refusal(of: "it")?.code == .libraryIncompatible)

        let release = try other("\(CoreVersion.release)\0", "9.9.9\0")
        #expect(LibraryPreflight.validate(release).facts.coreReleases == ["9.9.9"])
    }

    @Test(
        "A library for another Core is rejected for that alone: an older one must be rebuilt, a newer one needs a newer host",
        arguments: [(Int8(-1), "rebuildPlugin(core: \(CoreVersion.release))"), (1, "rebuildHost")])
    func abi(step: Int8, remedy: String) throws {
        var bytes = try library(ofC: "int gone(void); const void *plugin_entry_v3(void) { gone(); return NULL; }")
        let owner = try #require(bytes.firstRange(of: Array("Atrium\0\0".utf8)))
        let abi = Int(CoreVersion.abi) + Int(step)
        bytes[owner.upperBound] = UInt8(truncatingIfNeeded: abi)
        let report = LibraryPreflight.validate(bytes)
        #expect(report.findings.map { "\($0.what)" } == ["libraryABIDiffers(abi: \(abi), host: \(CoreVersion.abi))"])
        #expect(report.findings.map(\.remedy.description) == [remedy])
        #expect(report.refusal(of: "it")?.code == .libraryIncompatible)
    }

    @Test("A library without a Core ABI note is rejected")
    func noNote() throws {
        try withFolderNow { folder in
            let (source, result) = (folder.appending("a.c"), folder.appending("a.so"))
            try source.write("void *plugin_entry_v3(void) { return 0; }")
            try run("cc", "-shared", "-fPIC", source.string, "-o", result.string)
            #expect(rules(try result.bytes) == [.coreABI])
        }
    }

    @Test("All findings about a library are reported at once")
    func all() throws {
        let bytes = try library(
            ofC: "int nobody(void); int use(void) { return nobody(); }", "-Wl,-rpath,/opt/x", "-Wl,--no-as-needed",
            "-lz")
        #expect(rules(bytes) == [.entry, .searchPath, .neededLibrary, .undefinedSymbol])
        let refusal = try #require(LibraryPreflight.validate(bytes).refusal(of: "shop"))
        #expect(refusal.code == .libraryUnloadable && refusal.subject == "shop" && refusal.problems.count == 4)
    }
}
