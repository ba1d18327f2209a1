import PluginCore
import PluginRuntime
import Testing
@testable import BundleFormat

@Suite("Seal files", .tags(.small))
struct SealTests {
    private static let sha = String(repeating: "ab", count: 32)
    private static let good = """
        {
          "formatVersion": 1,
          "team": "com.example",
          "signedAt": "2026-11-21T12:00:00Z",
          "files": [
            {"path": "Resources/\u{fc}\\"x\\".json", "size": 12, "sha256": "\(sha)", "executable": true},
            {"path": "manifest.json", "size": 0, "sha256": "\(sha)"}
          ]
        }

        """

    @Test("A seal is read and written as the same bytes, including file names in any script")
    func roundTrip() throws {
        let seal = try Seal(reading: Array(Self.good.utf8), of: "it")
        #expect(seal.files.map(\.path) == ["Resources/\u{fc}\"x\".json", "manifest.json"])
        #expect(String(decoding: seal.encoded(), as: UTF8.self) == Self.good)
        #expect(seal.file("manifest.json")?.size == 0)
        #expect(seal.files.map(\.isExecutable) == [true, false])
        #expect(seal.file("Resources/u\u{308}\"x\".json") == nil)
        #expect(seal.file("none") == nil)
    }

    @Test(
        "A seal survives a round trip with file names that combine with quotation marks",
        arguments: ["\"\u{301}", "\"\u{600}\"", "x\""])
    func quoted(name: String) throws {
        let file = Seal.File(path: "Resources/\(name)", size: 1, sha256: Self.sha)
        let seal = try Seal(team: "com.example", signedAt: 0, files: [file], of: "it")
        #expect(try Seal(reading: seal.encoded(), of: "it") == seal)
    }

    /// The text to replace in a valid seal, its replacement, and the expected problem.
    static let faults: [(old: String, new: String, problem: String)] = [
        ("\"formatVersion\": 1", "\"formatVersion\": 2", "formatVersion: 2 is not supported; it needs a newer host"),
        ("\"formatVersion\": 1,", "", "formatVersion: it is missing"),
        (
            "\"team\": \"com.example\"", "\"team\": \"me\"",
            "team: \"me\" is not a reverse-domain name such as com.example"
        ),
        (
            "2026-11-21T", "2026-02-30T",
            "signedAt: \"2026-02-30T12:00:00Z\" is not a UTC time such as 2026-11-21T12:00:00Z"
        ),
        ("12:00:00Z", "12:00:00+01:00", "signedAt: \"2026-11-21T12:00:00+01:00\" is not a UTC time"),
        ("\"files\"", "\"fils\"", "fils: no such field; did you mean \"files\"?"),
        ("manifest.json", "/manifest.json", "files[1].path: \"/manifest.json\" is absolute"),
        ("manifest.json", "a/../manifest.json", "files[1].path: \"a/../manifest.json\" contains \".\" or \"..\""),
        ("manifest.json", "..", "files[1].path: \"..\" contains \".\" or \"..\""),
        ("manifest.json", "a//b", "files[1].path: \"a//b\" contains an empty component"),
        ("manifest.json", "a/", "files[1].path: \"a/\" contains an empty component"),
        ("manifest.json", "a\\\\b", "files[1].path: \"a\\b\" contains a backslash"),
        ("manifest.json", "a\\u0000b", "contains a control character"),
        ("manifest.json", "", "files[1].path: \"\" is empty"),
        ("manifest.json", "m/" + String(repeating: "long/", count: 204) + "abc", "is longer than 1024 bytes"),
        ("manifest.json", "m/" + String(repeating: "x", count: 256), "contains a name of more than 255 bytes"),
        ("manifest.json", "signature/seal.json", "is in signature/, which is not sealed"),
        ("manifest.json", "signature", "is in signature/, which is not sealed"),
        ("manifest.json", "A.json", "files: \"A.json\" must be listed before \"Resources/"),
        ("manifest.json", "Resources/\u{fc}\\\"x\\\".json", "is listed twice"),
        ("\"size\": 0", "\"size\": -1", "files[1].size: "),
        ("\"size\": 0", "\"size\": \"0\"", "files[1].size: "),
        (
            "\"size\": 0, \"sha256\": \"ab", "\"size\": 0, \"sha256\": \"AB",
            "is not 64 lowercase hexadecimal digits"
        ),
        (
            "\"size\": 0, \"sha256\": \"ab", "\"size\": 0, \"sha256\": \"",
            "is not 64 lowercase hexadecimal digits"
        ),
        ("\"executable\": true", "\"executable\": 1", "files[0].executable: "),
        // Variations that JSON readers interpret differently.
        ("\"executable\": true", "\"executable\": false", "canonical form"),
        ("\"size\": 0", "\"size\": 0, \"size\": 0", "is given twice"),
        ("\"size\": 0", "\"size\":  0", "canonical form"),
        ("\"size\": 0", "\"size\": 0e0", "canonical form"),
        ("manifest.json", "\\u006danifest.json", "canonical form"),
        ("  ]\n}\n", "  ]\n}", "canonical form"),
    ]

    @Test("A seal with a fault is rejected with the fault's place", arguments: faults)
    func fault(old: String, new: String, problem: String) throws {
        let text = Self.good.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
        try #require(text != Self.good)
        let error = #expect(throws: AtriumError.self) { try Seal(reading: Array(text.utf8), of: "it") }
        #expect(error?.code == .sealBroken)
        #expect(error?.problems.contains { $0.contains(problem) } == true, "\(error?.problems ?? [])")
    }

    @Test("All faults of a seal are reported at once")
    func all() throws {
        var text = Self.good
        for (old, new) in [
            ("com.example", "me"), ("2026", "26"), ("manifest.json", "/x"), ("\"size\": 12", "\"size\": -1"),
        ] {
            text = text.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
        }
        let error = #expect(throws: AtriumError.self) { try Seal(reading: Array(text.utf8), of: "it") }
        #expect(error?.problems.count == 4)
    }

    @Test("A seal that is no JSON, too large or full of faults is rejected with a bounded number of problems")
    func hostile() {
        let files = (0..<20_000).map { _ in "{\"path\": \"/\"}" }.joined(separator: ",")
        let millions = "{\"files\": [" + String(repeating: "{},", count: Seal.sizeLimit / 3 - 10) + "{}]}"
        let many = "{\"files\": [\(files)]}"
        for text in ["", "[]", "nul", "{", many, millions, String(repeating: " ", count: Seal.sizeLimit + 1)] {
            let error = #expect(throws: AtriumError.self) { try Seal(reading: Array(text.utf8), of: "it") }
            #expect(error?.code == .sealBroken)
            #expect((1...51).contains(error?.problems.count ?? 0))
        }
    }
}
