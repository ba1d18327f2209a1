import PluginCore
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

    @Test(
        "Digests match FIPS 180, in any number of pieces",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ])
    func digest(text: String, digest: String) throws {
        #expect(try ContentDigest.of(Array(text.utf8)) == digest && ContentDigest.isValid(digest))
        let hasher = SHA256Hasher()
        for byte in text.utf8 { withUnsafeBytes(of: byte) { hasher.update($0) } }
        #expect(try ContentDigest.finish(hasher) == digest)
    }

    @Test("A seal is read and written as the same bytes, including file names in any script")
    func roundTrip() throws {
        let seal = try Seal(reading: Array(Self.good.utf8), of: "it")
        #expect(seal.files.map(\.path) == ["Resources/\u{fc}\"x\".json", "manifest.json"])
        #expect(String(decoding: seal.encoded(), as: UTF8.self) == Self.good)
        #expect(seal.file("manifest.json")?.size == 0)
        #expect(seal.files.map(\.isExecutable) == [true, false])
        #expect(seal.file("Resources/u\u{308}\"x\".json") == nil && seal.file("none") == nil)
    }

    @Test("File names that combine with quotes are read as written", arguments: ["\"\u{301}", "\"\u{600}\"", "x\""])
    func quoted(name: String) throws {
        let file = Seal.File(path: "Resources/\(name)", size: 1, sha256: Self.sha)
        let seal = try Seal(team: "com.example", signedAt: 0, files: [file], of: "it")
        #expect(try Seal(reading: seal.encoded(), of: "it") == seal)
    }

    /// The text to replace in a valid seal, its replacement, and the expected problem.
    static let faults: [(old: String, new: String, problem: String)] = [
        ("\"formatVersion\": 1", "\"formatVersion\": 2", "at(place: formatVersion, problem: formatTooNew(format: 2))"),
        ("\"formatVersion\": 1,", "", "notSeal"),
        ("\"team\": \"com.example\"", "\"team\": \"me\"", "at(place: team, problem: notTeamName(text: me))"),
        ("2026-11-21T", "2026-02-30T", "at(place: signedAt, problem: notUTCTime(text: 2026-02-30T12:00:00Z))"),
        ("12:00:00Z", "12:00:00+01:00", "at(place: signedAt, problem: notUTCTime(text: 2026-11-21T12:00:00+01:00))"),
        ("\"files\"", "\"fils\"", "notSeal"), ("\"team\": ", "\"more\": 1, \"team\": ", "sealNotCanonical"),
        (
            "manifest.json", "/manifest.json",
            "files[1].path, problem: pathFlaw(flaw: pathAbsolute, path: /manifest.json)"
        ),
        ("manifest.json", "a/../manifest.json", "pathFlaw(flaw: pathDots, path: a/../manifest.json)"),
        ("manifest.json", "..", "files[1].path, problem: pathFlaw(flaw: pathDots, path: ..))"),
        ("manifest.json", "a//b", "files[1].path, problem: pathFlaw(flaw: pathEmptyComponent, path: a//b))"),
        ("manifest.json", "a/", "files[1].path, problem: pathFlaw(flaw: pathEmptyComponent, path: a/))"),
        ("manifest.json", "a\\\\b", "files[1].path, problem: pathFlaw(flaw: pathBackslash, path: a\\b))"),
        ("manifest.json", "a\\u0000b", "pathControlCharacter"),
        ("manifest.json", "", "at(place: files[1].path, problem: pathFlaw(flaw: pathEmpty, path: ))"),
        ("manifest.json", "m/" + String(repeating: "long/", count: 204) + "abc", "pathTooLong(limit: 1024)"),
        ("manifest.json", "m/" + String(repeating: "x", count: 256), "pathNameTooLong(limit: 255)"),
        ("manifest.json", "signature/seal.json", "pathOfSignature(folder: signature)"),
        ("manifest.json", "signature", "pathOfSignature(folder: signature)"),
        ("manifest.json", "A.json", "at(place: files, problem: fileOrder(file: Resources/"),
        ("manifest.json", "Resources/\u{fc}\\\"x\\\".json", "at(place: files, problem: fileTwice("),
        ("\"size\": 0", "\"size\": -1", "notSeal"),
        ("\"size\": 0", "\"size\": \"0\"", "notSeal"),
        ("\"size\": 0, \"sha256\": \"ab", "\"size\": 0, \"sha256\": \"AB", "problem: notDigest("),
        ("\"size\": 0, \"sha256\": \"ab", "\"size\": 0, \"sha256\": \"", "problem: notDigest("),
        ("\"executable\": true", "\"executable\": 1", "notSeal"),
        // Variations that JSON readers interpret differently.
        ("\"executable\": true", "\"executable\": false", "sealNotCanonical"),
        ("\"size\": 0", "\"size\": 0, \"size\": 0", "is given twice"),
        ("\"size\": 0", "\"size\":  0", "sealNotCanonical"),
        ("\"size\": 0", "\"size\": 0e0", "sealNotCanonical"),
        ("manifest.json", "\\u006danifest.json", "sealNotCanonical"),
        ("  ]\n}\n", "  ]\n}", "sealNotCanonical"),
    ]

    @Test("A seal with a fault is rejected with the fault's place", arguments: faults)
    func fault(old: String, new: String, problem: String) throws {
        let text = Self.good.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
        try #require(text != Self.good)
        let error = try failing(.sealBroken) { try Seal(reading: Array(text.utf8), of: "it") }
        #expect(error.problems.contains { $0.description.contains(problem) }, "\(error)")
    }

    @Test("All faults of a seal are reported at once")
    func all() throws {
        var text = Self.good
        for (old, new) in [
            ("com.example", "me"), ("2026", "26"), ("manifest.json", "/x"), (Self.sha, "AB"),
        ] { text = text.split(separator: old, omittingEmptySubsequences: false).joined(separator: new) }
        let error = #expect(throws: AtriumError.self) { try Seal(reading: Array(text.utf8), of: "it") }
        #expect(error?.problems.count == 6)
    }

    @Test("A seal that is no JSON, too large or full of faults is rejected with a bounded number of problems")
    func hostile() throws {
        let files = (0..<20_000).map { _ in "{\"path\": \"/\"}" }.joined(separator: ",")
        let millions = "{\"files\": [" + String(repeating: "{},", count: Seal.sizeLimit / 3 - 10) + "{}]}"
        let many = "{\"files\": [\(files)]}"
        for text in ["", "[]", "nul", "{", many, millions, String(repeating: " ", count: Seal.sizeLimit + 1)] {
            let error = try failing(.sealBroken) { try Seal(reading: Array(text.utf8), of: "it") }
            #expect((1...51).contains(error.problems.count))
        }
    }
}
