import Glibc
import Foundation
import TUF
import TUFMetadata
import Testing

@testable import TUFRepository

@Suite("A repository", .tags(.medium))
struct RepositoryEditorTests {
    private let folder: String
    private let key: SecretKey

    init() throws {
        folder = try newFolder()
        key = try SecretKey.generate(.ed25519)
    }

    /// Returns a new repository in which one key has all roles.
    private func new() throws -> RepositoryEditor {
        var editor = try RepositoryEditor(folder: folder)
        for role in TopLevelRole.allCases { try editor.setKeys([key.publicKey], threshold: 1, of: role) }
        return editor
    }

    /// Publishes a repository with one target.
    private func published() throws -> RepositoryEditor {
        var editor = try new()
        try editor.addTarget("dir/a", bytes: Array("content".utf8), custom: nil)
        try editor.publish(signedBy: [key])
        return editor
    }

    private func client() throws -> TUFClient {
        let name = try newFolder()
        let client = TUFClient(
            folder: name, metadata: FolderSource(folder + "/metadata"), targets: FolderSource(folder + "/targets"))
        try client.initialize(root: Array(Data(contentsOf: URL(filePath: folder + "/metadata/1.root.json"))))
        return client
    }

    private var files: Set<String> {
        Set((try? FileManager.default.subpathsOfDirectory(atPath: folder))?.filter { $0.contains(".") } ?? [])
    }

