import BundleTool
import Console
import FoundationEssentials
import PluginCore
import Testing

@Suite("A command with several SDKs", .tags(.medium))
struct SDKRunsTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// Makes a folder that looks like an SDK, whose bundletool is a script.
    private func sdk(_ name: String, _ script: String) throws -> String {
        for path in ["modules/a", "include/a", "lib/a", "bin/hostapp"] { try folder.write("", to: "\(name)/\(path)") }
        let program = try folder.write("#!/bin/sh\n\(script)\n", to: "\(name)/bin/bundletool")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        try folder.write(
            #"{ "formatVersion": 1, "version": "2.0.0", "coreABI": 3, "triple": "x", "swift": "6.3.1" }"#,
            to: "\(name)/sdk.json")
        return folder.place(name)
    }

    @Test("Each SDK's own bundletool gets the same words; the exit status is the worst, and one document has all")
    func words() throws {
        let good = try sdk("good", #"printf '{"words":"%s"}\n' "$*""#)
        let bad = try sdk("bad", "echo no document; exit 77")
        for command in ["test", "lint", "validate"] {
            let words = [command, "--sdk", good, "Hello", "--sdk=\(bad)", "--sdk", good, "--json"]
            let (status, output) = try runProgram(words + (command == "test" ? ["--", "--sdk", "x"] : []))
            let rest = command == "test" ? " -- --sdk x" : ""
            let runs = try JSONDecoder().decode(JSON.self, from: Data(output.drop { $0 != "{" }.utf8)).sdks.elements
            #expect(status == 77 && runs.map(\.status) == [0, 77, 0], "\(output)")
            #expect(runs.map(\.sdk) == [.text(good), .text(bad), .text(good)] && runs[0].swift == "6.3.1")
            #expect(runs[2].result.words == .text("\(command) Hello --json\(rest)") && runs[1].result == .null)
        }
        let (status, text) = try runProgram(["lint", "--sdk", bad, "--sdk", good])
        #expect(status == 77 && text.contains("failed  2.0.0") && text.contains("passed  2.0.0"), "\(text)")
    }

    @Test("A folder that is no SDK is named, and nothing runs")
    func missing() throws {
        let good = try sdk("good", "touch \(folder.place("ran"))")
        let wrong = "\(good)/lib"
        #expect(try refusal { try bundletool("test", "Hello", "--sdk", good, "--sdk", wrong) } == "66 sdkMissing")
        #expect(!FileManager.default.fileExists(atPath: folder.place("ran")))
    }
}
