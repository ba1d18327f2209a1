import Testing

@testable import Signing

@Suite("Signing and verifying", .tags(.small))
struct SignatureTests {
    private let key: SigningKey

    init() throws { key = try SigningKey.generate() }

    static let message = Array("the seal".utf8)

    private static func refusal(
        of signature: String, _ message: [UInt8] = message, by key: VerifyingKey
    ) -> SigningError.Code? {
        code { try MinisignSignature(signature).verify(message, by: key) }
    }

    @Test("A signature of another key has another error than an invalid signature")
    func otherKey() throws {
        let (key, other) = (try SigningKey.generate(), try SigningKey.generate().publicKey)
        let text = try key.sign(Self.message, trustedComment: "t").text
        #expect(Self.refusal(of: text, by: key.publicKey) == nil)
        #expect(Self.refusal(of: text, by: other) == .keyMismatch)
        // An attacker who copies the identifier does not have the key.
        let pretended = try VerifyingKey(id: key.publicKey.id, point: other.point)
        #expect(Self.refusal(of: text, by: pretended) == .signatureInvalid)
    }

    @Test("Changing any byte of a signature file invalidates it, except in the untrusted comment")
    func everyByte() throws {
        let text = try key.sign(Self.message, trustedComment: "trusted", untrustedComment: "untrusted").text
        let free = "untrusted comment: ".utf8.count..<"untrusted comment: untrusted".utf8.count
        var accepted: [Int] = []
        for (index, old) in text.utf8.enumerated() {
            for byte in UInt8.min...UInt8.max where byte != old {
                let changed = text.replacingByte(at: index, with: byte)
                if Self.refusal(of: changed, by: key.publicKey) == nil { accepted.append(index) }
            }
        }
        #expect(accepted.allSatisfy(free.contains))
        #expect(Set(accepted) == Set(free))
    }

    @Test("No line of a signature file can be removed, repeated, or replaced by that of another signature")
    func everyLine() throws {
        let one = try key.sign(Self.message, trustedComment: "one").text.split(separator: "\n")
        let other = try key.sign(Array("other".utf8), trustedComment: "other").text.split(separator: "\n")
        func refusal(_ lines: [Substring]) -> SigningError.Code? {
            Self.refusal(of: lines.map { $0 + "\n" }.joined(), by: key.publicKey)
        }
        #expect(refusal(one) == nil)
        for index in 0..<4 {
            var (short, long, mixed) = (one, one, one)
            short.remove(at: index)
            long.insert(one[index], at: index)
            mixed[index] = other[index]
            #expect(refusal(short) == .malformed)
            #expect(refusal(long) == .malformed)
            #expect(refusal(mixed) == [nil, .signatureInvalid, .commentInvalid, .commentInvalid][index])
        }
        #expect(refusal([one[0], other[1], other[2], other[3]]) == .signatureInvalid)
        #expect(refusal([one[0], one[1], other[2], other[3]]) == .commentInvalid)
    }

    @Test("An equivalent signature above the group order is rejected")
    func malleability() throws {
        let text = try key.sign(Self.message, trustedComment: "").text
        let lines = text.split(separator: "\n")
        var raw = try #require(Base64.bytes(of: lines[1], count: 74))
        // S + L in little-endian order.
        let order = bytes("edd3f55c1a631258d69cf7a2def9de14") + [UInt8](repeating: 0, count: 15) + [0x10]
        var carry = 0
        for index in 0..<32 {
            let sum = Int(raw[42 + index]) + Int(order[index]) + carry
            raw[42 + index] = UInt8(sum & 255)
            carry = sum >> 8
        }
        let changed = text.replacing(lines[1], with: Base64.text(of: raw))
        #expect(Self.refusal(of: changed, by: key.publicKey) == .signatureInvalid)
    }

    @Test(
        "A comment that is not one line cannot be written",
        arguments: ["a\nb", "a\r", "\0", "\u{1b}[2J", "\u{85}", "\u{2028}", "\u{7f}"])
    func comments(_ comment: String) throws {
        for (trusted, untrusted) in [(comment, ""), ("", comment)] {
            let made = code { try key.sign([], trustedComment: trusted, untrustedComment: untrusted) }
            #expect(made == .commentUnwritable)
        }
    }

    @Test(
        "A written comment can be read, whatever characters it contains",
        arguments: [
            "", " ", "\t", "ü", "\u{301}combining", "untrusted comment: ", "🏳️‍🌈", String(repeating: "é", count: 500),
        ])
    func commentsAgain(_ comment: String) throws {
        let signature = try key.sign(Self.message, trustedComment: comment, untrustedComment: comment)
        let again = try MinisignSignature(signature.text)
        #expect(again == signature)
        #expect(again.trustedComment.utf8.elementsEqual(comment.utf8))
        try again.verify(Self.message, by: key.publicKey)
    }

    static let file = """
        untrusted comment: signature from minisign secret key
        RUSfFjBv+sHErFkIhMmVHAmtJKoRIrjc2BUNG5VI5y8eAcCSmuedCBmg9LqhJK3Wf1WyXRiGBxR2yuys6Xcc8qcWm3n7w4nrBgM=
        trusted comment: timestamp:1795281731\tfile:f\thashed
        9GObeIgasxcivN1rvpyUZHwswfCk6HyCluNy5ZVrnIeHIkuK3Tf12CreV7d9R5LrV/p5KZo/2EWyzWl+eBvYCw==

        """

    static let malformed: [(what: String, text: String)] = [
        ("line feeds", "\n\n\n\n"),
        ("no line feed at the end", String(file.dropLast())),
        ("an empty line behind", file + "\n"),
        ("something behind", file + "x"),
        ("other line ends", file.replacing("\n", with: "\r\n")),
        ("one other line end", file.replacing("==\n", with: "==\r\n")),
        ("a mark of Unicode before", "\u{feff}" + file),
        ("no space behind a prefix", file.replacing("comment: s", with: "comment:s")),
        ("another prefix", file.replacing("\ntrusted", with: "\nTrusted")),
        ("a comment that writes on a terminal", file.replacing("file:f", with: "\u{1b}]0;x\u{7}")),
        ("a carriage return in the comment", file.replacing("\thashed", with: "\r")),
        ("a signature cut short", file.replacing("BgM=", with: "B===")),
        ("bits that are left over", file.replacing("BgM=", with: "BgN=")),
        ("bits that are left over at the end", file.replacing("YCw==", with: "YCx==")),
        ("another algorithm", file.replacing("RUSf", with: "RVSf")),
        ("a key in the place of a signature", file.replacing("RUSfFjBv+sHErFkI", with: "RWQ=")),
        (
            "an untrusted comment that is too long",
            file.replacing("minisign", with: String(repeating: "x", count: 1_000))
        ),
        ("a trusted comment that is too long", file.replacing("file:f", with: String(repeating: "x", count: 8_200))),
        ("far too long", String(repeating: file, count: 10_000)),
    ]

    @Test("A text that is not a signature is rejected", arguments: malformed.map(\.what))
    func refused(what: String) throws {
        let text = try #require(Self.malformed.first { $0.what == what }).text
        #expect(code { try MinisignSignature(text) } == .malformed)
    }

    @Test("Before it is damaged, the text of the table is a valid signature")
    func undamaged() throws {
        let key = try VerifyingKey("RWSfFjBv+sHErNmPKF4IxvPDuT/UM0hxRC1sd+Us6mHTvaRYUsmTNEoU")
        let signature = try MinisignSignature(Self.file)
        #expect(signature.text == Self.file)
        try signature.verify(Array("hi\n".utf8), by: key)
    }
}
