import Testing

@testable import Signing

@Suite("Public keys", .tags(.small))
struct VerifyingKeyTests {
    static let line = "RWSfFjBv+sHErNmPKF4IxvPDuT/UM0hxRC1sd+Us6mHTvaRYUsmTNEoU"
    static let file = "untrusted comment: minisign public key ACC4C1FA6F30169F\n" + line + "\n"

    @Test(
        "A public key file of minisign and its second line contain the same key",
        arguments: [
            file, line, line + "\n", String(file.dropLast()), "untrusted comment: \n" + line,
            "untrusted comment: von Zoë, 2026\n" + line + "\n",
        ])
    func read(_ text: String) throws {
        let key = try VerifyingKey(text)
        #expect(key.text == Self.file)
        #expect(key.base64 == Self.line)
        #expect("\(key.id)" == "ACC4C1FA6F30169F")
    }

    static let malformed: [(what: String, text: String)] = [
        ("a line feed", "\n"),
        ("a comment alone", "untrusted comment: x\n"),
        ("the file twice", file + file),
        ("two keys", line + "\n" + line + "\n"),
        ("other line ends", file.replacing("\n", with: "\r\n")),
        ("a space behind", line + " "),
        ("a space inside", line.replacing("F4Ix", with: "F4 x")),
        ("a zero byte behind", line + "\0"),
        ("another comment", file.replacing("untrusted", with: "trusted")),
        ("a comment that writes on a terminal", file.replacing("minisign", with: "\u{1b}[31m")),
        ("a comment of two lines", file.replacing("minisign", with: "\u{2028}")),
        ("cut short", String(line.dropLast())),
        ("longer by four", line + "AAAA"),
        ("padded", String(line.dropLast()) + "="),
        ("the alphabet of addresses", line.replacing("/", with: "_")),
        ("a letter of another alphabet", line.replacing("R", with: "Ｒ")),
        ("prehashed", line.replacing("RWS", with: "RUS")),
        ("a PEM", "-----BEGIN PUBLIC KEY-----\n\(line)\n-----END PUBLIC KEY-----\n"),
        ("too long", "untrusted comment: " + String(repeating: "x", count: 5_000) + "\n" + line),
    ]

    @Test("A text that is not a public key is rejected", arguments: malformed.map(\.what))
    func refused(what: String) throws {
        let text = try #require(Self.malformed.first { $0.what == what }).text
        #expect(code { try VerifyingKey(text) } == .malformed)
    }

    /// The points with an order of at most 8 and their non-canonical encodings, with both signs.
    static let small = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ].flatMap { text -> [[UInt8]] in
        let point = bytes(text)
        return [point, point.dropLast() + [point[31] | 0x80]]
    }

    @Test("A key for which anyone can sign is rejected", arguments: small)
    func smallOrder(_ point: [UInt8]) throws {
        let text = Base64.text(of: Array("Ed".utf8) + [UInt8](repeating: 1, count: 8) + point)
        #expect(code { try VerifyingKey(text) } == .keyUnfit)
    }

    @Test(
        "A key identifier has up to 16 hexadecimal digits",
        arguments: ["", " 1", "1 ", "+1", "-1", "0x1", "12G", "11112222333344445", "١"])
    func malformedID(_ text: String) {
        #expect(code { try KeyID(text) } == .malformed)
    }
}
