import Testing

@testable import Zip

@Suite("Other tools")
struct InteropTests {
    static let content: [String: [UInt8]] = [
        "readme.txt": Array(String(repeating: "The quick brown fox. ", count: 9_000).utf8),
        "bin/run": Array("#!/bin/sh\n".utf8),
        "bin/": [],
        "empty/": [],
        "nothing": [],
        "ünï/日本.txt": Array("ok".utf8),
        "ünï/": [],
        "noise": (0..<150_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) },
    ]

    static let asciiContent = content.filter { $0.key.utf8.allSatisfy { $0 < 0x80 } }

    static func makeTree(_ root: String, _ content: [String: [UInt8]] = content) throws {
        for name in content.keys.sorted() where name.hasSuffix("/") { try makeFolder("\(root)/\(name)") }
        for (name, bytes) in content where !name.hasSuffix("/") {
            try writeFile(bytes, to: "\(root)/\(name)", mode: name == "bin/run" ? 0o755 : 0o644)
        }
    }

    private static let pythonWrites = """
        import os, sys, zipfile
        method = {"stored": zipfile.ZIP_STORED, "deflated": zipfile.ZIP_DEFLATED}[sys.argv[1]]
        class Pipe:
            def __init__(self, file): self.file = file
            def write(self, data): return self.file.write(data)
            def flush(self): self.file.flush()
        with open("a.zip", "wb") as file:
            with zipfile.ZipFile(Pipe(file) if sys.argv[2] == "streamed" else file, "w", method) as archive:
                for folder, folders, files in sorted(os.walk("t")):
                    for name in sorted(folders + files):
                        path = os.path.join(folder, name)
                        archive.write(path, os.path.relpath(path, "t"))
        """

    @Test(
        "reads what Python writes, stored and deflated, with and without data descriptors",
        arguments: ["stored", "deflated"], ["seekable", "streamed"])
    func pythonToUs(method: String, way: String) throws {
        try withTemporaryFolder { folder in
            try Self.makeTree("\(folder)/t")
            try Tool.python.expectSuccess(["-c", Self.pythonWrites, method, way], in: folder)
            try expectContent(folder)
        }
    }

    @Test("reads what zip writes", .enabled(if: Tool.zip.isPresent), arguments: ["-0", "-6", "-9"])
    func zipToUs(level: String) throws {
        try withTemporaryFolder { folder in
            // It does not mark UTF-8 names as such, so that Python reads others than we would: those are refused.
            try Self.makeTree("\(folder)/t", Self.asciiContent)
            // Without -X it adds extra fields for times and owners, which must not disturb.
            try Tool.zip.expectSuccess([level, "-q", "-r", "../a.zip", ".", "-x", ".output"], in: "\(folder)/t")
            try expectContent(folder, Self.asciiContent)
        }
    }

    private static let pythonReads = """
        import os, zipfile
        with zipfile.ZipFile("a.zip") as archive:
            assert archive.testzip() is None
            names = archive.namelist()
            assert names == sorted(names, key=lambda name: name.encode()), names
            assert all(info.date_time == (1980, 1, 1, 0, 0, 0) and not info.extra for info in archive.infolist())
            archive.extractall("theirs")
        """

    @Test("Python reads what we write")
    func usToPython() throws {
        try withTemporaryFolder { folder in
            try write(folder)
            try Tool.python.expectSuccess(["-c", Self.pythonReads], in: folder)
            #expect(try tree("\(folder)/theirs") == Self.content)
        }
    }

    @Test("unzip reads what we write, modes included", .enabled(if: Tool.unzip.isPresent))
    func usToUnzip() throws {
        try withTemporaryFolder { folder in
            try write(folder)
            try Tool.unzip.expectSuccess(["-tqq", "a.zip"], in: folder)
            // Its own listing of names depends on the locale, so only the plain ones are extracted.
            try Tool.unzip.expectSuccess(["-qq", "a.zip", "bin/*", "readme.txt", "-d", "theirs"], in: folder)
            #expect(try readFile("\(folder)/theirs/readme.txt") == Self.content["readme.txt"])
            #expect(try mode(of: "\(folder)/theirs/bin/run") == 0o755)
            #expect(try mode(of: "\(folder)/theirs/readme.txt") == 0o644)
        }
    }

    private func write(_ folder: String) throws {
        try Self.makeTree("\(folder)/t")
        var writer = ZipWriter()
        try writer.add(folder: "\(folder)/t")
        try writer.write(to: "\(folder)/a.zip")
    }

    private func expectContent(_ folder: String, _ content: [String: [UInt8]] = content) throws {
        let archive = try ZipArchive(path: "\(folder)/a.zip")
        try archive.extract(to: "\(folder)/ours")
        #expect(try tree("\(folder)/ours") == content)
        #expect(try mode(of: "\(folder)/ours/bin/run") == 0o555)
        #expect(try mode(of: "\(folder)/ours/readme.txt") == 0o444)
        for (name, bytes) in content where !name.hasSuffix("/") {
            #expect(try archive.contents(of: name, limit: bytes.count) == bytes)
        }
    }
}
