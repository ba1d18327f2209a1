import PluginRouter
@testable import BundleFormat
import PluginRuntime
import CatalogFormat
import PluginCore
import TUFMetadata
import Testing

@Suite("Mutated data of a catalog", .tags(.medium))
struct MutatedCustomTests {
    private static let values: [JSONValue] = [
        .null, .bool(true), 0, -1, 101, .integer(.max), .integer(.min), "", "a", "..", "1.0.0", "com.example.app.theme",
        "\u{0}",
        .string(String(repeating: "é", count: 700)), [], [1], ["a", "a"], [:], ["a": [:]],
    ]

    /// Returns a value with one random change.
    private static func mutated(_ value: JSONValue, _ random: inout Steps) -> JSONValue {
        guard Int.random(in: 0..<4, using: &random) > 0 else {
            return values.randomElement(using: &random) ?? .null
        }
        switch value {
        case .object(var object):
            guard let member = object.members.randomElement(using: &random) else { return .null }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: object[member.name] = nil
            case 1: object[member.name + "x"] = member.value
            default: object[member.name] = mutated(member.value, &random)
            }
            return .object(object)
        case .array(var elements):
            guard let index = elements.indices.randomElement(using: &random) else { return ["x"] }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: elements.remove(at: index)
            case 1: elements.append(elements[index])
            case 2: elements.shuffle(using: &random)
            default: elements[index] = mutated(elements[index], &random)
            }
            return .array(elements)
        case .string(let text):
            var bytes = Array(text.utf8)
            guard let index = bytes.indices.randomElement(using: &random) else { return "x" }
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes.remove(at: index)
            case 1: bytes[index] = UInt8.random(in: 0...255, using: &random)
            default: bytes.insert(contentsOf: bytes.prefix(20), at: index)
            }
            return .string(String(decoding: bytes, as: UTF8.self))
        case .integer(let number): return .integer(number &+ Int.random(in: -200...200, using: &random))
        case .bool, .null: return values.randomElement(using: &random) ?? .null
        }
    }

    /// Mutates data many times. Each result is refused with a typed error, or reads as it is written.
    private static func check<Value: Equatable>(
        _ custom: JSONObject, _ read: (JSONObject) throws -> Value, _ write: (Value) -> JSONObject
    ) throws {
        var (accepted, refused) = (0, 0)
        for seed in 0..<1500 {
            var random = Steps(state: UInt64(seed))
            var value = JSONValue.object(custom)
            for _ in 0..<Int.random(in: 1...3, using: &random) { value = mutated(value, &random) }
            guard case .object(let object) = value else { continue }
            do {
                let first = try read(object)
                accepted += 1
                #expect(try read(write(first)) == first, "seed \(seed)")
            } catch is AtriumError {
                refused += 1
            }
        }
        #expect(accepted > 0 && refused > 100)
    }

    @Test("A mutated entry is refused or reads as it is written")
    func entries() throws {
        let path = "com.example.app.theme/com.example.app.theme-1.0.0.zip"
        let entry = try withFolderNow { folder in
            var fixture = try SealedFixture()
            fixture.files["Resources/icon.png"] = [1]
            fixture.files["Resources/de.lproj/Localizable.json"] = Array(#"{"bundle.name": "Thema"}"#.utf8)
            return try CatalogEntry(of: SealedPackage(opening: try fixture.write(to: folder)))
        }
        try Self.check(entry.custom, { try CatalogEntry(custom: $0, path: path, converters: .standard) }, { $0.custom })
    }

    @Test("A mutated list of versions is refused or reads as it is written")
    func versions() throws {
        let versions = CatalogVersions(
            identifier: "com.example.app.theme",
            offered: (0..<3).map { SemanticVersion(major: 3 - $0, minor: 0, patch: 0) },
            revoked: [
                RevokedVersion(
                    version: SemanticVersion(major: 1, minor: 1, patch: 0),
                    sealDigest: String(repeating: "b", count: 64),
                    reason: "No.")
            ])
        try Self.check(
            versions.custom, { try CatalogVersions(custom: $0, identifier: "com.example.app.theme") }, { $0.custom })
    }

    @Test("A mutated list of providers is refused or reads as it is written")
    func providers() throws {
        let providers = CatalogProviders(bundles: ["com.example.a", "com.example.b", "com.example.c"])
        try Self.check(providers.custom, { try CatalogProviders(custom: $0) }, { $0.custom })
    }
}
