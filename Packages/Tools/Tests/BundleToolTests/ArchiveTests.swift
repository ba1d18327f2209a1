import BundleTool
import Console
import FoundationEssentials
import PluginCore
import Testing
import ZipWriting

@Suite("bundletool archive", .tags(.medium))
struct ArchiveTests {
    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    /// A folder with valid and invalid archives, removed when the last reference is released.
    private final class Shelf: Sendable {
        private let folder: TestFolder

        init() throws {
            folder = try TestFolder()
            var writer = ZipWriter()
            try writer.add(Array("#!/bin/sh\n".utf8), as: "bin/run", executable: true)
            try writer.add([UInt8](repeating: 0, count: 100_000), as: "zeros")
            try writer.write(to: path("good.zip"))
            var bytes = try folder.bytes("good.zip")
            try folder.write(bytes + [0], to: "longer.zip")
            // This changes the first byte of the first content, which is "#".
            let start = try #require(bytes.firstIndex(of: UInt8(ascii: "#")))
            bytes[start] = UInt8(ascii: "!")
            try folder.write(bytes, to: "flipped.zip")
        }

        func path(_ name: String) -> String { folder.place(name) }

        func names(in folder: String = "") throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: path(folder)).sorted()
        }
    }

    private func reply(_ words: String...) throws -> Reply { try bundletool(["archive"] + words) }

    @Test("archive test ends with 0 for valid archives and with 65 if one is invalid, and it reads the contents")
    func testStatus() throws {
        let (good, longer, flipped) = (shelf.path("good.zip"), shelf.path("longer.zip"), shelf.path("flipped.zip"))
        let accepted = try reply("test", good, good)
        #expect(accepted.status == .done)
        #expect(accepted.text == "accepted  \(good)\naccepted  \(good)\n")
        let refused = try reply("test", good, longer, flipped)
        #expect(refused.status == .badInput)
        #expect(
            refused.text == """
                accepted  \(good)
                refused   \(longer): malformed: the end record does not end with the file
                refused   \(flipped): checksum-mismatch: its entry "bin/run": its content does not match its checksum

                """)
        let missing = try reply("test", good, shelf.path("none.zip"))
        #expect(missing.status == .notFound)
        #expect(missing.text.hasSuffix("none.zip: system: No such file or directory\n"))
        #expect(try reply("test", shelf.path("none.zip"), longer).status == .badInput)
    }

    @Test("archive test --json prints one line per file with its path, result, code and reason")
    func testJSON() throws {
        let (good, longer) = (shelf.path("good.zip"), shelf.path("longer.zip"))
        let answer = try reply("test", good, longer, "--json")
        #expect(answer.status == .badInput)
        let lines = try answer.text.split(separator: "\n").map {
            try JSONDecoder().decode(JSON.self, from: Data($0.utf8))
        }
        let reason: JSON = "the end record does not end with the file"
        #expect(
            lines == [
                ["file": .text(good), "accepted": true, "code": .null, "reason": .null],
                ["file": .text(longer), "accepted": false, "code": "malformed", "reason": reason],
            ])
    }

    @Test("archive list shows every entry as a table and as JSON")
    func list() throws {
        let lines = try reply("list", shelf.path("good.zip")).text.split(separator: "\n").map(String.init)
        #expect(lines.count == 4 && lines[0] == "MODE   BYTES  PACKED  METHOD    CRC-32    NAME")
        #expect(lines[1].hasPrefix("0755      10      10  stored") && lines[1].hasSuffix("  bin/run"))
        #expect(lines[2].hasPrefix("0644  100000") && lines[2].hasSuffix("  zeros"))
        #expect(lines[3] == "2 entries, \(byteCount(100_010))")
        let json = try reply("list", shelf.path("good.zip"), "--json").json
        #expect(json["size"] == 100_010 && json["entries.name"] == ["bin/run", "zeros"])
        #expect(json["entries.mode"] == ["0755", "0644"] && json["entries.size"] == [10, 100_000])
        #expect(json["entries.method"] == ["stored", "deflated"])
    }

    @Test("archive extract extracts to a new or an empty folder")
    func extract() throws {
        try FileManager.default.createDirectory(atPath: shelf.path("empty"), withIntermediateDirectories: false)
        for target in ["new", "empty", "other/"] {
            let answer = try reply("extract", shelf.path("good.zip"), "--to", shelf.path("") + target)
            #expect(answer.status == .done && answer.text.hasSuffix(": 2 files, \(byteCount(100_010))\n"))
            #expect(try shelf.names(in: target) == ["bin", "bin/run", "zeros"])
            let attributes = try FileManager.default.attributesOfItem(atPath: shelf.path(target + "/bin/run"))
            #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o777 } == 0o555)
        }
        #expect(try !FileManager.default.contentsOfDirectory(atPath: shelf.path("")).contains { $0.hasPrefix(".") })
    }

    @Test("archive extract keeps an existing empty folder and its mode, whatever path names it")
    func emptyFolder() throws {
        let empty = shelf.path("empty")
        for way in ["", "/.", "/../empty"] {
            try FileManager.default.createDirectory(
                atPath: empty, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            let number = { try FileManager.default.attributesOfItem(atPath: empty)[.systemFileNumber] as? Int }
            let before = try number()
            #expect(try reply("extract", shelf.path("good.zip"), "--to", empty + way).status == .done)
            #expect(try shelf.names(in: "empty") == ["bin", "bin/run", "zeros"])
            let mode = try FileManager.default.attributesOfItem(atPath: empty)[.posixPermissions] as? Int
            #expect(try mode == 0o700 && number() == before)
            try FileManager.default.removeItem(atPath: empty)
        }
    }

    @Test("archive extract rejects a path that does not end in a folder name", arguments: ["x/..", "x/."])
    func nameless(target: String) throws {
        let before = try shelf.names()
        let words = ["archive", "extract", shelf.path("longer.zip"), "--to", shelf.path(target)]
        let error = #expect(throws: UsageError.self) { try bundletool(words) }
        #expect(error?.code == .invalidValue && error?.subject == "--to" && error?.exitStatus == .usage)
        #expect(try shelf.names() == before)
    }

    @Test(
        "archive extract of an invalid archive, or to a target that exists, changes nothing",
        arguments: [
            ("longer.zip", "65 malformed", ["new", "empty"]),
            ("flipped.zip", "65 checksum-mismatch", ["new", "empty"]),
            ("good.zip", "77 target-exists", ["full", "good.zip", "link"]),
        ])
    func refused(name: String, error: String, targets: [String]) throws {
        try FileManager.default.createDirectory(atPath: shelf.path("empty"), withIntermediateDirectories: false)
        try FileManager.default.createDirectory(atPath: shelf.path("full"), withIntermediateDirectories: false)
        try Data([1]).write(to: URL(filePath: shelf.path("full/mine")))
        try FileManager.default.createSymbolicLink(atPath: shelf.path("link"), withDestinationPath: "nowhere")
        let before = try shelf.names()
        for target in targets {
            let words = ["archive", "extract", shelf.path(name), "--to", shelf.path(target)]
            #expect(try refusal { try bundletool(words) } == error)
            #expect(try shelf.names() == before)
        }
    }

    @Test(
        "Every archive command rejects an archive that exceeds a given limit",
        arguments: [["--max-entries", "1"], ["--max-size", "100009"], ["--max-ratio", "100"]])
    func limits(limit: [String]) throws {
        let good = shelf.path("good.zip")
        #expect(try bundletool(["archive", "test", good] + limit).status == .badInput)
        for words in [["list", good], ["extract", good, "--to", shelf.path("new")]] {
            #expect(try refusal { try bundletool(["archive"] + words + limit) } == "65 limit-exceeded")
        }
        #expect(try !shelf.names().contains("new"))
        let generous = ["--max-entries", "2", "--max-size=100010", "--max-ratio", "1032"]
        #expect(try bundletool(["archive", "test", good] + generous).status == .done)
    }

    @Test(
        "An invalid command line of archive ends with 64",
        arguments: [
            ["test"], ["list"], ["extract", "a.zip"], ["extract", "--to", "x"], ["test", "a", "--max-size", "x"], [],
        ])
    func usage(words: [String]) throws {
        #expect(try refusal { try bundletool(["archive"] + words) }.hasPrefix("64 "))
    }
}
