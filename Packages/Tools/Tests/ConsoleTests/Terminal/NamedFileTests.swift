import Console
import PluginCore
import Testing

import Glibc

@Suite("Files that a user names", .tags(.medium))
struct NamedFileTests {
    private let temporary: TestFolder
    private var folder: FilePath { FilePath(temporary.path) }

    init() throws { temporary = try TestFolder() }

    private func reason(of path: FilePath) -> String? {
        let error = #expect(throws: AtriumError.self) { try NamedFile.bytes(of: path, limit: 100) }
        return error?.reason?.name ?? error?.code.name
    }

    @Test("A pipe that no program writes into, a device, a socket and a folder end with a word")
    func special() throws {
        let pipe = folder.appending("pipe")
        try #require(mkfifo(pipe.string, 0o600) == 0)
        #expect(reason(of: pipe) == "pipeSilent")
        #expect(reason(of: "/dev/zero") == "notRegularFile")
        #expect(reason(of: folder) == "fileUnknown")
        #expect(reason(of: folder.appending("nothing")) == "fileUnknown")
        #expect(throws: AtriumError.self) { try NamedFile.write("x", to: pipe) }
    }

    @Test("A pipe is read to its end, and a content over the limit is an error")
    func pipes() throws {
        for (text, isFitting) in [("a key", true), (String(repeating: "x", count: 101), false)] {
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            defer { close(ends[0]) }
            _ = text.withCString { write(ends[1], $0, strlen($0)) }
            close(ends[1])
            let path = FilePath("/dev/fd/\(ends[0])")
            if isFitting {
                #expect(try NamedFile.bytes(of: path, limit: 100) == Array(text.utf8))
            } else {
                #expect(reason(of: path) == "fileTooLarge")
            }
        }
    }

    @Test("A file is written in place of an earlier one")
    func writing() throws {
        let path = folder.appending("file")
        try NamedFile.write("a long text", to: path)
        try NamedFile.write("short", to: path)
        #expect(try NamedFile.bytes(of: path, limit: 100) == Array("short".utf8))
    }
}

@Suite("Passwords in addresses", .tags(.small))
struct RedactionTests {
    @Test(
        "A password in an address is left out of a text",
        arguments: [
            ("https://user:s3cret@example.org/a?b=c@d", "https://user:***@example.org/a?b=c@d"),
            ("\"http://u:p%40:x@h:80\" and https://v:w@[::1]/", "\"http://u:***@h:80\" and https://v:***@[::1]/"),
            ("https://a:b@c@d/", "https://a:***@d/"), ("https://:x@h", "https://:***@h"),
            ("https://example.org:80/@x:y@z", "https://example.org:80/@x:y@z"),
            ("mail ada@example.org, see https://example.org", "mail ada@example.org, see https://example.org"),
            ("https://user@example.org", "https://user@example.org"),
        ])
    func redaction(text: String, expected: String) {
        #expect(redacted(text) == expected)
        let report = FailureReport(code: "x", subject: text, message: "it is \(text)", remedy: text, details: [text])
        #expect(report.subject == expected && report.message == "it is \(expected)")
        #expect(report.remedy == expected && report.details == [expected])
    }
}
