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
