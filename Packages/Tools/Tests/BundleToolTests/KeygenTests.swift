import Console
import FoundationEssentials
import PluginCore
import Signing
import Testing

@testable import BundleTool

@Suite("bundletool keygen", .tags(.medium))
struct KeygenTests {
    private func text(_ path: FilePath) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path.string)), as: UTF8.self)
    }

    private func mode(_ path: FilePath) throws -> Int? {
        let mode = try FileManager.default.attributesOfItem(atPath: path.string)[.posixPermissions]
        return (mode as? UInt16).map(Int.init) ?? (mode as? Int)
    }

    /// Runs the command with answers to its questions and returns the prompts.
    private func keygen(_ words: [String], answers: [String] = []) throws -> (reply: Reply, prompts: [String]) {
        var (left, prompts) = (answers[...], [String]())
        let parsed = try CommandLineParser(Program.command).parse(["keygen"] + words)
        let answer = try KeygenCommand.run(parsed, on: .plain) { prompt in
            prompts.append(prompt)
            guard let answer = left.popFirst() else { throw SecretInput.Failure.noTerminal }
            return answer
        }
        return (Reply(answer, isJSON: parsed.flag("json")), prompts)
    }

    @Test("keygen creates a secret key that only its owner can read, and its public key, and prints what they are")
    func pair() throws {
        try Files.withTemporaryFolder { folder in
            let name = folder.appending("team").string
            let reply = try keygen(["--output", name, "--no-password"]).reply
            let (secret, open) = (folder.appending("team.key"), folder.appending("team.pub"))
            let key = try SigningKey(text: text(secret), password: nil)
            #expect(try text(open) == key.publicKey.text)
            #expect(try mode(secret) == 0o600)
            #expect(try mode(open) == 0o644)
            #expect(reply.text.contains("not encrypted"))
            #expect(reply.text.contains("\(key.publicKey.id)") && !reply.text.contains("PRIVATE"))
            let document = try keygen(["-o", folder.appending("a.pub").string, "--no-password", "--json"]).reply.json
            #expect(document["secretKey"] == "\(folder)/a.key" && document["publicKey"] == "\(folder)/a.pub")
            let printed = try VerifyingKey(text(folder.appending("a.pub")))
            #expect(document["keyID"] == "\(printed.id)" && document["key"] == "\(printed.base64)")
            #expect(document["encrypted"] == false)
        }
    }

    @Test("keygen encrypts the key with the password that was typed twice")
    func asked() throws {
        try Files.withTemporaryFolder { folder in
            let name = folder.appending("team").string
            let prompts = try keygen(["-o", name], answers: ["sécret", "sécret"]).prompts
            #expect(prompts == ["Password for \(name).key: ", "Repeat the password: "])
            let pem = try text(folder.appending("team.key"))
            #expect(pem.contains("ENCRYPTED PRIVATE KEY"))
            let key = try SigningKey(text: pem, password: "sécret")
            #expect(try text(folder.appending("team.pub")) == key.publicKey.text)
        }
    }

    @Test(
        "keygen reads the password from the first line of a file",
        arguments: ["secret", "secret\n", "secret\r\nmore\n"])
    func passwordFile(content: String) throws {
        try Files.withTemporaryFolder { folder in
            let file = folder.appending("password")
            try Data(content.utf8).write(to: URL(filePath: file.string))
            _ = try keygen(["-o", folder.appending("team").string, "--password-file", file.string])
            _ = try SigningKey(text: text(folder.appending("team.key")), password: "secret")
        }
    }

    @Test(
        "keygen creates no key without a valid password",
        arguments: [["one", "two"], ["", ""], ["one"], []])
    func noPassword(answers: [String]) throws {
        try Files.withTemporaryFolder { folder in
            let name = folder.appending("team").string
            #expect(throws: (any Error).self) { try keygen(["-o", name], answers: answers) }
            let empty = folder.appending("empty")
            try Data("\nsecret\n".utf8).write(to: URL(filePath: empty.string))
            let words = ["-o", name, "--password-file", empty.string]
            #expect(try refusal { try keygen(words) }.hasSuffix(" keyInvalid"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.string) == ["empty"])
        }
    }

    @Test("keygen without a terminal reports the other ways to give a password")
    func noTerminal() throws {
        try Files.withTemporaryFolder { folder in
            let name = folder.appending("team").string
            #expect { try keygen(["-o", name]) } throws: { ($0 as? UsageError)?.expected == ["--password-file <file>"] }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.string)
            #expect(left.isEmpty)
        }
    }

    @Test(
        "keygen overwrites no existing file and checks this before it asks for a password",
        arguments: ["team.key", "team.pub"], ["file", "link", "folder"])
    func overwriting(name: String, kind: String) throws {
        try Files.withTemporaryFolder { folder in
            let path = folder.appending(name)
            switch kind {
            case "file": try Data("precious".utf8).write(to: URL(filePath: path.string))
            case "link":
                try FileManager.default.createSymbolicLink(
                    atPath: path.string, withDestinationPath: folder.appending("nowhere").string)
            default: try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: false)
            }
            for words in [["--no-password"], []] {
                #expect { try keygen(["-o", folder.appending("team").string] + words, answers: []) } throws: { error in
                    let (report, status) = FailureReport.of(error)
                    return report.code == "fileExists" && report.subject == path.string && status == .refused
                }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.string) == [name])
            if kind == "file" { #expect(try text(path) == "precious") }
        }
    }

    @Test("keygen removes the public file if it cannot create the secret file")
    func bothOrNone() throws {
        try Files.withTemporaryFolder { folder in
            let name = folder.appending("team").string
            // The file appears after the check and before the key is created.
            #expect(throws: CommandError.self) {
                let parsed = try CommandLineParser(Program.command).parse(["keygen", "-o", name])
                _ = try KeygenCommand.run(parsed, on: .plain) { _ in
                    try Data("precious".utf8).write(to: URL(filePath: name + ".key"))
                    return "secret"
                }
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.string)
            #expect(left == ["team.key"])
            #expect(try text(folder.appending("team.key")) == "precious")
        }
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
