import Foundation
import HostSystem
import TUF
import TUFMetadata
import TUFRepository
import Testing

/// The reference implementation, python-tuf, and this one read what the other one wrote.
@Suite(
    "python-tuf and this module", .tags(.large),
    .enabled(if: Program.python.isPresent, "Scripts/test makes an environment with python-tuf"))
struct InteropTests {
    @Test("python-tuf reads what this module wrote", arguments: [true, false])
    func pythonReads(_ hasHashes: Bool) throws {
        let folder = try newFolder()
        let keys = try SignatureScheme.allCases.map { scheme throws in try SecretKey.generate(scheme) }
        var editor = try RepositoryEditor(folder: folder)
        editor.snapshotHasHashes = hasHashes
        editor.hashAlgorithms = [.sha512, .sha256]
        for role in TopLevelRole.allCases { try editor.setKeys(keys.map(\.publicKey), threshold: 3, of: role) }
        guard case .object(let custom) = ["note": "ä\u{2028}\"\\\n\u{1F600}", "list": [1, .null, true]] as JSONValue
        else { return }
        try editor.addTarget("dir/top.txt", bytes: Array("top".utf8), custom: custom)
        try editor.delegate(
            to: "team", keys: [keys[1].publicKey], scope: .paths([PathPattern("team/*")]), isTerminating: true)
        try editor.addTarget("team/a.txt", bytes: Array("team a".utf8))
        try editor.delegateToBins(count: 32, keys: [keys[0].publicKey])
        for index in 0..<20 { try editor.addTarget("file-\(index)", bytes: Array("content \(index)".utf8)) }
        try editor.publish(signedBy: keys)
        // A second root with other keys.
        let next = try SecretKey.generate(.rsa)
        for role in TopLevelRole.allCases { try editor.setKeys([next.publicKey], threshold: 1, of: role) }
        try editor.publish(signedBy: keys + [next])

        let client = try newFolder()
        try FileManager.default.copyItem(atPath: folder + "/metadata/1.root.json", toPath: client + "/initial.json")
        let result = try Program.python.run(
            [
                Program.fixture("read.py"), folder, client, "dir/top.txt", "team/a.txt", "file-7", "file-19",
                "team/missing",
            ])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output == "top\nteam a\ncontent 7\ncontent 19\nmissing\n")
    }

    @Test("this module reads what python-tuf wrote")
    func readsPython() async throws {
        let folder = try newFolder() + "/repository"
        let result = try Program.python.run([Program.fixture("write.py"), folder])
        try #require(result.status == 0, "\(result.output)")
        let client = TUFClient(
            folder: try newFolder(), metadata: FolderSource(folder + "/metadata"),
            targets: FolderSource(folder + "/targets"))
        try client.initialize(root: Array(Data(contentsOf: URL(filePath: folder + "/metadata/1.root.json"))))
        let trusted = try await client.refresh()
        #expect(trusted.root.content.version == 2)
        #expect(try await client.content(of: "top.txt") == "top")
        #expect(try await client.content(of: "deep/er/both.txt") == "both")
        #expect(try await client.content(of: "team/a.txt") == "team a")
        #expect(try await client.content(of: "other/a.txt") == nil)
        for index in 0..<20 { #expect(try await client.content(of: "file-\(index)") == "content of file-\(index)") }
        #expect(try await client.find("top.txt", in: trusted)?.file.custom?["note"] == "ä\u{2028}\"\\\n")
    }
}
