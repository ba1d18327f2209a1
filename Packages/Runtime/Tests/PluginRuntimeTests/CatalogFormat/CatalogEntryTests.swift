import CatalogFormat
import HostSystem
import PluginCore
import PluginRouter
import PluginRuntime
import TUFMetadata
import Testing
@testable import BundleFormat

@Suite("Entries of a catalog", .tags(.medium))
struct CatalogEntryTests {
    @TemporaryFolder private var folder

    private static let path = "com.example.app.theme/com.example.app.theme-1.0.0.zip"

    private static func fixture() throws -> SealedFixture {
        var fixture = try SealedFixture()
        fixture.files["Resources/icon.png"] = [0x89, 0x50]
        fixture.files["Resources/de.lproj/Localizable.json"] = Array(
            #"{"bundle.name": "Thema", "bundle.summary": "Farben.", "other": "x"}"#.utf8)
        fixture.files["Resources/en.lproj/Localizable.json"] = Array(#"{"other": "x"}"#.utf8)
        fixture.files["Resources/fr.lproj/Localizable.json"] = Array(#"{"bundle.name": 1}"#.utf8)
        return fixture
    }

    private static func entry(channel: String = "stable", rollout: Int = 100) throws -> CatalogEntry {
        try withFolderNow { folder in
            try CatalogEntry(
                of: SealedPackage(opening: try fixture().write(to: folder)), channel: channel, rollout: rollout)
        }
    }

    private static func read(_ custom: JSONObject, path: String = path) throws -> CatalogEntry {
        try CatalogEntry(custom: custom, path: path, converters: .standard)
    }

    @Test("An entry has what the package says, and reads as it was written")
    func roundTrip() throws {
        let entry = try Self.entry(channel: "beta", rollout: 10)
        #expect(entry.manifest.identity.description == "com.example.app.theme@1.0.0")
        #expect(entry.manifestText == (try Self.fixture().manifest))
        #expect(entry.team == "com.example" && entry.channel == "beta" && entry.rollout == 10)
        #expect(entry.platforms.isEmpty)
        #expect(entry.texts == ["de": LocalizedTexts(name: "Thema", summary: "Farben.")])
        #expect(entry.icon == "com.example.app.theme/com.example.app.theme-1.0.0.png")
        #expect(try Self.read(entry.custom) == entry)
        #expect(try CatalogEntry(custom: entry.custom, path: Self.path) == entry)
        // As TUF metadata, which is signed in canonical form.
        guard case .object(let read) = try JSONValue(parsing: JSONValue.object(entry.custom).text) else { return }
        #expect(try Self.read(read) == entry)
        // An unknown field stays, because a later publisher may have written it.
        var custom = entry.custom
        custom["later"] = [1]
        #expect(try Self.read(custom).custom == custom)
    }

    @Test("The platforms are those for which the package has all libraries of its manifest")
    func platforms() throws {
        var sample = SamplePackage()
        sample.extensions = [SampleExtension(name: "share")]
        sample.files["lib/aarch64-unknown-linux-gnu/libSample.so"] = "without the extension"
        let entry = try CatalogEntry(of: SealedPackage(opening: try sample.write(to: folder)))
        #expect(entry.platforms == [Platform.triple])
        let path = CatalogPath.package(entry.manifest.identity)
        #expect(try CatalogEntry(custom: entry.custom, path: path, converters: .standard) == entry)
    }

    @Test("A manifest with the converters of other hosts is only read without a host's converters")
    func converters() throws {
        var sample = SamplePackage()
        sample.routes = ["photo/:id<slug>"]
        let package = try SealedPackage(
            opening: try sample.write(to: folder), converters: .standard(registering: ["slug"]))
        let entry = try CatalogEntry(of: package)
        let path = CatalogPath.package(entry.manifest.identity)
        #expect(try CatalogEntry(custom: entry.custom, path: path) == entry)
        try failing(.manifestInvalid) { try Self.read(entry.custom, path: path) }
    }

    @Test(
        "A field that breaks a rule is named",
        arguments: [
            ("formatVersion", 2, "formatTooNew"), ("formatVersion", nil, "fieldMissing"),
            ("manifest", nil, "fieldMissing"),
            ("manifest", 1, "stringExpected"), ("seal", "ab", "notDigest"), ("seal", nil, "fieldMissing"),
            ("team", "Example", "notTeamName"), ("channel", "Beta", "notChannel"), ("channel", "", "notChannel"),
            ("rollout", 101, "notInRange"), ("rollout", -1, "notInRange"), ("rollout", "all", "integerExpected"),
            ("platforms", ["b", "a"], "notAscending"), ("platforms", ["a", "a"], "notAscending"),
            ("platforms", [".."], "notPlatform"), ("platforms", ["a/b"], "notPlatform"),
            ("platforms", 1, "arrayExpected"),
            ("platforms", ["x86_64-unknown-linux-gnu"], "bundleWithoutCode"),
            ("texts", ["e/n": [:]], "notLanguage"), ("texts", ["en": 1], "objectExpected"),
            ("texts", [], "objectExpected"),
            ("texts", ["en": ["name": 1]], "stringExpected"), ("icon", "../icon.png", "notBesidePackage"),
            ("icon", "com.example.app.other/icon.png", "notBesidePackage"), ("icon", 1, "stringExpected"),
            ("parts", 1, "arrayExpected"), ("parts", [1], "objectExpected"),
            ("parts", [part("aarch64-unknown-linux-gnu")], "notPlatform"),
            ("parts", [part("b"), part("a")], "notAscending"),
            ("parts", [part("a", length: -1)], "notInRange"), ("parts", [part("a", sha256: "x")], "notDigest"),
            ("deltas", 1, "arrayExpected"), ("deltas", [1], "objectExpected"),
            ("deltas", [delta("1")], "notVersion"), ("deltas", [delta("0.9.0", seal: "x")], "notDigest"),
            ("deltas", [delta("0.9.0", sha256: "x")], "notDigest"),
            ("deltas", [delta("0.9.0", length: -1)], "notInRange"),
            ("deltas", [delta("0.8.0"), delta("0.9.0")], "notDescending"),
            ("deltas", [delta("0.9.0"), delta("0.9.0")], "notDescending"),
        ] as [(String, JSONValue?, String)])
    func invalidField(name: String, value: JSONValue?, reason: String) throws {
        var custom = try Self.entry().custom
        custom[name] = value
        let error = try failing(.catalogInvalid, of: Self.path) { try Self.read(custom) }
        #expect(error.problems.contains { "\($0)".contains(reason) }, "\(error)")
    }

    private static func delta(
        _ version: String, seal: String = digest, length: Int = 1, sha256: String = digest
    ) -> JSONValue {
        ["from": .string(version), "seal": .string(seal), "length": .integer(length), "sha256": .string(sha256)]
    }

    private static func part(_ platform: String, length: Int = 1, sha256: String = digest) -> JSONValue {
        ["platform": .string(platform), "length": .integer(length), "sha256": .string(sha256)]
    }

    private static let digest = String(repeating: "0a", count: 32)

    @Test("Deltas read as they were written, and an entry without any has no field for them")
    func deltas() throws {
        var entry = try Self.entry()
        #expect(entry.custom["deltas"] == nil)
        for version in ["0.9.0", "0.8.0-beta.1"] {
            entry.deltas.append(
                CatalogDelta(
                    base: try #require(SemanticVersion(version)), baseSeal: Self.digest, length: 7, sha256: Self.digest)
            )
        }
        #expect(try Self.read(entry.custom) == entry)
        #expect(try Self.read(entry.custom).deltas.count == 2)
    }

    @Test("Parts read as they were written, with their deltas, and an entry without any has no field for them")
    func parts() throws {
        var sample = SamplePackage()
        for platform in Platform.all where platform != Platform.triple {
            sample.files[BundleShape.libraryPath(of: sample.entry, for: platform)] = "another"
        }
        var entry = try CatalogEntry(of: SealedPackage(opening: try sample.write(to: folder)))
        #expect(entry.platforms == Platform.all && entry.custom["parts"] == nil)
        let base = SemanticVersion(major: 0, minor: 9, patch: 0)
        for platform in Platform.all {
            let delta = CatalogDelta(base: base, baseSeal: Self.digest, length: 7, sha256: Self.digest)
            entry.parts.append(CatalogPart(platform: platform, length: 70, sha256: Self.digest, deltas: [delta]))
        }
        #expect(try Self.read(entry.custom, path: CatalogPath.package(entry.manifest.identity)) == entry)
        #expect(
            entry.allDeltas.map(\.path)
                == Platform.all.map { "com.example.app.shop/com.example.app.shop-0.9.0_to_1.0.0_for_\($0).delta" })
        #expect(entry.part(for: Platform.triple)?.length == 70 && entry.part(for: "none") == nil)
        for platform in Platform.all {
            let path = CatalogPath.part(of: entry.manifest.identity, for: platform)
            #expect(CatalogPath.identity(ofPackage: path) == nil, "\(path)")
        }
    }

    @Test("An entry at the path of another version or bundle is refused")
    func otherPath() throws {
        let custom = try Self.entry().custom
        for path in [
            "com.example.app.theme/com.example.app.theme-1.0.1.zip",
            "com.example.app.other/com.example.app.theme-1.0.0.zip",
            "com.example.app.theme-1.0.0.zip", "",
        ] { try failing(.catalogInvalid) { try Self.read(custom, path: path) } }
    }

    @Test("Texts that are too long are refused, and all problems are reported at once")
    func limits() throws {
        for (name, value) in [
            ("manifest", JSONValue.string(String(repeating: " ", count: 1 << 20 + 1))),
            ("platforms", .array((0..<33).map { .string("p\($0 + 10)") })),
            ("texts", ["en": ["name": .string(String(repeating: "n", count: 257))]]),
            ("channel", .string(String(repeating: "c", count: 65))),
        ] {
            var custom = try Self.entry().custom
            custom[name] = value
            let error = #expect(throws: AtriumError.self, "\(name)") { try Self.read(custom) }
            #expect(error?.code == .catalogInvalid)
        }
        var custom = try Self.entry().custom
        (custom["rollout"], custom["channel"], custom["seal"]) = (1000, 7, nil)
        #expect(try failing(.catalogInvalid) { try Self.read(custom) }.problems.count == 3)
    }

    @Test("A channel or a share that does not exist cannot be published")
    func invalidChoice() throws {
        for (channel, rollout) in [("Beta", 100), ("", 100), ("stable", 101), ("stable", -1)] {
            try failing(.catalogInvalid) { try Self.entry(channel: channel, rollout: rollout) }
        }
    }

    @Test("Only the described package is accepted")
    func requireSame() throws {
        let entry = try Self.entry()
        func refusal(_ change: (inout SealedFixture) -> Void) throws -> AtriumError? {
            try withFolderNow { folder in
                var fixture = try Self.fixture()
                change(&fixture)
                let package = PackageFile(path: try fixture.write(to: folder))
                do throws(AtriumError) {
                    try entry.requireSame(as: package, converters: .standard)
                    return nil
                } catch {
                    return error
                }
            }
        }
        #expect(try refusal { _ in } == nil)
        for change in [
            { $0.files["Resources/more.txt"] = [1] }, { $0.version = "1.0.1" }, { $0.team = "com.other" },
            { $0.identifier = "com.example.app.other" },
        ] as [(inout SealedFixture) -> Void] {
            let error = try refusal(change)
            #expect(error?.code == .catalogMismatch && error?.problems.isEmpty == false, "\(error.debugDescription)")
        }
        #expect(try refusal { $0.changes["Resources/big.bin"] = [1] }?.code == .sealBroken)
    }

    @Test("The icon of a package is its Resources/icon.png, unless it is too large")
    func icon() throws {
        var fixture = try Self.fixture()
        #expect(try SealedPackage(opening: try fixture.write(to: folder)).icon() == [0x89, 0x50])
        fixture.files["Resources/icon.png"] = [UInt8](repeating: 0, count: CatalogLimits.iconSize + 1)
        fixture.version = "1.0.1"
        let package = try SealedPackage(opening: try fixture.write(to: folder))
        #expect(try package.icon() == nil)
        #expect(try CatalogEntry(of: package).icon == nil)
    }

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

    @Test("A mutated list of versions or providers is refused or reads as it is written")
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
        let providers = CatalogProviders(bundles: ["com.example.a", "com.example.b", "com.example.c"])
        try Self.check(providers.custom, { try CatalogProviders(custom: $0) }, { $0.custom })
    }
}
