import Testing

@testable import Zip
import ZipWriting

@Suite("Interoperability with other tools", .tags(.large))
struct InteropTests {
    private let temporary: TestFolder
    private var folder: String { temporary.path }

    init() throws { temporary = try TestFolder() }

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

    /// A shell command of another tool in a folder that contains a tree named t.
    struct Way: Sendable, CustomTestStringConvertible {
        let tool: Tool
        let command: String
        /// A Boolean value that indicates whether the tool preserves modes.
        var keepsModes = true
        /// The files that the tool adds.
        var addition = "\0"

        var testDescription: String { command }

        func run(in folder: String) throws {
            try Tool.shell.expectSuccess(["-c", "export LC_ALL=C.UTF-8; \(command)"], in: folder)
        }
    }

    static let writing: [Way] = [
        Way(tool: .zip, command: "cd t && zip -q -r ../a.zip ."),
        Way(tool: .zip, command: "cd t && LC_ALL=C zip -q -r ../a.zip *"),
        Way(tool: .zip, command: "cd t && zip -q -0 -r ../a.zip ."),
        Way(tool: .zip, command: "cd t && zip -q -9 -r ../a.zip ."),
        Way(tool: .zip, command: "cd t && zip -q -r - . | cat > ../a.zip"),
        Way(tool: .zip, command: "cd t && zip -q -0 -r - . | cat > ../a.zip"),
        Way(tool: .bsdtar, command: "cd t && bsdtar -a -cf ../a.zip *"),
        Way(tool: .bsdtar, command: "bsdtar -a -cf a.zip -C t ."),
        Way(tool: .bsdtar, command: "cd t && LC_ALL=C bsdtar -a -cf ../a.zip *"),
        Way(tool: .bsdtar, command: "cd t && bsdtar -c --format zip --options zip:compression=store -f ../a.zip *"),
        Way(tool: .sevenZip, command: "cd t && 7z a -bd ../a.zip ."),
        Way(tool: .sevenZip, command: "cd t && 7z a -bd -mx=9 ../a.zip *"),
        Way(tool: .python, command: "cd t && python3 -m zipfile -c ../a.zip *"),
        Way(tool: .python, command: "python3 write.py stored streamed"),
        Way(tool: .python, command: "python3 write.py stored seekable"),
        Way(tool: .python, command: "python3 write.py deflated streamed"),
        Way(tool: .python, command: "python3 write.py deflated seekable"),
        Way(tool: .jar, command: "cd t && jar cf ../a.zip .", keepsModes: false, addition: "META-INF/"),
        Way(tool: .jar, command: "cd t && jar cfM ../a.zip *", keepsModes: false),
        Way(tool: .jar, command: "cd t && jar cf0 ../a.zip .", keepsModes: false, addition: "META-INF/"),
        Way(tool: .jar, command: "cd t && jar c . > ../a.zip", keepsModes: false, addition: "META-INF/"),
    ]

    /// A program that writes an archive with one method, with data descriptors or without.
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

    @Test("Archives of other tools can be read", arguments: writing)
    func othersToUs(way: Way) throws {
        try way.tool.require()
        // fastjar, which replaces `jar` where Java is missing, does not declare the encoding of names.
        let content = way.tool.name == "jar" && !Tool.java.isPresent ? Self.asciiContent : Self.content
        try Self.makeTree("\(folder)/t", content)
        try writeFile(Array(Self.pythonWrites.utf8), to: "\(folder)/write.py")
        try way.run(in: folder)
        let archive = try ZipArchive(path: "\(folder)/a.zip")
        try archive.extract(to: "\(folder)/ours")
        let found = try tree("\(folder)/ours").filter { !$0.key.hasPrefix(way.addition) }
        // Some tools do not list folders with content, which their files imply.
        #expect(found == content)
        #expect(try mode(of: "\(folder)/ours/bin/run") == (way.keepsModes ? 0o555 : 0o444))
        #expect(try mode(of: "\(folder)/ours/readme.txt") == 0o444)
        for (name, bytes) in content where !name.hasSuffix("/") {
            #expect(try archive.contents(of: name, limit: bytes.count) == bytes)
        }
    }

