import FoundationEssentials
import Testing

@testable import Zip

/// The initial inputs of the fuzzer.
@Suite("Seeds for the fuzzer in Scripts", .tags(.medium))
struct SeedTests {
    /// Writes the seeds to the folder in `ATRIUM_SEEDS`, which `Scripts/fuzz` sets.
    @Test("The seeds are a valid archive of the writer and all crafted ones")
    func seeds() throws {
        try withTemporaryFolder { folder in
            let seeds = ProcessInfo.processInfo.environment["ATRIUM_SEEDS"] ?? "\(folder)/seeds"
            try makeFolder(seeds)
            try write(to: seeds, in: folder)
            #expect(try ZipArchive(path: "\(seeds)/writer.zip").entries.count > 1)
        }
    }

    private func write(to seeds: String, in folder: String) throws {
        try writeFile(try DamageTests.sound(in: folder), to: "\(seeds)/writer.zip")
        let rows =
            AmbiguityTests.redundant + AmbiguityTests.names + AmbiguityTests.structures + RefusalTests.headers
            + RefusalTests.layouts
        var streamed = Crafted(names: ["a", "b"])
        streamed.stream()
        let crafted = rows.map { $0.make() } + MemoryTests.boasts + [streamed]
        for (index, archive) in crafted.enumerated() {
            try writeFile(archive.bytes, to: "\(seeds)/crafted-\(index).zip")
        }
    }
}
