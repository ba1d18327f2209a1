import Authoring
import Glibc
import HostSystem
import BundleFormat
import CatalogPublisher
import Trust
import Console
import FoundationEssentials
import PluginCore
import PluginRuntime
import Signing
import Testing
import Zip
import ZipWriting

@testable import BundleTool

@Suite("bundletool sign and verify", .tags(.medium))
struct SignTests {
    private let bench: Bench

    init() throws { bench = try Bench() }

    /// A plugin with two signing keys.
    private struct Bench {
        static let time = "2026-11-21T12:00:00Z"
        let fixture: PluginFixture
        let key: SigningKey

        init(manifest: String = PluginFixture.manifest) throws {
            fixture = try PluginFixture(manifest: manifest)
            key = try .generate()
            try fixture.write(key.pem(password: nil), to: "key.pem")
            try fixture.write(key.publicKey.text, to: "key.pub")
            try fixture.write(SigningKey.generate().publicKey.text, to: "other.pub")
        }
        var package: FilePath { fixture.package }
        func path(_ name: String) -> String { fixture.root.appending(name).string }

        var signing: [String] { ["--key", path("key.pem"), "--team", "com.example", "--signed-at", Self.time] }

        @discardableResult
        func pack(_ more: [String] = []) throws -> Reply { try bundletool(fixture.packing + more) }

        func verify(_ path: String? = nil, by key: String = "key.pub", _ more: String...) throws -> Reply {
            try bundletool(["verify", path ?? package.string, "--key", self.path(key)] + more)
        }
    }

    /// Returns a manifest that declares an app group.
    private static func manifest(joining group: String) -> String {
        PluginFixture.manifest.replacing(#""routes""#, with: #""appGroups": ["\#(group)"], "routes""#)
    }

    @Test("pack and sign reject an app group of another team regardless of the signer, and inspect reports it")
    func foreignGroup() throws {
        let bench = try Bench(manifest: Self.manifest(joining: "group.org.acme"))
        for options in [[], bench.signing] {
            let error = try #require(throws: AtriumError.self) { try bench.pack(options) }
            #expect(error.code == .groupForeign && error.problems.count == 1, "\(error)")
        }
        #expect(!FileManager.default.fileExists(atPath: bench.package.string))
        let own = try Bench(manifest: Self.manifest(joining: "group.com.example.cart"))
        try own.pack(own.signing)
        #expect(try PackageInspection(of: own.package).groupRefusal == nil)
        var options = own.signing
        options[3] = "com.example.app"
        let error = try #require(throws: AtriumError.self) { try bundletool(["sign", own.package.string] + options) }
        #expect(error.code == .groupForeign, "\(error)")
        #expect(error.problems.map(\.sentence).first?.contains("\"com.example.app\"") == true, "\(error)")
    }

    @Test("inspect reports an app group of another team and ends with 77", arguments: [[], ["--json"]])
    func inspectedGroup(options: [String]) throws {
        let problem = "appGroups: \"group.org.acme\" belongs to the team that owns \"org.acme\""
        for (group, status) in [("group.org.acme", Console.ExitStatus.refused), ("group.com.example", .done)] {
            let fixture = try PluginFixture()
            let manifest = PluginFixture.assets.replacing(#""kind""#, with: #""appGroups": ["\#(group)"], "kind""#)
            // Packed by another tool: "bundletool pack" refuses it.
            var writer = ZipWriter()
            try writer.add(Array(manifest.utf8), as: "manifest.json")
            let package = fixture.root.appending("theme.zip").string
            try writer.write(to: package)
            let reply = try bundletool(["inspect", package] + options)
            #expect(reply.status == status, "\(reply)")
            #expect(reply.text.replacing("\\\"", with: "\"").contains(problem) == (status == .refused), "\(reply)")
        }
    }

    @Test("Signing during packing and afterwards yields the same bytes")
    func sameBytes() throws {
        try bench.pack(bench.signing)
        let signed = try bench.fixture.bytes(of: bench.package)
        try bench.pack(bench.signing)
        #expect(try bench.fixture.bytes(of: bench.package) == signed)
        try bench.pack()
        #expect(try bench.fixture.bytes(of: bench.package) != signed)
        try bundletool(["sign", bench.package.string] + bench.signing)
        #expect(try bench.fixture.bytes(of: bench.package) == signed)
        let copy = bench.path("copy.zip")
        try bundletool(["sign", bench.package.string, "-o", copy] + bench.signing)
        #expect(try bench.fixture.bytes(of: FilePath(copy)) == signed)
    }

    @Test(
        "verify ends with 0 for a valid seal, with 77 for a rejected one, and with 65 for a file that is not a bundle")
    func statuses() throws {
        try bench.pack()
        #expect(try bench.verify().status == .refused)
        try bench.pack(bench.signing)
        let reply = try bench.verify()
        #expect(reply.status == .done)
        #expect(
            reply.text == """
                bundle        com.example.app.shop@1.1.0
                team          com.example
                key           \(bench.key.publicKey.id)
                signed        \(Bench.time)
                sealed files  5
                verified  \(bench.package)

                """)
        #expect(try bench.verify(by: "other.pub").status == .refused)
        #expect(try bench.verify(bench.path("libShop.so")).status == .badInput)
        #expect(try refusal { try bench.verify(bench.path("plugin/Resources")) } == "65 bundleMissing")
        #expect(try bench.verify(bench.path("plugin")).status == .refused)
        #expect(try refusal { try bench.verify(bench.path("none.zip")) } == "66 fileUnknown")
    }

    @Test("sign replaces the target of a symbolic link, but nothing that is not a regular file")
    func targets() throws {
        try bench.pack()
        let link = bench.path("link.zip")
        try #require(symlink(bench.package.string, link) == 0)
        let before = try bench.fixture.bytes(of: bench.package)
        try bundletool(["sign", link] + bench.signing)
        #expect(try bench.fixture.bytes(of: bench.package) != before)
        #expect(Files.kind(of: FilePath(link), followingLinks: false) == .other)
        let pipe = bench.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        for target in [pipe, bench.path("plugin")] {
            let error = #expect(throws: CommandError.self) {
                try bundletool(["sign", link, "-o", target] + bench.signing)
            }
            #expect(error?.exitStatus == .refused)
        }
        #expect(Files.kind(of: FilePath(pipe)) == .other)
    }

