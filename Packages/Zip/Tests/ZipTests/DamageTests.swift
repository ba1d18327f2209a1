import Testing

@testable import Zip
import ZipWriting

@Suite("Damaged archives", .tags(.medium))
struct DamageTests {
    private let temporary: TestFolder
    private var folder: String { temporary.path }

    init() throws { temporary = try TestFolder() }

    static let content: [String: [UInt8]] = [
        "hello.txt": Array("hello, hello, hello, hello, hello, hello, hello".utf8),
        "dir/": [],
        "dir/run": [1, 2, 3],
    ]

    /// Returns a valid archive with deflated, stored and folder entries, and one with a data descriptor.
    static func sound(in folder: String) throws -> [UInt8] {
        var writer = ZipWriter()
        for (name, bytes) in content where !name.hasSuffix("/") {
            try writer.add(bytes, as: name, executable: name == "dir/run")
        }
        try writer.add(emptyFolder: "dir/")
        try writer.write(to: "\(folder)/sound.zip")
        let archive = try ZipArchive(path: "\(folder)/sound.zip")
        try #require(Set(archive.entries.map(\.method)) == [.stored, .deflated])
        return try readFile("\(folder)/sound.zip")
    }

    static func descriptor() -> [UInt8] {
        var crafted = Crafted(names: ["a"])
        crafted.stream()
        return crafted.bytes
    }

    @Test(
        "With a flipped byte, an archive has the right contents or an error that verifying also finds"
    )
    func flips() throws {
        let tables = [(try Self.sound(in: folder), Self.content), (Self.descriptor(), ["a": Array("data".utf8)])]
        for (bytes, content) in tables {
            try #require(try outcome(bytes, in: folder, content) == true)
            var refused = 0
            for position in bytes.indices {
                for mask in [1, 2, 4, 8, 16, 32, 64, 128, 0xFF, bytes[position]] as [UInt8] where mask != 0 {
                    var damaged = bytes
                    damaged[position] ^= mask
                    if try !outcome(damaged, in: folder, content) { refused += 1 }
                }
            }
            #expect(refused > bytes.count * 5)
        }
    }

    @Test("A truncated archive is rejected, at either end")
    func truncation() throws {
        let bytes = try Self.sound(in: folder)
        for count in bytes.indices {
            #expect(try !outcome(Array(bytes.prefix(count)), in: folder, Self.content), "first \(count) bytes")
            #expect(try !outcome(Array(bytes.suffix(count)), in: folder, Self.content), "last \(count) bytes")
        }
    }

    @Test("With a missing or doubled byte, an archive has the right contents or an error")
    func shifts() throws {
        let bytes = try Self.sound(in: folder)
        for position in bytes.indices {
            var shorter = bytes
            shorter.remove(at: position)
            _ = try outcome(shorter, in: folder, Self.content)
            var longer = bytes
            longer.insert(bytes[position], at: position)
            _ = try outcome(longer, in: folder, Self.content)
        }
    }

    /// Returns true for an archive with the right contents, and false for one that was rejected without leaving files.
    private func outcome(_ bytes: [UInt8], in folder: String, _ content: [String: [UInt8]]) throws -> Bool {
        try withTemporaryFolder { place in
            do {
                #expect(try extract(bytes, in: place) == content)
                try ZipArchive(path: "\(place)/a.zip").verifyContents()
            } catch is ZipError {
                #expect(throws: ZipError.self) { try ZipArchive(path: "\(place)/a.zip").verifyContents() }
                #expect(try tree(place).keys.sorted() == ["a.zip"])
                return false
            }
            #expect(try tree(place).keys.filter { !$0.hasPrefix("out/") } == ["a.zip"])
            let archive = try ZipArchive(path: "\(place)/a.zip")
            for (name, bytes) in content where !name.hasSuffix("/") {
                #expect(try archive.contents(of: name, limit: 100) == bytes)
            }
            return true
        }
    }
}
