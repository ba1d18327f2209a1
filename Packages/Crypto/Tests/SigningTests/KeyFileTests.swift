import Foundation
import LibCrypto
import PluginCore
import Testing

@testable import Signing

@Suite("Secret key files", .tags(.large))
struct KeyFileTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func openssl(_ words: String...) throws -> (status: Int32, output: String) {
        try runProgram("openssl", words, in: folder.path)
    }

    @Test("A key can be written and read again, with the right password or none", arguments: [nil, "pass wörd"])
    func roundTrip(password: String?) throws {
        let key = try SigningKey.generate()
        let pem = try key.pem(password: password)
        #expect(pem.hasPrefix(password == nil ? "-----BEGIN PRIVATE KEY" : "-----BEGIN ENCRYPTED PRIVATE KEY"))
        #expect(try SigningKey(text: pem, password: password).publicKey == key.publicKey)
    }

    @Test("Each generated key is different, and its identifier is the start of its public key's SHA-256 digest")
    func fresh() throws {
        let keys = try (0..<20).map { _ in try SigningKey.generate().publicKey }
        #expect(Set(keys).count == 20)
        for key in keys { #expect(try key.id.bytes == Array(Hash.sha256(key.point).prefix(8))) }
    }

    @Test("An encrypted key requires its password, and the error for a missing one says so")
    func passwords() throws {
        // A password may contain a zero byte.
        let pem = try SigningKey.generate().pem(password: "right\0one")
        for (password, expected) in [
            ("wrong", .passwordWrong), ("", .passwordWrong), ("right", .passwordWrong), (nil, .passwordNeeded),
        ] as [(String?, SigningError.Code)] {
            #expect(code { try SigningKey(pem: pem, password: password) } == expected)
        }
        #expect(code { try SigningKey.generate().pem(password: "") } == .passwordUnfit)
    }

    @Test(
        "OpenSSL reads written PEM files, and its PEM files can be read",
        arguments: [nil, "secret"])
    func opensslReads(password: String?) throws {
        let key = try SigningKey.generate()
        try folder.write(try key.pem(password: password), to: "ours")
        let read = try openssl("pkey", "-in", "ours", "-passin", "pass:\(password ?? "")", "-out", "theirs")
        #expect(read.status == 0, "\(read.output)")
        #expect(try SigningKey(text: try folder.text("theirs"), password: nil).publicKey == key.publicKey)
        let sealed = try openssl("pkcs8", "-topk8", "-in", "theirs", "-passout", "pass:other", "-out", "sealed")
        #expect(sealed.status == 0, "\(sealed.output)")
        #expect(try SigningKey(text: try folder.text("sealed"), password: "other").publicKey == key.publicKey)
    }

    @Test(
        "A key of another algorithm has another error than a damaged key",
        arguments: ["RSA", "ED448", "X25519"])
    func otherAlgorithms(_ algorithm: String) throws {
        _ = try openssl("genpkey", "-algorithm", algorithm, "-out", "key")
        let text = try folder.text("key")
        #expect(code { try SigningKey(text: text, password: nil) } == .keyUnfit)
    }

    static let pem = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
        -----END PRIVATE KEY-----

        """
    static let minisign = """
        untrusted comment: minisign encrypted secret key
        RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAnxYwb/rBxKz8L35m/7u7zq9GkQFl0U9rDjMgbeHE\
        YnMW9geisp7KadmPKF4IxvPDuT/UM0hxRC1sd+Us6mHTvaRYUsmTNEoUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=

        """

    static let malformed: [(what: String, text: String)] = [
        ("other text", "hello"),
        ("another block", pem.replacing("PRIVATE KEY", with: "CERTIFICATE")),
        ("a key of before PKCS#8", pem.replacing("PRIVATE KEY", with: "EC PRIVATE KEY")),
        (
            "encryption of before PKCS#8",
            pem.replacing("KEY-----\nMC4", with: "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nMC4")
        ),
        ("two blocks", pem + pem),
        ("no end", pem.replacing("-----END PRIVATE KEY-----\n", with: "")),
        ("no content", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n"),
        ("plain said to be encrypted", pem.replacing("PRIVATE KEY", with: "ENCRYPTED PRIVATE KEY")),
        ("another version", pem.replacing("MC4CAQ", with: "MC4CAg")),
        ("too long", pem + String(repeating: "#", count: 1 << 16)),
        ("minisign's, damaged", minisign.replacing("z8L35m", with: "z8L35n")),
        ("minisign's, its public half damaged", minisign.replacing("vaRYUs", with: "vaRYUt")),
        ("minisign's, another algorithm", minisign.replacing("RWQAAE", with: "RWUAAE")),
        ("minisign's, another derivation", minisign.replacing("RWQAAE", with: "RWQBAE")),
        ("minisign's, another checksum", minisign.replacing("AAEIyA", with: "AAEIzA")),
        ("minisign's, with a third line", minisign + "\n"),
        ("minisign's, with a comment of its own kind", minisign.replacing("minisign enc", with: "\u{1b}[2J")),
        ("minisign's, cut short", String(minisign.dropLast(5))),
        ("minisign's, with other line ends", minisign.replacing("\n", with: "\r\n")),
        ("a public key", "RWSfFjBv+sHErNmPKF4IxvPDuT/UM0hxRC1sd+Us6mHTvaRYUsmTNEoU"),
        (
            "minisign's, that asks for all memory",
            // The limits for operations and memory are 2^63 - 1.
            minisign.replacing("RWQAAEIy", with: "RWRTY0Iy").replacing(
                "AAAAAAAAAAAAAAAAAAAAAnxYw", with: "P////////////////////nxYw")
        ),
    ]

    @Test("A text that is not a secret key is rejected with a detail", arguments: malformed.map(\.what))
    func refused(what: String) throws {
        let text = try #require(Self.malformed.first { $0.what == what }).text
        #expect(code { try SigningKey(text: text, password: "password") } == .malformed)
    }

    @Test("Before they are damaged, the texts of the table are valid keys")
    func undamaged() throws {
        #expect(
            try SigningKey(text: Self.pem, password: nil).publicKey.point.hexadecimal
                == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        #expect(
            try SigningKey(text: Self.minisign, password: nil).publicKey.base64
                == "RWSfFjBv+sHErNmPKF4IxvPDuT/UM0hxRC1sd+Us6mHTvaRYUsmTNEoU")
        #expect(try SigningKey(text: "Key of team x\n" + Self.pem, password: nil).publicKey.point.count == 32)
    }

    @Test("With any byte changed, a PEM is rejected or is a key, and the process does not trap")
    func anyByte() throws {
        let sealed = try SigningKey(seed: [UInt8](repeating: 3, count: 32)).pem(password: nil)
        for index in sealed.utf8.indices {
            let offset = sealed.utf8.distance(from: sealed.utf8.startIndex, to: index)
            for byte: UInt8 in [0, 0x0a, 0x2d, 0x41, 0x7f] {
                let changed = sealed.replacingByte(at: offset, with: byte)
                guard let key = try? SigningKey(text: changed, password: "x") else { continue }
                #expect(key.publicKey.point.count == 32)
            }
        }
    }

    /// The key derivations PBKDF2 and scrypt of PBES2, and those of PKCS #12. The encrypted data consists of zeros.
    static let costlyKeys: [String] = [
        """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIGdMFkGCSqGSIb3DQEFDTBMMCsGCSqGSIb3DQEFDDAeBAgAAAAAAAAAAAIEf///
        /zAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQAAAAAAAAAAAAAAAAAAAAAARA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAA==
        -----END ENCRYPTED PRIVATE KEY-----
        """,
        """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIGUMFAGCSqGSIb3DQEFDTBDMCIGCSsGAQQB2kcECzAVBAgAAAAAAAAAAAICIAAC
        AQgCAk4gMB0GCWCGSAFlAwQBKgQQAAAAAAAAAAAAAAAAAAAAAARAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAA==
        -----END ENCRYPTED PRIVATE KEY-----
        """,
        """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MGIwHgYKKoZIhvcNAQwBAzAQBAgAAAAAAAAAAAIEf////wRAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAA==
        -----END ENCRYPTED PRIVATE KEY-----
        """,
    ]

    @Test(
        "A PEM that requires hours of work is rejected before a password is needed", .timeLimit(.minutes(15)),
        arguments: costlyKeys)
    func costly(pem: String) throws {
        for password in ["password", nil] {
            let error = #expect(throws: SigningError.self) { try SigningKey(text: pem, password: password) }
            #expect(error?.code == .malformed && error?.reason == ErrorReason("passwordWorkTooLarge"))
        }
    }

    @Test("Limits in a minisign file that no program writes are refused, and no work begins")
    func limits() throws {
        func stream(_ work: UInt64, _ memory: UInt64) throws -> [UInt8] {
            let limits = [work, memory].flatMap { number in
                (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
            }
            return try PasswordCost.stream(password: "x", salt: [], limits: limits, count: 8)
        }
        for (work, memory) in [(1 << 25 + 1, 1 << 30), (1 << 26, 1 << 31), (.max, .max)] as [(UInt64, UInt64)] {
            #expect(code { try stream(work, memory) } == .malformed)
        }
        #expect(try stream(1 << 20, 1 << 25).count == 8)
        for memory: UInt64 in [0, 1, 1_023, 1_024, 4_096 * 3] {
            #expect(throws: SigningError.self) { try stream(memory / 32, memory) }
        }
    }
}
