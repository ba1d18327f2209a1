import Authoring
import PluginCore
import Testing
@testable import BundleFormat

@Suite("License and homepage in manifests", .tags(.small))
struct ManifestPublicationTests {
    private func manifest(_ fields: String) throws -> Manifest {
        let text = """
            {"formatVersion": 1, "identifier": "com.example.assets.a", "version": "1.0.0", "name": "A", "kind": "assets"\(fields)}
            """
        return try ManifestReader.read(Array(text.utf8), of: "test.zip")
    }

    private func reasons(_ fields: String) throws -> [String] {
        let error = try #require(throws: AtriumError.self) { try manifest(fields) }
        return error.problems.map { "\($0)" }
    }

    @Test(
        "A license expression by SPDX is accepted",
        arguments: [
            "MIT", "Apache-2.0", "GPL-2.0-or-later", "EPL-1.0+", "LicenseRef-Proprietary",
            "DocumentRef-spdx-tool-1.2:LicenseRef-MIT-Style-2", "MIT OR Apache-2.0",
            "GPL-2.0-only WITH Classpath-exception-2.0 AND MIT", "(MIT OR (ISC AND 0BSD)) AND Zlib",
        ])
    func licenses(text: String) throws { #expect(try manifest(", \"license\": \"\(text)\"").license == text) }

    @Test(
        "Any other text is no license expression",
        arguments: [
            "", " ", "Apache 2.0", "MIT or ISC", "MIT OR", "OR MIT", "(MIT", "MIT)", "()", "MIT (ISC)", "MIT WITH",
            "MIT WITH a WITH b", "(MIT) WITH a", "WITH", "MIT++", "a:b", "DocumentRef-a:MIT", "MIT, ISC", "Mít",
        ])
    func noLicenses(text: String) throws {
        #expect(
            try reasons(", \"license\": \"\(text)\"") == ["at(place: license, problem: notLicense(text: \(text)))"])
    }

    @Test(
        "An https address with a host is accepted",
        arguments: ["https://example.com", "https://example.com:8443/a%20b?c=d#e", "https://[2001:db8::1]/"])
    func homepages(text: String) throws { #expect(try manifest(", \"homepage\": \"\(text)\"").homepage == text) }

    @Test(
        "Any other text is no homepage",
        arguments: [
            "", "http://example.com", "example.com", "https://", "https:///a", "https://:80", "https://example.com/a b",
            "https://user@example.com", "https://example.com/<a>", "https://exämple.com", "HTTPS://example.com",
        ])
    func noHomepages(text: String) throws {
        #expect(
            try reasons(", \"homepage\": \"\(text)\"") == ["at(place: homepage, problem: notHomepage(text: \(text)))"])
    }

    @Test("Both have a maximum length, and are written into a completed manifest")
    func limits() throws {
        let long = String(repeating: "a", count: 257)
        #expect(try reasons(", \"license\": \"\(long)\"") == ["at(place: license, problem: tooLong(limit: 256))"])
        #expect(
            try reasons(", \"homepage\": \"https://\(String(repeating: long, count: 8))\"") == [
                "at(place: homepage, problem: tooLong(limit: 2048))"
            ])
        let found = try manifest(", \"license\": \"MIT\", \"homepage\": \"https://a.example\"")
        #expect(try ManifestReader.read(found.encoded(), of: "test.zip") == found)
    }
}
