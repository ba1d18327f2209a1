import PluginCore
import Testing
@testable import Preflight
@testable import HostSystem

@Suite("Preflight of a library", .tags(.large))
struct LibraryReportTests {
    typealias Rule = LibraryFinding.Rule

    /// Returns the rules that a library breaks, in the order of detection.
    private func rules(_ library: [UInt8]) -> [Rule] {
        LibraryPreflight.validate(library).findings.map(\.rule)
    }

    private func problems(_ library: [UInt8]) -> [ErrorReason] {
        LibraryPreflight.validate(library).findings.map(\.what)
    }

    static let entry = "const void *plugin_entry_v2(void) { return NULL; }\n"

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

    @Test("A library for another machine is rejected with the names of both machines")
    func machine() throws {
        var library = try #require(SamplePackage.dummy)
        library.replaceSubrange(18..<20, with: [183, 0])
        let report = LibraryPreflight.validate(library)
        #expect(
            report.findings.map(\.what) == [
                ErrorReason("architectureDiffers", ["architecture": "aarch64", "host": "x86_64"])
            ])
        #expect(report.findings.map(\.remedy) == [ErrorReason("buildFor", ["machine": "x86_64"])])
        #expect(report.refusal(of: "it")?.code == .libraryIncompatible)
        library.replaceSubrange(18..<20, with: [0x34, 0x12])
        #expect(problems(library)[0].values["architecture"] == "machine 4660")
    }

    @Test(
        "A library with another word size or byte order is rejected with its architecture",
        arguments: [(4, "32-bit x86_64"), (5, "big-endian machine 15872")])
    func width(place: Int, name: String) throws {
        var library = try #require(SamplePackage.dummy)
        library[place] = place == 4 ? 1 : 2
        #expect(problems(library)[0].values == ["architecture": .text(name), "host": "x86_64"])
        #expect(rules(library) == [.machine])
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
        let symbol = ["symbol": "plugin_entry_v2"] as [String: ErrorReason.Value]
        let missing = LibraryPreflight.validate(
            try library(ofC: "int answer(void) { return 42; }"))
        #expect(missing.findings.map(\.what) == [ErrorReason("entryNotExported", symbol)])
        #expect(missing.findings.map(\.remedy) == [ErrorReason("exportEntry", symbol)])
        #expect(problems(try library(ofC: "int plugin_entry_v2 = 1;")).first == ErrorReason("entryNotFunction", symbol))
        #expect(rules(try library(ofC: "__attribute__((visibility(\"hidden\")))" + Self.entry)) == [.entry])
        #expect(
            rules(try library(ofC: "void *plugin_entry_v2(void); void *use(void) { return plugin_entry_v2(); }")) == [
                .entry, .undefinedSymbol,
            ])
    }

    @Test("The Core release and compiler of a library are read from the file, and the finding says who must rebuild")
    func core() throws {
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
        "A library for an older Core must be rebuilt by the plugin's author, one for a newer Core needs a newer host",
        arguments: [(Int8(-1), "rebuildPlugin"), (1, "rebuildHost")])
    func abi(step: Int8, remedy: String) throws {
        var bytes = try #require(SamplePackage.dummy)
        let owner = try #require(bytes.firstRange(of: Array("Atrium\0\0".utf8)))
        bytes[owner.upperBound] = UInt8(truncatingIfNeeded: Int(CoreVersion.abi) + Int(step))
        let finding = try #require(LibraryPreflight.validate(bytes).findings.first)
        let abi = Int(CoreVersion.abi) + Int(step)
        #expect(finding.what.description == "libraryABIDiffers(abi: \(abi), host: \(CoreVersion.abi))")
        #expect(finding.remedy.name == remedy)
    }

    @Test("A library for Core ABI 1 is rejected for that reason alone, with the remedy to rebuild it")
    func firstABI() throws {
        var bytes = try library(ofC: "int gone(void); const void *plugin_entry_v2(void) { gone(); return NULL; }")
        let owner = try #require(bytes.firstRange(of: Array("Atrium\0\0".utf8)))
        bytes[owner.upperBound] = 1
        let report = LibraryPreflight.validate(bytes)
        #expect(report.findings.map(\.what) == [ErrorReason("libraryABIDiffers", ["abi": "1", "host": "2"])])
        #expect(report.findings.map(\.remedy) == [ErrorReason("rebuildPlugin", ["core": "2.0.0"])])
        #expect(report.refusal(of: "it")?.code == .libraryIncompatible)
    }

    @Test("A library without a Core ABI note is rejected")
    func noNote() throws {
        try withFolderNow { folder in
            let (source, result) = (folder.appending("a.c"), folder.appending("a.so"))
            try source.write("void *plugin_entry_v2(void) { return 0; }")
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
