import BundleFormat
import Foundation
import PluginCore
import Signing
import Testing

@testable import Registry
@testable import Trust
@testable import HostSystem
@testable import PluginRuntime

@Suite("Trust files of a sandbox", .tags(.medium))
struct TrustFileTests {
    struct TrustFixture {
        let shipped: FilePath
        let sandbox: Sandbox
        let file: TrustFile

        init(_ folder: FilePath) {
            shipped = folder.appending("share/trust.json")
            sandbox = Sandbox(root: folder.appending("sandbox"))
            file = TrustFile(shipped: shipped, sandbox: sandbox)
        }
    }

    private static func adding(
        _ key: Int, to team: String = "com.example"
    ) -> (TrustStore) throws(AtriumError) -> TrustStore {
        { store throws(AtriumError) in
            guard let key = try? TrustSample.key(key) else { return store }
            return try store.adding(team: team, name: nil, prefixes: [team], key: key)
        }
    }

    @Test("Without trust files nobody is trusted, and reading creates nothing")
    func missing() throws {
        try withFolderNow { folder in
            let fixture = TrustFixture(folder)
            let read = try fixture.file.read()
            #expect(read == .empty)
            #expect(try fixture.file.change { $0 }.after == .empty)
            #expect(try TrustFile(shipped: nil, sandbox: fixture.sandbox).read() == .empty)
            #expect(try folder.names == [])
        }
    }

    @Test("Both trust files are read as one, and only additions to the host's file are written")
    func merged() throws {
        try withFolderNow { folder in
            let fixture = TrustFixture(folder)
            try fixture.shipped.write(try TrustSample.store().encoded())
            try fixture.file.change(Self.adding(1, to: "org.other"))
            #expect(try fixture.file.read().teams.map(\.identifier) == ["com.example", "org.other"])
            let own = try TrustStore(reading: fixture.sandbox.trust.bytes, named: "own")
            #expect(own.teams.map(\.identifier) == ["org.other"])
            #expect(try fixture.shipped.bytes == TrustSample.store().encoded())
            #expect(try fixture.sandbox.trust.parent.names == ["trust.json"])
        }
    }

    @Test("A team of the host's file can be rotated and revoked in the sandbox's file")
    func rotated() throws {
        try withFolderNow { folder in
            let fixture = TrustFixture(folder)
            try fixture.shipped.write(try TrustSample.store().encoded())
            let key = try TrustSample.key(1)
            try fixture.file.change { store throws(AtriumError) in
                try store.rotating(team: "com.example", to: key, overlap: 100, now: 0)
            }
            #expect(try fixture.file.read().report(0, at: 100) == "keyRetired")
            #expect(try fixture.file.read().report(1, at: 100) == "passes")
            try fixture.file.change { store throws(AtriumError) in
                try store.revoking(key: key.id, reason: "stolen", at: 0)
            }
            #expect(try fixture.file.read().report(1, for: .load) == "keyRevoked")
            // A newer host that ships the revoked key doesn't restore its trust.
            try fixture.shipped.write(
                try TrustSample.store().adding(team: "com.example", name: nil, prefixes: [], key: key).encoded())
            #expect(try fixture.file.read().report(1, for: .load) == "keyRevoked")
        }
    }

    @Test("A key that the user added stays trusted after a host that ships the same key is replaced")
    func kept() throws {
        try withFolderNow { folder in
            let fixture = TrustFixture(folder)
            try fixture.file.change(Self.adding(0))
            try fixture.shipped.write(try TrustSample.store().encoded())
            try fixture.file.change(Self.adding(1, to: "org.other"))
            try fixture.shipped.remove()
            #expect(try fixture.file.read().report(0) == "passes")
            #expect(try fixture.file.read().report(1, of: "org.other", on: "org.other") == "passes")
        }
    }

    @Test("The sandbox's file cannot allow a key that the host's file has retired, and adding it fails")
    func stricter() throws {
        try withFolderNow { folder in
            let fixture = TrustFixture(folder)
            let shipped = try TrustSample.store().rotating(
                team: "com.example", to: TrustSample.key(1), overlap: 0, now: 0)
            try fixture.shipped.write(shipped.encoded())
            #expect(throws: AtriumError.self) { try fixture.file.change(Self.adding(0)) }
            #expect(!fixture.sandbox.trust.exists)
            #expect(try fixture.file.read() == shipped)
        }
    }

