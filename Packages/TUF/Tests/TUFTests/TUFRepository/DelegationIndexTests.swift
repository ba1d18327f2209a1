import TUFMetadata
import TUFRepository
import Testing

@Suite("An index of delegations", .tags(.small))
struct DelegationIndexTests {
    private static func delegation(_ name: String, _ scope: Delegation.Scope) throws -> Delegation {
        try Delegation(to: name, keys: RoleKeys(ids: ["key"], threshold: 1), scope: scope)
    }

    @Test("finds the first delegation that covers a path")
    func first() throws {
        let digits = (0..<16).map { String($0, radix: 16) }
        let delegations = [
            try Self.delegation("team", .paths([PathPattern("team/*")])),
            try Self.delegation("longest", .hashPrefixes(["00", "0f1"])),
            try Self.delegation("low", .hashPrefixes(Array(digits[..<8]))),
            try Self.delegation("one", .paths([PathPattern("one/*")])),
            try Self.delegation("high", .hashPrefixes(Array(digits[4...]))),
            try Self.delegation("never", .paths([PathPattern("*")])),
        ]
        let index = DelegationIndex(delegations)
        var found: Set<String> = []
        for path in (0..<300).flatMap({ ["team/\($0)", "one/\($0)", "\($0)"] }) {
            let expected = try delegations.first { try $0.covers(path) }?.name
            #expect(try index.role(for: path) == expected, "\(path)")
            if let expected { found.insert(expected) }
        }
        #expect(found == ["team", "longest", "low", "one", "high"])
        #expect(try DelegationIndex([]).role(for: "a") == nil)
        #expect(try DelegationIndex([delegations[0]]).role(for: "a") == nil)
    }
}
