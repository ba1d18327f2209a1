import Foundation
import TUFMetadata
import TUFRepository
import Testing

@Suite("tuf-client", .tags(.large))
struct ProgramTests {
    @Test("initializes, refreshes and downloads, with options in any order")
    func commands() throws {
        let folder = try newFolder()
        let key = try SecretKey.generate(.ed25519)
        var editor = try RepositoryEditor(folder: folder + "/repository")
        for role in TopLevelRole.allCases { try editor.setKeys([key.publicKey], threshold: 1, of: role) }
        try editor.addTarget("dir/a b", bytes: Array("content".utf8))
        try editor.addTarget("c", bytes: [])
        try editor.publish(signedBy: [key])
        let server = try FolderServer(folder: folder + "/repository")
        let metadata = ["--metadata-dir", folder + "/metadata"]
        let address = ["--metadata-url", server.address + "/metadata"]

        let refresh = try Program.client.run(address + ["refresh"] + metadata)
        #expect(refresh.status == 1)
        #expect(refresh.output.contains("root-missing"))
        let root = folder + "/repository/metadata/1.root.json"
        #expect(try Program.client.run(metadata + ["init", root]).status == 0)
        #expect(try Program.client.run(metadata + ["init", root]).status == 1)
        #expect(try Program.client.run(["refresh"] + metadata + address).status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/metadata").sorted()
        #expect(names == ["root.json", "snapshot.json", "targets.json", "timestamp.json"])

        let targets = ["--target-base-url", server.address + "/targets/", "--target-dir", folder + "/targets"]
        let download = try Program.client.run(
            metadata + ["--target-name", "c"] + address + targets + ["--target-name", "dir/a b", "download"])
        #expect(download.status == 0, "\(download.output)")
        #expect(try String(contentsOfFile: folder + "/targets/dir%2Fa%20b", encoding: .utf8) == "content")
        #expect(FileManager.default.fileExists(atPath: folder + "/targets/c"))
        let missing = try Program.client.run(metadata + address + targets + ["--target-name", "x", "download"])
        #expect(missing.status == 1)
        #expect(missing.output.contains("target-unknown"))
    }

    @Test(
        "explains an invalid command line",
        arguments: [
            [], ["refresh"], ["--metadata-dir", "x", "refresh"], ["--metadata-dir"], ["--what", "x", "refresh"],
            ["init"],
            ["--metadata-dir", "x", "init", "a", "b"], ["--metadata-dir", "x", "--metadata-dir", "y", "init", "a"],
            ["--metadata-dir", "x", "--metadata-url", "http://127.0.0.1:1", "download"],
        ])
    func usage(_ arguments: [String]) throws {
        let result = try Program.client.run(arguments)
        #expect(result.status == 1)
        #expect(result.output.hasPrefix("tuf-client: "))
        #expect(result.output.contains("usage: "))
    }
}