    @Test("A damaged trust file is an error and is never treated as empty", arguments: [true, false])
    func damaged(isShipped: Bool) throws {
        try withFolderNow { folder in
            let fixture = TrustFixture(folder)
            try fixture.shipped.write(try TrustSample.store().encoded())
            try fixture.file.change(Self.adding(1, to: "org.other"))
            let path = isShipped ? fixture.shipped : fixture.sandbox.trust
            let whole = try path.bytes
            for bytes in [[], [0], Array(whole.dropLast(3)), Array(whole.dropFirst()), whole + whole] {
                try path.write(bytes)
                for error in [
                    failure { () throws(AtriumError) in try fixture.file.read() },
                    failure { () throws(AtriumError) in try fixture.file.change { $0 } },
                ] {
                    #expect(error?.code == .trustInvalid)
                    #expect(error?.subject == path.string)
                }
                #expect(try path.bytes == bytes)
            }
        }
    }

    @Test("A folder or a dangling symbolic link in place of a trust file is an error")
    func noFile() throws {
        try withFolderNow { folder in
            let fixture = TrustFixture(folder)
            try fixture.sandbox.trust.makeFolder()
            #expect(failure { () throws(AtriumError) in try fixture.file.read() }?.code == .inputOutput)
            try fixture.sandbox.trust.remove()
            let target = folder.appending("elsewhere").string
            try FileManager.default.createSymbolicLink(
                atPath: fixture.sandbox.trust.string, withDestinationPath: target)
            #expect(failure { () throws(AtriumError) in try fixture.file.read() }?.code == .inputOutput)
        }
    }

    @Test("A trust folder that cannot be searched is an error, not a missing file")
    func unsearchable() throws {
        try withFolderNow { folder in
            let fixture = TrustFixture(folder)
            try fixture.sandbox.trust.parent.parent.makeFolder()
            try fixture.sandbox.trust.parent.write("a file where the folder should be")
            #expect(failure { () throws(AtriumError) in try fixture.file.read() }?.code == .sandboxUnwritable)
            #expect(failure { () throws(AtriumError) in try fixture.file.identity }?.code == .sandboxUnwritable)
        }
    }

    @Test("The identity changes exactly if one of the files changes")
    func identity() throws {
        try withFolderNow { folder in
            let fixture = TrustFixture(folder)
            var seen = [try fixture.file.identity]
            func note(_ change: () throws -> Void) throws {
                try change()
                let (identity, again) = (try fixture.file.identity, try fixture.file.identity)
                #expect(!seen.contains(identity))
                #expect(identity == again)
                seen.append(identity)
            }
            try note { try fixture.shipped.write(TrustSample.store().encoded()) }
            try note { try fixture.file.change(Self.adding(1, to: "org.other")) }
            try note { try fixture.file.change(Self.adding(2, to: "org.other")) }
            // Another file with the same content and size.
            try note { try FileSystem.replace(fixture.sandbox.trust, with: fixture.sandbox.trust.bytes) }
            try fixture.file.change { $0 }
            #expect(try fixture.file.identity == seen.last)
            try note { try fixture.shipped.remove() }
            try fixture.sandbox.trust.remove()
            #expect(try fixture.file.identity == seen.first)
        }
    }

    @Test(
        "The sandbox's trust file is readable by its owner alone, unless it is shared, and a temporary file of an interrupted change is replaced"
    )
    func mode() throws {
        try withFolderNow { folder in
            let fixture = TrustFixture(folder)
            try fixture.sandbox.trust.parent.appending(".trust.json.new").write("half")
            try fixture.file.change(Self.adding(0))
            func mode() throws -> Int? {
                let path = fixture.sandbox.trust.string
                return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try mode() == 0o600)
            #expect(try fixture.sandbox.trust.parent.names == ["trust.json"])
            chmod(fixture.sandbox.trust.string, 0o444)
            try fixture.file.change(Self.adding(1, to: "org.other"))
            #expect(try mode() == 0o444)
        }
    }
}
