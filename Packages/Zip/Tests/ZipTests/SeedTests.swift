import FoundationEssentials
import Testing

@testable import Zip

/// The initial inputs of the fuzzer.
@Suite("Seeds for the fuzzer in Scripts")
struct SeedTests {
    private static let folder = ProcessInfo.processInfo.environment["ATRIUM_SEEDS"] ?? ""

    @Test(
        "The seeds are a valid archive of the writer and all crafted ones",
        .enabled(if: !folder.isEmpty, "ATRIUM_SEEDS names no folder"))
    func seeds() throws {
        try makeFolder(Self.folder)
        try withTemporaryFolder { folder in
            try writeFile(try DamageTests.sound(in: folder), to: "\(Self.folder)/writer.zip")
        }
        let rows =
            AmbiguityTests.redundant + AmbiguityTests.names + AmbiguityTests.structures + RefusalTests.headers
            + RefusalTests.layouts + Zip64Tests.contradictions
        var crafted = rows.map { $0.make() } + MemoryTests.boasts
        for way in Zip64Tests.ways {
            var sound = Crafted(names: ["a", "b"])
            way.change(&sound)
            crafted.append(sound)
        }
        for (index, archive) in crafted.enumerated() {
            try writeFile(archive.bytes, to: "\(Self.folder)/crafted-\(index).zip")
        }
    }
}
