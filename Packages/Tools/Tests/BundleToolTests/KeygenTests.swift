import Console
import FoundationEssentials
import PluginCore
import Signing
import Testing

@testable import BundleTool

@Suite("bundletool keygen", .tags(.medium))
struct KeygenTests {
    private let folder: TestFolder
    /// The name of the key pair.
    private var name: String { folder.place("team") }

    init() throws { folder = try TestFolder() }

    private func mode(_ file: String) throws -> Int? {
        let mode = try FileManager.default.attributesOfItem(atPath: folder.place(file))[.posixPermissions]
        return (mode as? UInt16).map(Int.init) ?? (mode as? Int)
    }

    /// Runs the command with answers to its questions and returns the prompts.
    private func keygen(_ words: [String], answers: [String] = []) throws -> (reply: Reply, prompts: [String]) {
        var (left, prompts) = (answers[...], [String]())
        let parsed = try CommandLineParser(Program.command).parse(["keygen"] + words)
        let answer = try BundleTool.keygen(parsed, on: .plain) { prompt in
            prompts.append(prompt)
            guard let answer = left.popFirst() else { throw SecretInput.Failure.noTerminal }
            return answer
        }
        return (Reply(answer, isJSON: parsed.flag("json")), prompts)
    }

    @Test("keygen creates a secret key that only its owner can read, and its public key, and prints what they are")
    func pair() throws {
        let reply = try keygen(["--output", name, "--no-password"]).reply
        let key = try SigningKey(text: folder.text("team.key"), password: nil)
        #expect(try folder.text("team.pub") == key.publicKey.text)
        #expect(try mode("team.key") == 0o600 && mode("team.pub") == 0o644)
        #expect(reply.text.contains("not encrypted"))
        #expect(reply.text.contains("\(key.publicKey.id)") && !reply.text.contains("PRIVATE"))
        let document = try keygen(["-o", folder.place("a.pub"), "--no-password", "--json"]).reply.json
        #expect(document["secretKey"] == "\(folder.path)/a.key" && document["publicKey"] == "\(folder.path)/a.pub")
        let printed = try VerifyingKey(folder.text("a.pub"))
        #expect(document["keyID"] == "\(printed.id)" && document["key"] == "\(printed.base64)")
        #expect(document["encrypted"] == false)
    }

    @Test("keygen encrypts the key with the password that was typed twice")
    func asked() throws {
        let prompts = try keygen(["-o", name], answers: ["sécret", "sécret"]).prompts
        #expect(prompts == ["Password for \(name).key: ", "Repeat the password: "])
        let pem = try folder.text("team.key")
        #expect(pem.contains("ENCRYPTED PRIVATE KEY"))
        let key = try SigningKey(text: pem, password: "sécret")
        #expect(try folder.text("team.pub") == key.publicKey.text)
    }

    @Test(
        "keygen reads the password from the first line of a file",
        arguments: ["secret", "secret\n", "secret\r\nmore\n"])
    func passwordFile(content: String) throws {
        _ = try keygen(["-o", name, "--password-file", folder.write(content, to: "password")])
        _ = try SigningKey(text: folder.text("team.key"), password: "secret")
    }

    @Test(
        "keygen creates no key without a valid password",
        arguments: [["one", "two"], ["", ""], ["one"], []])
    func noPassword(answers: [String]) throws {
        #expect(throws: (any Error).self) { try keygen(["-o", name], answers: answers) }
        let words = try ["-o", name, "--password-file", folder.write("\nsecret\n", to: "empty")]
        #expect(try refusal { try keygen(words) }.hasSuffix(" keyInvalid"))
        #expect(try folder.names() == ["empty"])
    }

    @Test("keygen without a terminal reports the other ways to give a password")
    func noTerminal() throws {
        #expect { try keygen(["-o", name]) } throws: { ($0 as? UsageError)?.expected == ["--password-file <file>"] }
        #expect(try folder.names().isEmpty)
    }

    @Test(
        "keygen overwrites no existing file and checks this before it asks for a password",
        arguments: ["team.key", "team.pub"], ["file", "link", "folder"])
    func overwriting(file: String, kind: String) throws {
        let path = folder.place(file)
        switch kind {
        case "file": try folder.write("precious", to: file)
        case "link":
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: folder.place("nowhere"))
        default: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        for words in [["--no-password"], []] {
            #expect { try keygen(["-o", name] + words, answers: []) } throws: { error in
                let (report, status) = FailureReport.of(error)
                return report.code == "fileExists" && report.subject == path && status == .refused
            }
        }
        #expect(try folder.names() == [file])
        if kind == "file" { #expect(try folder.text(file) == "precious") }
    }

    @Test("keygen removes the public file if it cannot create the secret file")
    func bothOrNone() throws {
        // The file appears after the check and before the key is created.
        #expect(throws: CommandError.self) {
            let parsed = try CommandLineParser(Program.command).parse(["keygen", "-o", name])
            _ = try BundleTool.keygen(parsed, on: .plain) { _ in
                try folder.write("precious", to: "team.key")
                return "secret"
            }
        }
        #expect(try folder.names() == ["team.key"])
        #expect(try folder.text("team.key") == "precious")
    }

    @Test("keygen rejects an invalid name, and a password file together with --no-password")
    func usage() {
        for name in ["", "keys/", ".", "keys/..", "/", ".key", "keys/.pub"] {
            let error = #expect(throws: UsageError.self) { try keygen(["--no-password", "--output", name]) }
            #expect(error?.code == .invalidValue, "\(name)")
        }
        let error = #expect(throws: UsageError.self) { try keygen(["--no-password", "--password-file", "x"]) }
        #expect(error?.code == .conflictingOptions)
    }
}
