import LibCrypto
import Testing

@testable import Signing

/// Test vectors of RFC 8032, section 7.1: the shortest message, and a longer one.
@Suite("Published test vectors", .tags(.small))
struct VectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let seed: String
        let point: String
        let message: String
        let signature: String

        var testDescription: String { name }
    }

    static let ed25519 = [
        Vector(
            name: "TEST 1",
            seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            point: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            message: "",
            signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
        Vector(
            name: "TEST SHA(abc)",
            seed: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
            point: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
            message: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            signature: "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
                + "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"),
    ]

    @Test("Keys and signatures match RFC 8032", arguments: ed25519)
    func signs(_ vector: Vector) throws {
        let key = try #require(CryptoKey(seed: bytes(vector.seed)))
        #expect(key.point == bytes(vector.point))
        #expect(key.signature(of: bytes(vector.message)) == bytes(vector.signature))

        let stranger = try #require(CryptoKey(point: bytes(vector.point)))
        #expect(stranger.isSignature(bytes(vector.signature), of: bytes(vector.message)) == true)
        #expect(stranger.isSignature(bytes(vector.signature), of: bytes(vector.message) + [0]) == false)
    }

    @Test(
        "SHA-256 digests match FIPS 180",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ])
    func sha256(text: String, digest: String) throws {
        #expect(try Hash.sha256(Array(text.utf8)).hexadecimal == digest)
    }

    @Test("The prehash is the BLAKE2b-512 hash of RFC 7693")
    func prehash() throws {
        let hash = try Hash.blake2b(Array("abc".utf8)).hexadecimal
        #expect(
            hash == "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923")
    }
}
