import Console
import Glibc
import PluginCore
import Testing

@testable import AppHost

@Suite("Lines that rlwrap edits", .tags(.medium))
struct EditedLinesTests {
    @Test(
        "Lines with secrets and lines that begin with a space are not kept",
        arguments: [
            ("open app://shop", true), ("signIn name=Ada", true), ("signIn name=Ada password=x", false),
            ("signIn userPassword=\"a b\"", false), ("x --passphrase=y", false), ("pay pin=1234", false),
            ("ship pinned=1", true), (" open app://shop", false), ("x apiToken=1", false), ("note text=a=token", true),
        ])
    func secrets(line: String, isKept: Bool) throws {
        var expression = regex_t()
        try #require(regcomp(&expression, EditedLines.forgotten, REG_EXTENDED | REG_ICASE | REG_NOSUB) == 0)
        defer { regfree(&expression) }
        #expect((regexec(&expression, line, 0, nil, 0) != 0) == isKept)
    }

    @MainActor
    @Test("The tab key completes commands and addresses, and making the list creates nothing")
    func words() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            #"{"formatVersion": 1, "name": "A", "bundles": [{"uri": "shop", "pkg": "com.example.shop"}]}"#,
            to: "bundle.json")
        let sandbox = folder.path.appending("sandbox")
        let parsed = try CommandLineParser(HostCommands.root).parse([
            "shell", "--sandbox", sandbox.string, "--composition", folder.path.appending("bundle.json").string,
        ])
        let environment = HostEnvironment(variables: [:], executable: "/x/bin/hostapp", workingFolder: folder.path)
        let words = EditedLines(try HostCall(parsed: parsed, environment: environment)).words
        #expect(Set(["rollback", "keyboard", "app://shop"]).isSubset(of: words), "\(words)")
        #expect(!InputFile.isFolder(sandbox))
    }
}