    @Test("is free at the end of a change, even if a child process still has a copy of the lock's descriptor")
    func lock() throws {
        let metadata = folder + "/metadata"
        try FileManager.default.createDirectory(atPath: metadata, withIntermediateDirectories: true)
        func descriptors() throws -> [CInt] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { CInt($0) }.filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == metadata
            }
        }
        var copies: [CInt] = []
        defer { for copy in copies { close(copy) } }
        do {
            let lock = try RepositoryFolder(path: folder).lock()
            copies = try descriptors().map { dup($0) }
            #expect(throws: TUFError.self) { try RepositoryFolder(path: folder).lock() }
            withExtendedLifetime(lock) {}
        }
        #expect(!copies.isEmpty)
        _ = try RepositoryFolder(path: folder).lock()
    }

    @Test("is read by a client, before and after a change")
    func roundTrip() async throws {
        var editor = try published()
        let client = try client()
        #expect(try await client.content(of: "dir/a") == "content")
        try editor.addTarget("b", bytes: [0x62])
        try editor.removeTarget("dir/a")
        try editor.publish(signedBy: [key])
        #expect(try await client.content(of: "b") == "b")
        #expect(try await client.content(of: "dir/a") == nil)
        let trusted = try client.trusted()
        #expect(trusted.timestamp.content.version == 2)
        #expect(trusted.snapshot.content.version == 2)
        #expect(trusted.targets.content.version == 2)
    }

    @Test("writes only a timestamp if nothing has changed")
    func timestampAlone() throws {
        var editor = try published()
        let before = files
        try editor.publish(signedBy: [key])
        #expect(files == before)
        try editor.renew("snapshot")
        try editor.renew("targets")
        try editor.renew("root")
        try editor.publish(signedBy: [key])
        #expect(
            files.subtracting(before) == [
                "metadata/2.snapshot.json", "metadata/2.targets.json", "metadata/2.root.json",
            ])
    }

    @Test("is not changed if a key is missing")
    func missingKey() throws {
        var editor = try published()
        let before = files
        try editor.addTarget("b", bytes: [0x62])
        #expect(errorCode { try editor.publish(signedBy: []) } == .notSigned)
        #expect(files == before)
        #expect(throws: TUFError.self) { try RepositoryEditor(folder: newFolder()).unsignedTargets(of: "a") }
    }

    @Test("is not published from two places at once")
    func conflict() throws {
        var one = try published()
        var other = try RepositoryEditor(folder: folder)
        try one.publish(signedBy: [key])
        #expect(errorCode { try other.publish(signedBy: [key]) } == .busy)
    }

    @Test("is opened exclusively by one editor, which publishes, and then by the next one, which sees that")
    func exclusive() throws {
        _ = try published()
        var one: RepositoryEditor? = try RepositoryEditor(folder: folder, isExclusive: true)
        #expect(errorCode { try RepositoryEditor(folder: folder, isExclusive: true) } == .busy)
        try one?.addTarget("dir/b", bytes: [1], custom: nil)
        try one?.publish(signedBy: [key])
        // It still has the repository to itself.
        #expect(throws: TUFError.self) { _ = try RepositoryEditor(folder: folder, isExclusive: true) }
        one = nil
        var other = try RepositoryEditor(folder: folder, isExclusive: true)
        try other.addTarget("dir/c", bytes: [2], custom: nil)
        try other.publish(signedBy: [key])
        #expect(try other.targets(of: "targets")["dir/b"] != nil)
    }

    @Test("loses what a killed publication has left, and nothing outside of it")
    func leftovers() throws {
        var editor = try published()
        let outside = try newFolder()
        let left = [
            "\(folder)/metadata/.a1.tmp", "\(folder)/targets/.b2.tmp", "\(folder)/targets/dir/.c3.tmp",
            "\(outside)/.d4.tmp",
        ]
        for path in left { try Data("half".utf8).write(to: URL(filePath: path)) }
        try FileManager.default.createSymbolicLink(atPath: folder + "/targets/link", withDestinationPath: outside)
        let before = files.filter { !$0.hasSuffix(".tmp") }
        try editor.publish(signedBy: [key])
        for path in left { #expect(FileManager.default.fileExists(atPath: path) == path.hasPrefix(outside)) }
        #expect(before.isSubset(of: files))
    }

    @Test("changes all keys, also while clients read it")
    func rotation() async throws {
        var editor = try published()
        let client = try client()
        _ = try await client.refresh()
        let keys = try SignatureScheme.allCases.map { scheme throws in try SecretKey.generate(scheme) }
        for role in TopLevelRole.allCases { try editor.setKeys(keys.map(\.publicKey), threshold: 2, of: role) }
        // The new keys alone are not enough for a new root.
        var copy = editor
        #expect(throws: TUFError.self) { try copy.publish(signedBy: keys) }
        try editor.publish(signedBy: keys + [key])
        #expect(editor.root.version == 2)
        #expect(try await client.content(of: "dir/a") == "content")
        try editor.addTarget("b", bytes: [0x62])
        try editor.publish(signedBy: Array(keys.dropFirst()))
        #expect(try await client.content(of: "b") == "b")
        // A client that starts from the first root gets there, too.
        #expect(try await self.client().content(of: "b") == "b")
    }

    @Test("is valid for clients with the old root until the new one is there")
    func rotationOrder() async throws {
        var editor = try published()
        let client = try client()
        let new = try SecretKey.generate(.ed25519)
        for role in [TopLevelRole.timestamp, .snapshot, .targets] {
            try editor.setKeys([new.publicKey], threshold: 1, of: role)
        }
        try editor.publish(signedBy: [key, new])
        let root = folder + "/metadata/2.root.json"
        try FileManager.default.moveItem(atPath: root, toPath: root + ".later")
        #expect(try await client.content(of: "dir/a") == "content")
        try FileManager.default.moveItem(atPath: root + ".later", toPath: root)
        #expect(try await client.content(of: "dir/a") == "content")
        #expect(try client.trusted().root.content.version == 2)
    }

    @Test("gets a root that was signed in several places")
    func offlineRoot() async throws {
        var editor = try published()
        let owners = try (0..<3).map { _ in try SecretKey.generate(.ed25519) }
        try editor.setKeys(owners.map(\.publicKey), threshold: 2, of: .root)
        let draft = try editor.unsignedRoot()
        #expect(throws: TUFError.self) { try editor.importRoot(draft) }
        // Each owner gets the file, and returns a signed copy.
        let copies = try ([key] + owners[1...]).map { try SignedMetadata<Root>(draft.bytes).signed(by: [$0]).bytes }
        var signed = draft
        for copy in copies { signed = try signed.adding(signaturesOf: SignedMetadata(copy)) }
        try editor.importRoot(signed)
        try editor.publish(signedBy: [key])
        #expect(try await client().content(of: "dir/a") == "content")
        #expect(
            try SignedMetadata<Root>(Array(Data(contentsOf: URL(filePath: folder + "/metadata/2.root.json"))))
                .signatures.count == 3)
    }

    @Test("lets a team sign its own targets")
    func team() async throws {
        var editor = try published()
        let team = try SecretKey.generate(.ecdsa)
        try editor.delegate(
            to: "team", keys: [team.publicKey], scope: .paths([PathPattern("team/*")]), isTerminating: true)
        try editor.publish(signedBy: [key, team])
        #expect(try editor.role(for: "team/a") == "team")
        #expect(try editor.role(for: "a") == "targets")
        try editor.addTarget("team/a", bytes: Array("by the team".utf8))
        let draft = try editor.unsignedTargets(of: "team")
        #expect(throws: TUFError.self) { try editor.importTargets(draft.signed(by: [key]), of: "team") }
        try editor.importTargets(SignedMetadata(draft.bytes).signed(by: [team]), of: "team")
        // The server has no key of the team.
        try editor.publish(signedBy: [key])
        #expect(try await client().content(of: "team/a") == "by the team")
        // The team gets another key.
        let next = try SecretKey.generate(.ed25519)
        try editor.delegate(to: "team", keys: [next.publicKey], scope: .paths([PathPattern("team/*")]))
        #expect(throws: TUFError.self) { try editor.publish(signedBy: [key, team]) }
        try editor.publish(signedBy: [key, next])
        #expect(try await client().content(of: "team/a") == "by the team")
    }

    @Test("copies targets from files, under the name of each hash")
    func copies() async throws {
        var editor = try published()
        let file = try newFolder() + "/file"
        try Data(repeating: 7, count: 200_000).write(to: URL(filePath: file))
        editor.hashAlgorithms = [.sha256, .sha512]
        let target = try editor.addTarget("big", file: file)
        try editor.publish(signedBy: [key])
        #expect(target.length == 200_000)
        #expect(target.hashes.known.values.allSatisfy { files.contains("targets/\($0).big") })
        #expect(try await client().content(of: "big")?.utf8.count == 200_000)
    }

    @Test("refuses a file that has changed since it was added")
    func changedFile() throws {
        var editor = try published()
        let before = files
        let file = try newFolder() + "/file"
        try Data("one".utf8).write(to: URL(filePath: file))
        try editor.addTarget("b", file: file)
        try Data("two".utf8).write(to: URL(filePath: file))
        #expect(errorCode { try editor.publish(signedBy: [key]) } == .hashMismatch)
        #expect(files == before)
    }

    @Test("refuses edits that no client would accept")
    func invalidEdits() throws {
        var editor = try published()
        #expect(throws: TUFError.self) { try editor.addTarget("../x", bytes: []) }
        try editor.addTarget("b", bytes: [0x62])
        #expect(throws: TUFError.self) { try editor.removeTarget("missing") }
        #expect(try editor.targets(of: "targets")["b"] != nil)
        #expect(throws: TUFError.self) { try editor.setKeys([], threshold: 1, of: .root) }
        #expect(throws: TUFError.self) { try editor.setKeys([key.publicKey], threshold: 2, of: .root) }
        #expect(throws: TUFError.self) { try editor.setKeys([key.publicKey, key.publicKey], threshold: 2, of: .root) }
        for name in ["root", "a/b", "", ".", "é"] {
            #expect(throws: TUFError.self) { try editor.delegate(to: name, keys: [key.publicKey], scope: .paths([])) }
        }
        var empty = try RepositoryEditor(folder: newFolder())
        #expect(throws: TUFError.self) { try empty.publish(signedBy: [key]) }
    }

    @Test("divides many targets into bins, and those into more bins, and clients find them", arguments: [1, 2, 16, 32])
    func bins(_ count: Int) async throws {
        var editor = try new()
        try editor.delegateToBins(count: count, keys: [key.publicKey])
        #expect(throws: TUFError.self) { try editor.delegateToBins(count: 3, keys: [key.publicKey]) }
        for index in 0..<40 { try editor.addTarget("file-\(index)", bytes: Array("\(index)".utf8)) }
        try editor.publish(signedBy: [key])
        #expect(try editor.root.version == 1 && editor.targets(of: "targets").paths.isEmpty)
        let client = try client()
        for next in [count, 64, 256] {
            if next > count { try editor.divideBins(into: next, keys: [key.publicKey]) }
            try editor.publish(signedBy: [key])
            #expect(try editor.targets(of: "targets").delegations?.roles.count == next)
            for index in stride(from: 0, to: 40, by: 3) {
                #expect(try await client.content(of: "file-\(index)") == "\(index)")
            }
            // Adding a target changes one bin.
            let before = files
            try editor.addTarget("new-\(next)", bytes: [])
            try editor.publish(signedBy: [key])
            #expect(files.subtracting(before).filter { $0.contains("bin-") }.count == 1)
            let names = try #require(editor.targets(of: "targets").delegations).roles.map(\.name)
            // Each target is in one bin.
            #expect(
                try names.map { try editor.targets(of: $0).paths.filter { $0.hasPrefix("file-") }.count }.reduce(0, +)
                    == 40)
        }
    }

    @Test("puts a new delegation at the requested position, and keeps that of an old one")
    func positions() throws {
        var editor = try published()
        for (name, position) in [("b", nil), ("a", 0), ("c", 99), ("a", 2), ("d", -1)] as [(String, Int?)] {
            try editor.delegate(to: name, keys: [key.publicKey], scope: .paths([PathPattern("*")]), at: position)
        }
        #expect(try editor.targets(of: "targets").delegations?.roles.map(\.name) == ["d", "a", "b", "c"])
    }

    @Test("moves a target to another role without its content")
    func movedTarget() async throws {
        var editor = try published()
        try editor.delegate(
            to: "team", keys: [key.publicKey], scope: .paths([PathPattern("dir/*")]), isTerminating: true)
        let file = try #require(editor.targets(of: "targets")["dir/a"])
        try editor.addTarget("dir/a", published: file, role: "team")
        try editor.removeTarget("dir/a", role: "targets")
        #expect(editor.changedRoles == ["targets", "team"] && editor.unsignedRoles == editor.changedRoles)
        try editor.publish(signedBy: [key])
        #expect(try await client().content(of: "dir/a") == "content")
        #expect(throws: TUFError.self) { try editor.addTarget("../x", published: file, role: "team") }
    }

    @Test("takes the content of targets that a team describes")
    func teamContent() async throws {
        var editor = try published()
        let team = try SecretKey.generate(.ed25519)
        try editor.delegate(to: "team", keys: [team.publicKey], scope: .paths([PathPattern("team/*")]))
        try editor.publish(signedBy: [key, team])
        // The team works on a copy.
        var copy = editor
        try copy.addTarget("team/a", bytes: Array("by the team".utf8))
        let signed = try copy.unsignedTargets(of: "team").signed(by: [team])
        let file = try newFolder() + "/file"
        try Data("by another".utf8).write(to: URL(filePath: file))
        try editor.importTargets(signed, of: "team")
        #expect(throws: TUFError.self) { try editor.addContent(ofTarget: "team/b", file: file, role: "team") }
        var wrong = editor
        try wrong.addContent(ofTarget: "team/a", file: file, role: "team")
        #expect(errorCode { try wrong.publish(signedBy: [key]) } == .hashMismatch)
        try Data("by the team".utf8).write(to: URL(filePath: file))
        try editor.addContent(ofTarget: "team/a", file: file, role: "team")
        try editor.publish(signedBy: [key])
        #expect(try await client().content(of: "team/a") == "by the team")
    }

    @Test("is not published with metadata that is too long for clients")
    func longTargets() throws {
        var editor = try published()
        let before = files
        editor.longestTargets = 2_000
        for index in 0..<30 { try editor.addTarget("file-\(index)", bytes: []) }
        let error = #expect(throws: TUFError.self) { try editor.publish(signedBy: [key]) }
        #expect(error?.code == .tooLong && error?.subject == "targets.json")
        #expect(files == before)
    }
}
