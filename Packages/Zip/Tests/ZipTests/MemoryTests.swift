import Testing

@testable import Zip

/// Memory measurements, each in a separate process because the peak of a process is measured.
@Suite("Memory use", .tags(.large))
struct MemoryTests {
    private static let allowed = 8 << 20

    @Test("The memory use does not grow while a large entry is extracted")
    func extraction() async {
        await #expect(processExitsWith: .success) {
            try withTemporaryFolder { folder in
                let size = 96 << 20
                try Tool.python.expectSuccess(
                    ["-c", "import zipfile; zipfile.ZipFile('a.zip', 'w', 8).writestr('big', bytes(\(size)))"],
                    in: folder)
                let before = try peakResidentSize()
                try ZipArchive(path: "\(folder)/a.zip").extract(to: "\(folder)/out")
                let most = try peakResidentSize()
                try #require(most - before < MemoryTests.allowed, "\(most - before) bytes")
            }
        }
    }

    @Test("The memory use does not depend on the claims of an archive")
    func claims() async {
        await #expect(processExitsWith: .success) {
            try withTemporaryFolder { folder in
                // The first archive loads everything that is needed only once.
                _ = try? extract(Crafted(names: ["a"]).bytes, in: folder)
                let before = try peakResidentSize()
                for crafted in MemoryTests.boasts {
                    try writeFile(crafted.bytes, to: "\(folder)/b.zip")
                    let archive = try? ZipArchive(path: "\(folder)/b.zip")
                    _ = try? archive?.contents(of: "a", limit: .max)
                    _ = try? archive?.extract(to: "\(folder)/none")
                    try #require(!exists("\(folder)/none"))
                }
                let most = try peakResidentSize()
                try #require(most - before < MemoryTests.allowed, "\(most - before) bytes")
            }
        }
    }

    static var boasts: [Crafted] {
        func boast(_ change: (inout Crafted) -> Void) -> Crafted {
            var crafted = Crafted(names: ["a", "b"])
            change(&crafted)
            return crafted
        }
        return [
            boast { $0.editEnd = { $0.directorySize = .max - 1 } },
            boast { $0.editEnd = { ($0.entriesOnDisk, $0.entryCount) = (.max - 1, .max - 1) } },
            boast { $0.edit { ($0.compressedSize, $0.uncompressedSize) = (.max - 1, .max - 1) } },
            boast {
                $0.edit {
                    $0.method = 8
                    $0.uncompressedSize = .max - 1
                }
            },
            boast { $0.entries[0].local.extraSize = .max },
        ]
    }
}
