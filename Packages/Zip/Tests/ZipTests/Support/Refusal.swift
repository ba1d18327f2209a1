import Testing

@testable import Zip

/// A way to spoil a sound archive, and what must be said about it.
struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: ZipError.Code
    let make: @Sendable () -> Crafted

    init(_ name: String, _ code: ZipError.Code, _ make: @escaping @Sendable () -> Crafted) {
        testDescription = name
        self.code = code
        self.make = make
    }

    /// What is spoiled has the files "a" and "b", stored.
    static func spoiled(
        _ name: String, _ code: ZipError.Code, _ spoil: @escaping @Sendable (inout Crafted) -> Void
    ) -> Refusal {
        Refusal(name, code) {
            var crafted = Crafted(names: ["a", "b"])
            spoil(&crafted)
            return crafted
        }
    }
}

/// Refused with that code, and nothing is left but the archive itself.
func expectRefusal(
    _ code: ZipError.Code, _ crafted: Crafted, at location: SourceLocation = #_sourceLocation
) throws {
    try withTemporaryFolder { folder in
        let error = #expect(throws: ZipError.self, sourceLocation: location) {
            try extract(crafted.bytes, in: folder)
        }
        #expect(error?.code == code, "\(String(describing: error))", sourceLocation: location)
        let left = try tree(folder).keys.sorted()
        #expect(left == ["a.zip"], sourceLocation: location)
    }
}
