import HostSystem
import Registry
import Trust
import Console
import FoundationEssentials
import PluginCore
import PluginRuntime
import Preflight
import Resolver
import Signing
import Testing

@testable import AppHost

@MainActor
@Suite("hostapp trust", .tags(.medium))
struct TrustCommandTests {
    private let folder: TemporaryFolder
    private let environment: HostEnvironment
    private let one = "RWSfFjBv+sHErNmPKF4IxvPDuT/UM0hxRC1sd+Us6mHTvaRYUsmTNEoU"
    private let two = "RWQrpp07wtSpswXYw8DFmaq9xee+24ormKtuYKaQZcEciFCXtWrvbKom"

    init() throws {
        folder = try TemporaryFolder()
        environment = .beside(folder.path)
    }

    private var sandbox: Sandbox { Sandbox(root: folder.path.appending("atrium/sandbox")) }
    private var store: TrustStore {
        get throws { try TrustFile(shipped: environment.trust, sandbox: sandbox).read() }
    }

    private func answer(_ words: String...) async throws -> Answer { try await answer(words) }

    private func answer(_ words: [String]) async throws -> Answer {
        let parsed = try CommandLineParser(HostCommands.root).parse(["trust"] + words)
        return try await HostCall(parsed: parsed, environment: environment).answer()
    }

    @Test("No team is trusted initially, and listing teams creates no files")
    func empty() async throws {
        #expect(try await answer("list").text == "No team is trusted.\n")
        #expect(try await answer("list").json.text() == #"{"teams":[]}"#)
        #expect(try folder.names() == [])
    }

