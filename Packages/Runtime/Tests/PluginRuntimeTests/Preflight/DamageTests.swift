import Glibc
import PluginCore
import PluginRuntime
import Testing
@testable import Preflight

@Suite("Preflight of damaged files", .tags(.medium))
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

    @Test(
        "Examining a randomly damaged library always ends, with a bounded number of findings",
        arguments: 0..<8 as Range<UInt64>)
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
}
