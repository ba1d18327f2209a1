import Foundation
import Testing

@testable import Signing

/// Interoperability in both directions with the minisign package of Debian.
@Suite("Interoperability with minisign", .tags(.large))
struct MinisignTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func minisign(_ words: String..., input: String = "") throws -> (status: Int32, output: String) {
        try runProgram("minisign", words, in: folder.path, input: input)
    }

    private static let messages = ["", "x", "Grüße\n\0\u{7f}", String(repeating: "a longer one ", count: 50_000)]

    @Test("minisign accepts written signatures", arguments: messages.indices)
    func accepted(index: Int) throws {
        let key = try SigningKey.generate()
        let message = Self.messages[index]
        let signature = try key.sign(Array(message.utf8), trustedComment: "für Shop\t1.0")
        try folder.write(message, to: "message")
        try folder.write(signature.text, to: "message.minisig")
        try folder.write(key.publicKey.text, to: "key.pub")

        for key in [["-p", "key.pub"], ["-P", key.publicKey.base64]] {
            let outcome = try minisign("-V", "-m", "message", key[0], key[1])
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(outcome.output.contains("Trusted comment: für Shop\t1.0"))
        }
        try folder.write(message + "!", to: "message")
        #expect(try minisign("-V", "-m", "message", "-p", "key.pub").status != 0)
    }

    @Test("minisign reads comments of the maximum length")
    func longComments() throws {
        let key = try SigningKey.generate()
        let (trusted, untrusted) = (String(repeating: "t", count: 8_173), String(repeating: "u", count: 1_003))
        let signature = try key.sign([], trustedComment: trusted, untrustedComment: untrusted)
        try folder.write("", to: "message")
        try folder.write(signature.text, to: "message.minisig")
        let outcome = try minisign("-V", "-m", "message", "-P", key.publicKey.base64)
        #expect(outcome.status == 0, "\(outcome.output.suffix(200))")
        #expect(try MinisignSignature(signature.text) == signature)

        for (trusted, untrusted) in [(trusted + "t", ""), ("", untrusted + "u")] {
            let made = code { try key.sign([], trustedComment: trusted, untrustedComment: untrusted) }
            #expect(made == .commentUnwritable)
        }
    }

    @Test("Signatures of minisign are accepted, prehashed and legacy", arguments: ["-S", "-Sl"])
    func minisignSigns(_ option: String) throws {
        #expect(try minisign("-GW", "-p", "key.pub", "-s", "key").status == 0)
        let verifyingKey = try VerifyingKey(try folder.text("key.pub"))
        // The comment in the file lacks leading zeros of the identifier.
        #expect(try folder.text("key.pub").hasSuffix("\n\(verifyingKey.base64)\n"))
        for message in Self.messages {
            try folder.write(message, to: "message")
            let signing = try minisign(option, "-s", "key", "-m", "message", "-c", "cé")
            #expect(signing.status == 0, "\(signing.output)")
            let signature = try MinisignSignature(try folder.text("message.minisig"))
            #expect(signature.algorithm == (option == "-S" ? .prehashed : .legacy))
            #expect(signature.untrustedComment == "cé")
            #expect(signature.trustedComment.contains("file:message"))
            #expect(try signature.text == folder.text("message.minisig"))
            try signature.verify(Array(message.utf8), by: verifyingKey)
            let other = Array((message + "!").utf8)
            #expect(code { try signature.verify(other, by: verifyingKey) } == .signatureInvalid)
        }
    }

    @Test("A key of minisign signs under its identifier, and a PEM preserves the key without the identifier")
    func plainKey() throws {
        _ = try minisign("-GW", "-p", "key.pub", "-s", "key")
        let key = try SigningKey(text: try folder.text("key"), password: nil)
        #expect(try key.publicKey == VerifyingKey(try folder.text("key.pub")))
        try folder.write("message", to: "message")
        let signature = try key.sign(Array("message".utf8), trustedComment: "")
        try folder.write(signature.text, to: "message.minisig")
        let outcome = try minisign("-V", "-m", "message", "-p", "key.pub")
        #expect(outcome.status == 0, "\(outcome.output)")

        let again = try SigningKey(pem: key.pem(password: nil), password: nil)
        #expect(again.publicKey.point == key.publicKey.point)
        #expect(again.publicKey.id != key.publicKey.id)
    }

    @Test("An encrypted minisign key requires its password")
    func encryptedKey() throws {
        let made = try minisign("-G", "-p", "p", "-s", "s", input: "pass wörd\npass wörd\n")
        #expect(made.status == 0, "\(made.output)")
        let text = try folder.text("s")
        let publicKey = try VerifyingKey(try folder.text("p"))
        #expect(try SigningKey(text: text, password: "pass wörd").publicKey == publicKey)
        #expect(code { try SigningKey(text: text, password: "pass wörd ") } == .passwordWrong)
        #expect(code { try SigningKey(text: text, password: nil) } == .passwordNeeded)
    }

    @Test("A key identifier is printed with leading zeros, and read with and without them")
    func keyIDs() throws {
        let id = try KeyID("0012AB")
        #expect("\(id)" == "00000000000012AB")
        let key = try SigningKey(seed: [UInt8](repeating: 7, count: 32), id: id)
        let other = try SigningKey(seed: [UInt8](repeating: 7, count: 32), id: try KeyID("fFfFfFfFfFfFfFfF"))
        try folder.write("", to: "message")
        try folder.write(try key.sign([], trustedComment: "").text, to: "message.minisig")
        let outcome = try minisign("-V", "-m", "message", "-P", other.publicKey.base64)
        #expect(outcome.status != 0)
        #expect(outcome.output.contains("is 12AB\n"), "\(outcome.output)")
        #expect(outcome.output.contains("is FFFFFFFFFFFFFFFF\n"), "\(outcome.output)")
    }
}