    @Test("verify trusts the signers that a host's trust store trusts")
    func trust() throws {
        try bench.pack(bench.signing)
        let words = ["verify", bench.package.string, "--trust", bench.path("trust.json")]
        for (prefix, status) in [("com.example", Console.ExitStatus.done), ("com.example.other", .refused)] {
            let store = try TrustStore.empty.adding(
                team: "com.example", name: nil, prefixes: [prefix], key: bench.key.publicKey)
            try bench.fixture.write(store.encoded(), to: "trust.json")
            #expect(try bundletool(words).status == status)
        }
        try bench.fixture.write("{}", to: "trust.json")
        #expect(try refusal { try bundletool(words) }.hasSuffix(" trustInvalid"))
    }

    @Test("verify reports all problems of a folder, as text and as JSON")
    func findings() throws {
        try bench.pack(bench.signing)
        let folder = bench.fixture.root.appending("unpacked")
        try ZipArchive(path: bench.package.string).extract(to: folder.string)
        #expect(try bench.verify(folder.string).status == .done)
        try FileManager.default.removeItem(atPath: folder.appending("Resources/Pages/help.json").string)
        try bench.fixture.write("evil", to: "unpacked/lib/evil.so")
        let text = try bench.verify(folder.string)
        #expect(text.status == .refused)
        #expect(
            text.text.hasSuffix(
                """
                refused  \(folder)
                  - Resources/Pages/help.json: it is sealed, but missing
                  - lib/evil.so: it is not sealed

                """))
        let json = try bench.verify(folder.string, by: "other.pub", "--json")
        #expect(json.status == .refused)
        let document = try json.json
        #expect(document.verified == false && document.team == "com.example" && document.code == "teamUnknown")
        #expect(document["findings.code"] == ["teamUnknown", "sealBroken", "sealBroken"])
        #expect(document["findings.path"] == [.null, "Resources/Pages/help.json", "lib/evil.so"])
        #expect(document["findings.what"].texts.dropFirst() == ["it is sealed, but missing", "it is not sealed"])
    }

    @Test("A key file that is not valid UTF-8 is rejected", arguments: ["key.pub", "key.pem"])
    func repaired(name: String) throws {
        try bench.pack(bench.signing)
        // A lenient reader would take this part of the file for a comment.
        var bytes = try bench.fixture.bytes(of: FilePath(bench.path(name)))
        bytes.insert(0xFF, at: name == "key.pub" ? 30 : 0)
        if name == "key.pem" { bytes.insert(0x0A, at: 1) }
        try bench.fixture.write(bytes, to: name)
        let error = #expect(throws: AtriumError.self) {
            if name == "key.pub" { _ = try bench.verify() } else { try bench.pack(bench.signing) }
        }
        #expect(error?.code == .keyInvalid && error?.reason?.sentence == "it is not UTF-8 text")
    }

    /// Signs a package with other contents than `bundletool pack` would write, and returns its path.
    private func package(_ change: (inout [(name: String, bytes: [UInt8])]) -> Void) throws -> String {
        try bench.pack(bench.signing)
        let archive = try ZipArchive(path: bench.package.string)
        var files = try archive.entries.map(\.name).filter { !$0.hasPrefix("signature/") }.map { name in
            (name: name, bytes: try archive.contents(of: name, limit: .max))
        }
        change(&files)
        var writer = ZipWriter()
        for file in files { try writer.add(file.bytes, as: file.name) }
        let sealed = try files.map { file in
            Seal.File(
                path: file.name, size: UInt64(file.bytes.count),
                sha256: try ContentDigest.of(file.bytes))
        }
        let sealer = Sealer(key: bench.key, team: "com.example", signedAt: 0)
        let identity = try #require(PackageFile.identity(named: bench.package.lastComponent))
        let signed = try sealer.sign(sealed, of: identity)
        try writer.add(signed.seal, as: Seal.name)
        try writer.add(signed.signature, as: Seal.signatureName)
        let path = bench.path("changed.zip")
        try writer.write(to: path)
        return path
    }

    @Test("inspect, sign and verify reject the top-level files that install rejects")
    func topLevel() throws {
        let path = try package { $0.append(("README.md", [1])) }
        for words in [["inspect", path], ["sign", path] + bench.signing] {
            let error = #expect(throws: AtriumError.self) { try bundletool(words) }
            #expect(error?.code == .packageInvalid && error?.subject == "changed.zip")
            #expect(error?.reason?.sentence.hasPrefix("\"README.md\" is not allowed in a bundle") == true)
        }
        let reply = try bench.verify(path)
        #expect(reply.status == .badInput && reply.text.contains("\"README.md\" is not allowed in a bundle"))
    }

    @Test("Every command rejects a package whose extension points violate a rule, and sign leaves it as it is")
    func extensionRules() throws {
        let path = try package { files in
            guard let index = files.firstIndex(where: { $0.name == "manifest.json" }) else { return }
            let manifest = String(decoding: files[index].bytes, as: UTF8.self)
            let point = #""extensionPoints": [{"identifier": "com.example.app.shop.pay", "limits": {"memory": 1}}]"#
            files[index].bytes = Array(
                manifest.replacing(#""formatVersion""#, with: point + #", "formatVersion""#).utf8)
        }
        let before = try bench.fixture.bytes(of: FilePath(path))
        let place = "extensionPoints[0].limits.memory"
        for words in [["inspect", path], ["validate", path], ["sign", path] + bench.signing] {
            let error = #expect(throws: AtriumError.self) { try bundletool(words) }
            #expect(error?.code == .manifestInvalid && "\(error?.problems ?? [])".contains(place), "\(words[0])")
        }
        #expect(throws: AtriumError.self) { try CheckedPackage(FilePath(path)) }
        #expect(try bundletool("lint", path).text.contains(place))
        #expect(try bench.fixture.bytes(of: FilePath(path)) == before)
        let reply = try bench.verify(path)
        #expect(reply.status == .badInput && reply.text.contains("memory"), "\(reply)")
    }

    @Test("inspect shows the signer, the signed files and the time, and the problems of a seal")
    func inspect() throws {
        let packed = try bench.pack(bench.signing).text
        let digest = try PackageFile(path: bench.package).sealDigest()
        #expect(packed.contains("seal SHA-256     \(digest)\n"), "\(packed)")
        let text = try bundletool("inspect", bench.package.string).text
        #expect(
            text.contains(
                """

                team             com.example
                key              \(bench.key.publicKey.id)
                signed           \(Bench.time)
                sealed files     5
                seal SHA-256     \(digest)

                """))
        var writer = ZipWriter()
        let archive = try ZipArchive(path: bench.package.string)
        for entry in archive.entries where entry.name != "Resources/Pages/help.json" {
            try writer.add(archive.contents(of: entry.name, limit: .max), as: entry.name)
        }
        try writer.write(to: bench.package.string)
        let words = "not valid: Resources/Pages/help.json: it is sealed, but missing"
        #expect(try bundletool("inspect", bench.package.string).text.contains(words))
        #expect(try bundletool("inspect", bench.package.string, "--json").text.contains("\"sealBroken\""))
    }

    /// Creates a signer with an encrypted key file and returns the prompts.
    private func sealer(
        _ bench: Bench, _ more: String..., answers: [String] = [], failing failure: SecretInput.Failure = .noTerminal
    ) throws -> (sealer: Sealer?, prompts: [String]) {
        try bench.fixture.write(bench.key.pem(password: "pässword"), to: "locked.pem")
        let words = ["sign", "a.zip", "--team", "com.example", "--key", bench.path("locked.pem")] + more
        var (left, prompts) = (answers[...], [String]())
        let request = try SigningOptions.request(in: CommandLineParser(Program.command).parse(words))
        let sealer = try request?.sealer { prompt in
            prompts.append(prompt)
            guard let answer = left.popFirst() else { throw failure }
            return answer
        }
        return (sealer, prompts)
    }

    @Test("The password of an encrypted key is asked for once, unless a file contains it or the key is not encrypted")
    func asking() throws {
        let asked = try sealer(bench, answers: ["pässword"])
        #expect(asked.prompts == ["Password for \(bench.path("locked.pem")): "])
        #expect(asked.sealer?.key.publicKey == bench.key.publicKey)
        try bench.fixture.write("pässword\r\nnot this\n", to: "password")
        #expect(try sealer(bench, "--password-file", bench.path("password")).prompts == [])
        let open = ["sign", "a.zip", "--team", "com.example", "--key", bench.path("key.pem")]
        let parsed = try CommandLineParser(Program.command).parse(open)
        let opened = try SigningOptions.request(in: parsed)?.sealer { _ in throw SecretInput.Failure.noTerminal }
        #expect(opened != nil)
    }

    @Test("Each error with a password has its own exit status")
    func passwords() throws {
        let key = FilePath(bench.path("locked.pem"))
        let file = FilePath(bench.path("password"))
        func failure(_ body: () throws -> Void) -> [String?] {
            let error = #expect(throws: CommandError.self, performing: body)
            return [error?.report.code, error?.report.subject, "\(error?.exitStatus.rawValue ?? 0)"]
        }
        #expect(failure { _ = try sealer(bench) } == ["passwordNeeded", key.string, "64"])
        #expect(failure { _ = try sealer(bench, failing: .canceled) } == ["passwordRefused", key.string, "77"])
        #expect(failure { _ = try sealer(bench, answers: ["password"]) } == ["passwordWrong", key.string, "77"])
        for (content, error) in [
            ([UInt8]("wrong\n".utf8), ["passwordWrong", key.string, "77"]),
            ([0x70, 0xe4, 0x0a], ["passwordUnreadable", file.string, "65"]),
            ([UInt8](repeating: 0x61, count: 1_025), ["passwordUnreadable", file.string, "65"]),
        ] {
            try bench.fixture.write(content, to: "password")
            #expect(failure { _ = try sealer(bench, "--password-file", file.string) } == error)
        }
    }

    @Test("sign does not ask for a password if the package does not exist")
    func askedInVain() throws {
        try bench.fixture.write(bench.key.pem(password: "secret"), to: "locked.pem")
        let words = ["sign", bench.path("none.zip"), "--team", "com.example", "--key", bench.path("locked.pem")]
        #expect(try refusal { try bundletool(words) } == "66 fileUnknown")
    }

    @Test("The signing time is the given one, that of the build, or the current time, and an invalid one is rejected")
    func time() throws {
        func time(_ words: [String], epoch: String?) throws -> Int64 {
            let parsed = try CommandLineParser(Program.command).parse(
                ["sign", "a.zip", "-k", "k", "-t", "com.example"] + words)
            return try SigningOptions.time(of: parsed, epoch: epoch, now: 7)
        }
        #expect(try time([], epoch: nil) == 7)
        #expect(try time([], epoch: "") == 7)
        #expect(try time([], epoch: "1795262400") == 1_795_262_400)
        #expect(try time(["--signed-at", Bench.time], epoch: "1") == 1_795_262_400)
        for (words, epoch) in [(["--signed-at", "yesterday"], nil), ([], "soon"), ([], "-1")] as [([String], String?)] {
            #expect(throws: UsageError.self) { try time(words, epoch: epoch) }
        }
    }

    @Test("An invalid team, and a public key in place of the secret one, are rejected before anything is written")
    func refusals() throws {
        try bench.pack()
        let before = try bench.fixture.bytes(of: bench.package)
        let words = ["sign", bench.package.string, "--key"]
        let key = bench.path("key.pub")
        let error = try #require(throws: CommandError.self) { try bundletool(words + [key, "--team", "com.example"]) }
        #expect(error.report.code == "keyInvalid" && error.exitStatus == .badInput)
        #expect(error.report.message == "\"\(key)\" is a public key, but packages are signed with the secret key")
        #expect(error.report.remedy?.contains("extension .key") == true)
        let team = #expect(throws: UsageError.self) {
            try bundletool(words + [bench.path("key.pem"), "--team", "Example Ltd."])
        }
        #expect(team?.code == .invalidValue)
        #expect(try refusal { try bench.pack(["--key", key, "--team", "com.example"]) }.hasSuffix(" keyInvalid"))
        #expect(try bench.fixture.bytes(of: bench.package) == before)
    }
}
