import Foundation
import Testing
import TUFMetadata

/// Signatures of which each is valid or not by the rule of its scheme, made for this project.
@Suite("Signature schemes", .tags(.small))
struct VectorTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let scheme: String
        let `public`: String
        let message: String
        let signature: String
        let valid: Bool
        let comment: String

        var testDescription: String { "\(scheme), \(comment)" }
    }

    static let vectors: [Vector] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/vectors.json")
        return (try? JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))) ?? []
    }()

    @Test("the file of cases is there")
    func count() {
        #expect(Self.vectors.count == 184)
    }

    @Test("accept exactly the valid signatures", arguments: vectors)
    func classification(_ vector: Vector) throws {
        let scheme = try #require(SignatureScheme(rawValue: vector.scheme))
        let isValid = (try? PublicKey(scheme, public: vector.public)).map {
            $0.isSignature(bytes(vector.signature), of: bytes(vector.message))
        }
        #expect((isValid ?? false) == vector.valid)
    }

    private func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    }
}
