import Testing

@testable import Zip

/// A defect of an archive and the expected error.
struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: ZipError.Code
    let make: @Sendable () -> Crafted

    init(_ name: String, _ code: ZipError.Code, _ make: @escaping @Sendable () -> Crafted) {
        testDescription = name
        (self.code, self.make) = (code, make)
    }

    /// Returns an archive with a defect, which contains two stored files.
    static func spoiled(
        _ name: String, _ code: ZipError.Code, _ spoil: @escaping @Sendable (inout Crafted) -> Void
    ) -> Refusal {
        Refusal(name, code) {
            var crafted = Crafted(names: ["a", "b"])
            spoil(&crafted)
            return crafted
        }
    }

    /// Returns such an archive with a defect in its first entry.
    static func entry(
        _ name: String, _ code: ZipError.Code, _ spoil: @escaping @Sendable (inout Crafted.Entry) -> Void
    ) -> Refusal {
        spoiled(name, code) { spoil(&$0.entries[0]) }
    }
}

/// Expects that an archive is rejected with a code, and that nothing except the archive remains.
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

/// Returns the code of the error that a closure throws, which it must.
func errorCode<R>(_ body: () throws -> R) -> ZipError.Code? {
    #expect(throws: ZipError.self) { try body() }?.code
}
