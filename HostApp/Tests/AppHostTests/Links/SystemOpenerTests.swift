import Foundation
import PluginCore
import Testing

@testable import AppHost

@Suite("The program that opens links", .tags(.large), .timeLimit(.minutes(1)))
struct SystemOpenerTests {
    private let folder: TestFolder
    private let link: SystemLink

    init() throws {
        folder = try TestFolder()
        link = try #require(try SystemLink(ResourceURI("https://example.com/$(touch x);'a'?b=1&c=2")))
    }

    private func opener(_ script: String) throws -> SystemOpener {
        #expect(try chmod(folder.write("#!/bin/sh\n\(script)\n", to: "xdg-open"), 0o755) == 0)
        return SystemOpener(searchPath: "relative:\(folder.path):/usr/bin:/bin", variables: ["OUT": folder.path])
    }

    private func error(of opener: SystemOpener) async -> AtriumError? {
        await #expect(throws: AtriumError.self) { try await opener.open(link) }
    }

    @Test("gets the link as its only argument, no descriptors, and a mark by which a host recognizes it")
    func arguments() async throws {
        // A shell may redirect its own output while it runs a program, and opens descriptors for itself.
        let opener = try opener(
            """
            printf '%s|%s|%s\\n' "$#" "$1" "$ATRIUM_LINK" > "$OUT/arguments"
            streams=$(readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2)
            echo "$streams" > "$OUT/streams"
            # The descriptor with which the shell has listed the folder is closed again.
            readlink /proc/$$/fd/* > "$OUT/descriptors" || true
            """)
        let held = open(folder.place("held"), O_RDWR | O_CREAT, 0o600)
        defer { close(held) }
        try #require(held > 2)
        try await opener.open(link)
        #expect(try folder.text("arguments") == "1|https://example.com/$(touch%20x);'a'?b=1&c=2|1\n")
        #expect(try folder.text("streams") == "/dev/null\n/dev/null\n/dev/null\n")
        let files = try folder.text("descriptors")
        #expect(files.contains("/dev/null\n") && !files.contains("/held\n"), "\(files)")
    }

    @Test("runs in a session of its own, so that Control-C on the host's terminal does not end it")
    func session() async throws {
        try await opener("cut -d' ' -f6 /proc/$$/stat > \"$OUT/session\"; echo $$ >> \"$OUT/session\"").open(link)
        let words = try folder.text("session").split(whereSeparator: \.isWhitespace)
        #expect(words.count == 2 && words.first == words.last, "\(words)")
    }

    @Test("does not keep the host waiting as long as a browser runs")
    func longLived() async throws {
        let opener = try opener("echo $$ > \"$OUT/number\"; exec sleep 600")
        try await opener.open(link)
        let number = try #require(Int32(folder.text("number").dropLast()))
        #expect(kill(number, 0) == 0)
        kill(number, SIGKILL)
    }

    @Test("is reported if it is missing, fails or dies")
    func failures() async throws {
        let missing = await error(of: SystemOpener(searchPath: folder.path))
        #expect(missing?.code == .systemLinkFailed && missing?.reason?.name == "openerMissing")
        let failed = ErrorReason("openerFailed", ["program": "xdg-open", "status": 3])
        #expect(await error(of: try opener("exit 3"))?.reason == failed)
        #expect(await error(of: try opener("kill -9 $$"))?.reason?.name == "openerKilled")
    }
}