    @Test(
        "An archive of another tool that contains more than plain files is rejected",
        arguments: [
            // bsdtar pads the last block with zeros when it writes to standard output.
            (Way(tool: .bsdtar, command: "cd t && bsdtar -c --format zip * > ../a.zip"), .malformed),
            (Way(tool: .zip, command: "echo x | zip -q a.zip -"), .unsupported),
            (Way(tool: .zip, command: "cd t && zip -q -fz -r ../a.zip ."), .unsupported),
            (Way(tool: .sevenZip, command: "echo x | 7z a -bd -six a.zip"), .specialFile),
            (Way(tool: .zip, command: "ln -s x t/link && cd t && zip -q -y -r ../a.zip ."), .specialFile),
            (Way(tool: .zip, command: "cd t && zip -q -P secret -r ../a.zip ."), .unsupported),
            (Way(tool: .zip, command: "cd t && zip -q -Z bzip2 -r ../a.zip ."), .unsupported),
            (Way(tool: .sevenZip, command: "cd t && 7z a -bd -mm=LZMA ../a.zip ."), .unsupported),
            (
                Way(tool: .zip, command: "cd t && zip -q -r ../b.zip . && cat ../t/noise ../b.zip > ../a.zip"),
                .malformed
            ),
        ] as [(Way, ZipError.Code)])
    func refused(way: Way, code: ZipError.Code) throws {
        try way.tool.require()
        try Self.makeTree("\(folder)/t")
        try way.run(in: folder)
        #expect(errorCode { try ZipArchive(path: "\(folder)/a.zip").extract(to: "\(folder)/ours") } == code)
        #expect(!exists("\(folder)/ours"))
    }

    static let reading: [Way] = [
        Way(tool: .unzip, command: "unzip -qq a.zip -d theirs"),
        Way(tool: .bsdtar, command: "mkdir theirs && bsdtar -xf a.zip -C theirs"),
        Way(tool: .bsdtar, command: "mkdir theirs && cat a.zip | bsdtar -xf - -C theirs", keepsModes: false),
        Way(tool: .sevenZip, command: "7z x -bd -otheirs a.zip"),
        Way(tool: .python, command: "python3 -m zipfile -e a.zip theirs", keepsModes: false),
        Way(tool: .jar, command: "mkdir theirs && cd theirs && jar xf ../a.zip", keepsModes: false),
    ]

    @Test("Other tools extract written archives identically, including modes if they preserve them", arguments: reading)
    func usToOthers(way: Way) throws {
        try way.tool.require()
        let content = way.tool.name == "jar" && !Tool.java.isPresent ? Self.asciiContent : Self.content
        try Self.makeTree("\(folder)/t", content)
        var writer = ZipWriter()
        try writer.add(tree: "\(folder)/t")
        try writer.write(to: "\(folder)/a.zip")
        try way.run(in: folder)
        #expect(try tree("\(folder)/theirs") == content)
        if way.keepsModes {
            #expect(try mode(of: "\(folder)/theirs/bin/run") == 0o755)
            #expect(try mode(of: "\(folder)/theirs/readme.txt") == 0o644)
        }
    }

    @Test("Other tools find no problems in written archives")
    func tested() throws {
        try Tool.unzip.require()
        try Self.makeTree("\(folder)/t")
        var writer = ZipWriter()
        try writer.add(tree: "\(folder)/t")
        try writer.write(to: "\(folder)/a.zip")
        try Tool.unzip.expectSuccess(["-tqq", "a.zip"], in: folder)
        let check = """
            import zipfile
            with zipfile.ZipFile("a.zip") as archive:
                assert archive.testzip() is None
                names = archive.namelist()
                assert names == sorted(names, key=lambda name: name.encode()), names
                assert all(i.date_time == (1980, 1, 1, 0, 0, 0) and not i.extra for i in archive.infolist())
            """
        try Tool.python.expectSuccess(["-c", check], in: folder)
    }
}
