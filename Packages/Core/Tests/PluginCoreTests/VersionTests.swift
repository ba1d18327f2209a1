import PluginCore
import Testing

@Suite("Versions and version ranges", .tags(.small))
struct VersionTests {
    @Test("Versions have the order of section 11 of Semantic Versioning")
    func order() throws {
        let texts = [
            "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
            "1.0.0-rc.1", "1.0.0", "1.0.1", "1.1.0", "1.10.0", "2.0.0",
        ]
        let versions = texts.compactMap { SemanticVersion($0) }
        #expect(versions.count == texts.count)
        #expect(versions.shuffled().sorted() == versions)
        #expect(versions.map(\.description) == texts)
    }

    @Test(
        "A text that is not a version is rejected",
        arguments: [
            "", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3+b", "v1.2.3", "1.2.-3", "1..3",
            "99999999999999999999.0.0", "１.2.3", "1.2.3-é",
        ]
    )
    func notVersions(text: String) {
        #expect(SemanticVersion(text) == nil)
    }

    @Test(
        "A range contains the versions within its bounds, and a pre-release only if it names one of the same version",
        arguments: [
            ("*", "9.9.9", true), ("1.2.0", "1.2.0", true), ("1.2.0", "1.2.1", false), ("^1.2.0", "1.9.0", true),
            ("^1.2.0", "2.0.0", false), ("^1.2.0", "1.1.9", false), ("^0.2.0", "0.2.9", true),
            ("^0.2.0", "0.3.0", false), (">=1.0.0 <2.0.0", "1.5.0", true), (">=1.0.0 <2.0.0", "2.0.0", false),
            (">1.0.0", "1.0.0", false), ("<=1.0.0", "1.0.0", true),
            // Pre-releases, as in node-semver.
            (">1.2.3-alpha.3", "1.2.3-alpha.7", true), (">1.2.3-alpha.3", "3.4.5-alpha.9", false),
            (">1.2.3-alpha.3", "3.4.5", true), (">1.2.3-alpha.3", "1.2.3-alpha.3", false),
            ("^1.2.3-beta.2", "1.2.3-beta.4", true), ("^1.2.3-beta.2", "1.2.4-beta.2", false),
            ("^1.2.3-beta.2", "1.2.3-beta.1", false), ("^1.2.3-beta.2", "1.2.3", true),
            ("^1.2.3-beta.2", "2.0.0-beta.2", false), ("^1.2.3", "2.0.0-beta.1", false),
            ("^1.2.3", "1.2.4-beta.1", false), ("*", "1.0.0-beta.1", false),
            ("1.2.3-beta.2", "1.2.3-beta.2", true), (">=1.0.0 <2.0.0-beta.2", "2.0.0-beta.1", true),
            (">=1.0.0 <2.0.0-beta.2", "2.0.0-beta.2", false), (">=1.0.0 <2.0.0-beta.2", "1.5.0-beta.1", false),
        ]
    )
    func ranges(range: String, version: String, inside: Bool) throws {
        let range = try #require(VersionRange(range))
        let version = try #require(SemanticVersion(version))
        #expect(range.contains(version) == inside)
    }

    @Test(
        "A text that is not a range is rejected",
        arguments: ["", " ", "~1.0.0", "1.0", ">=", "^9223372036854775807.0.0", "1.0.0 or"])
    func notRanges(text: String) {
        #expect(VersionRange(text) == nil)
    }
}
