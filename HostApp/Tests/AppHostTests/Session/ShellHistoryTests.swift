import Foundation
import PluginCore
import Testing

@testable import AppHost

@Suite("The history of the shell", .tags(.medium))
struct ShellHistoryTests {
    private let folder: TemporaryFolder
    private var file: String { folder.path.appending("Library/shell-history").string }

    init() throws { folder = try TemporaryFolder() }

    private var history: ShellHistory { ShellHistory(in: folder.path) }

    @Test("Lines are found again in later sessions, in a file that only the user can read")
    func kept() throws {
        #expect(history.lines() == [] && !FileManager.default.fileExists(atPath: file))
        history.add("open app://shop")
        history.add("grün 你好")
        #expect(history.lines() == ["open app://shop", "grün 你好"])
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    }

    @Test("The file is bounded, and the newest lines stay")
    func bounded() throws {
        for number in 1...(2 * ShellHistory.limit + 1) { history.add("line \(number)") }
        let lines = history.lines()
        #expect(lines.count == ShellHistory.limit && lines.last == "line \(2 * ShellHistory.limit + 1)")
        #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == ShellHistory.limit)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.appending("Library").string).count == 1)
    }

    @Test("A link, and a file that nobody can read, are no error")
    func unusable() throws {
        let other = try folder.write("secret\n", to: "Library/other").string
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: other)
        history.add("line")
        #expect(history.lines() == [])
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "secret\n")
    }

    @Test(
        "Lines with secrets and lines that begin with a space are not kept",
        arguments: [
            ("open app://shop", true), ("signIn name=Ada", true), ("signIn name=Ada password=x", false),
            ("signIn userPassword=\"a b\"", false), ("x --passphrase=y", false), ("pay pin=1234", false),
            ("ship pinned=1", true), (" open app://shop", false), ("", false), ("x apiToken=1", false),
        ])
    func secrets(line: String, isKept: Bool) { #expect(ShellHistory.isKept(line) == isKept) }
}