    @Test("A team is added by its key file or by the text of its key, and listed")
    func add() async throws {
        try folder.write("untrusted comment: x\n\(one)\n", to: "one.pub")
        let prefixes = ["--prefix", "com.example", "--prefix", "net.example"]
        let added = try await answer(["add", "com.example", "--key", "one.pub", "--name", "Example"] + prefixes)
        let table = """
            TEAM                   OWNS                      KEY               STATE
            com.example (Example)  com.example, net.example  ACC4C1FA6F30169F  valid

            """
        #expect(added.text == "Done: key ACC4C1FA6F30169F signs for team com.example.\n\n" + table)
        #expect(try await answer("list").text == table)
        let again = try await answer("add", "com.example", "--key", one)
        #expect(again.text == "Nothing changed.\n")
        #expect(again.json.text() == #"{"changed":false,"teams":[]}"#)
        #expect(
            try await answer("list").json.text() == """
                {"teams":[{"team":"com.example","name":"Example","prefixes":["com.example","net.example"],"keys":[\
                {"keyID":"ACC4C1FA6F30169F","key":"\(one)","state":"valid","validUntil":null,"revoked":null}]}]}
                """)
        // The lock file and the folders that remained empty have been removed.
        let containers = "atrium/sandbox/Containers"
        let places = [containers, containers + "/Bundle", containers + "/Bundle/trust.json"]
        #expect(try folder.names().filter { $0.hasPrefix(containers) } == places)
    }

    @Test("A team that ships with the host can be listed, rotated and revoked")
    func shipped() async throws {
        let (first, second) = (try VerifyingKey(one), try VerifyingKey(two))
        let shipped = try TrustStore.empty.adding(team: "com.example", name: nil, prefixes: ["com.example"], key: first)
        try folder.write(String(decoding: shipped.encoded(), as: UTF8.self), to: "app/share/atrium/trust.json")
        #expect(try await answer("list").text.contains("com.example  com.example  ACC4C1FA6F30169F  valid"))

        let rotated = try await answer("rotate", "com.example", "--key", two, "--overlap", "0")
        #expect(rotated.text.contains("team com.example now signs with key \(second.id)"))
        #expect(rotated.text.contains("ACC4C1FA6F30169F  retired since "))
        let again = try await answer("rotate", "com.example", "--key", two, "--overlap", "0")
        #expect(again.text.hasPrefix("Nothing changed"))

        let revoked = try await answer("revoke", "\(second.id)".lowercased(), "--reason", "stolen")
        #expect(revoked.text.contains("packages signed with key \(second.id) can no longer be installed or loaded"))
        #expect(revoked.text.contains(": stolen"))
        let all = try await answer("revoke", "com.example", "--reason", "left")
        #expect(all.text.contains("with key \(first.id) can no longer be installed"))
        #expect(try store.teams[0].keys.map(\.revocation?.reason) == ["left", "stolen"])
        #expect(try await answer("revoke", "com.example", "--reason", "again").text.hasPrefix("Nothing changed"))
    }

    @Test("A rotated key stays valid for thirty days by default")
    func overlap() async throws {
        _ = try await answer("add", "com.example", "-k", one, "-p", "com.example")
        let before = Int64(Date().timeIntervalSince1970)
        _ = try await answer("rotate", "com.example", "-k", two)
        let end = try #require(try store.teams[0].keys[0].validUntil)
        #expect((before + 30 * 86_400...before + 30 * 86_400 + 60).contains(end))
    }

    @Test(
        "An invalid change is rejected with its code and changes nothing",
        arguments: [
            (["add", "com.example"], "missingArgument"),
            (["add", "com.example", "--key", "nowhere.pub"], "fileUnknown"),
            (["add", "com.example", "--key", "bad.pub"], "keyInvalid"),
            (["add", "com.example", "--key", "."], "fileUnknown"),
            (["add", "org.other", "--key", "TWO"], "trustIncomplete"),
            (["add", "org.other", "--key", "TWO", "--prefix", "com.example"], "trustConflict"),
            (["add", "org.other", "--key", "ONE", "--prefix", "org.other"], "trustConflict"),
            (["add", "org.other", "--key", "TWO", "--prefix", "*"], "trustConflict"),
            (["rotate", "org.other", "--key", "TWO"], "trustUnknown"), (["rotate", "com.example"], "missingArgument"),
            (["rotate", "com.example", "--key", "TWO", "--overlap", "-1"], "invalidValue"),
            (["rotate", "com.example", "--key", "TWO", "--overlap", "x"], "invalidValue"),
            (["revoke", "com.example"], "missingArgument"),
            (["revoke", "com.example", "--reason", " "], "missingArgument"),
            (["revoke", "com.exampel", "--reason", "x"], "trustUnknown"),
            (["revoke", "0123456789ABCDEF", "--reason", "x"], "trustUnknown"), ([], "missingCommand"),
        ])
    func refusals(words: [String], code: String) async throws {
        _ = try await answer("add", "com.example", "--key", one, "--prefix", "com.example")
        try folder.write("untrusted comment: x\nRWQ=\n", to: "bad.pub")
        let before = try store
        let words = words.map { ["ONE": one, "TWO": two][$0] ?? $0 }
        let error = try await #require(throws: (any Error).self) { try await answer(words) }
        let report = Failure(error).report
        #expect(report.code == code && report.remedy?.isEmpty == false)
        #expect(try store == before)
    }

    @Test("Adding a revoked key and adding a team without a prefix are rejected with specific messages and remedies")
    func ownWords() async throws {
        _ = try await answer("add", "com.example", "--key", one, "--prefix", "com.example")
        _ = try await answer("revoke", "com.example", "--reason", "stolen")
        for (words, message, remedy) in [
            (
                ["add", "com.example", "--key", one],
                #"key "ACC4C1FA6F30169F" was revoked and cannot be trusted again: it belonged to team "com.example"; stolen"#,
                "new key"
            ),
            (
                ["add", "org.other", "--key", two], #"the team "org.other" is new and owns no prefix yet"#,
                "--prefix"
            ),
        ] {
            let error = await #expect(throws: AtriumError.self) { try await answer(words) }
            #expect(error?.report.message == message)
            #expect(error?.report.remedy?.contains(remedy) == true)
        }
    }

    @Test(
        "Every command fails on a damaged trust file and leaves the file unchanged",
        arguments: ["list", "add", "rotate", "revoke"])
    func damaged(command: String) async throws {
        let path = try folder.write("{", to: "atrium/sandbox/Containers/Bundle/trust.json")
        let words = [
            "list": ["list"], "add": ["add", "com.example", "--key", one, "--prefix", "com.example"],
            "rotate": ["rotate", "com.example", "--key", one], "revoke": ["revoke", "com.example", "--reason", "x"],
        ][command]
        await #expect { try await answer(words ?? []) } throws: { ($0 as? AtriumError)?.code == .trustInvalid }
        #expect(try Data(contentsOf: URL(filePath: path.string)) == Data("{".utf8))
    }

    @Test("While another host has locked the sandbox, the trust file can be listed but not changed")
    func busy() async throws {
        _ = try await answer("add", "com.example", "--key", one, "--prefix", "com.example")
        let other = try HostCall(
            parsed: CommandLineParser(HostCommands.root).parse(["list"]), environment: environment)
        try await other.manager.transactions.writer.withWriterLock { @MainActor () async throws -> Void in
            await #expect { try await answer("revoke", "com.example", "--reason", "x") } throws: {
                ($0 as? AtriumError)?.code == .sandboxBusy
            }
            #expect(try await answer("list").text.contains("valid"))
        }
        #expect(try store.teams[0].keys[0].revocation == nil)
    }
}
