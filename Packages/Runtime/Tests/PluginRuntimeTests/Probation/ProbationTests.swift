import PluginCore
@testable import PluginRuntime
import Testing

@Suite("The code of a version that has not proven itself")
struct ProbationTests {
    typealias Cause = ProbationVerdict.Cause

    @Test(
        "is blamed at once when it crashes, hangs or ends the host while it is loaded",
        arguments: [
            (.segmentationFault, .crashed(signal: 11)), (.busError, .crashed(signal: 7)),
            (.illegalInstruction, .crashed(signal: 4)), (.division, .crashed(signal: 8)),
            (.abortion, .crashed(signal: 6)), (.breakpoint, .crashed(signal: 5)),
            (.signalled, .crashed(signal: 31)), (.overflow, .crashed(signal: 11)),
            (.threadOfPlugin, .crashed(signal: 11)), (.exit, .exited), (.loop, .hung),
        ] as [(DyingHost, Cause)])
    func blamed(row: (host: DyingHost, cause: Cause)) async throws {
        try await withBook { book in
            try await book.dies(of: row.host)
            let verdicts = book.verdicts()
            #expect(verdicts.map(\.cause) == [row.cause])
            #expect(verdicts.map(\.identity) == [DyingHost.identity])
            #expect(verdicts.map(\.phase) == [.load])
            #expect(book.verdicts() == verdicts)
            for verdict in verdicts { book.clear(verdict) }
            #expect(book.verdicts() == [])
            #expect(try book.folder.names == [])
        }
    }

    @Test(
        "is blamed the second time that nobody knows why the host ended",
        arguments: [
            (.killed, .ended), (.toldItself, .ended), (.rawExit, .ended), (.crashInFork, .ended),
            (.crashUnheld, .crashed(signal: 6)),
        ] as [(DyingHost, Cause)])
    func struck(row: (host: DyingHost, cause: Cause)) async throws {
        try await withBook { book in
            try await book.dies(of: row.host)
            #expect(book.verdicts() == [])
            #expect(book.verdicts() == [])
            try await book.dies(of: row.host)
            #expect(book.verdicts().map(\.cause) == [row.cause])
        }
    }

    @Test("is struck once by what ended several hosts at once, and keeps that strike")
    func together() async throws {
        try await withBook { book in
            for _ in 0..<3 { try await book.dies(of: .killed) }
            #expect(book.verdicts(sweeping: false) == [])
            #expect(try book.folder.names.count == 3)
            for _ in 0..<2 {
                #expect(book.verdicts() == [])
                #expect(try book.folder.names.count == 1)
            }
            for _ in 0..<2 { try await book.dies(of: .killed) }
            for isSweeping in [false, true, true] {
                #expect(book.verdicts(sweeping: isSweeping).map(\.cause) == [.ended])
            }
        }
    }

    @Test("is not blamed for two ends when it has run well in between")
    func proved() async throws {
        try await withBook { book in
            try await book.dies(of: .killed)
            book.clearStrikes(DyingHost.other, digest: DyingHost.digest)
            #expect(try book.folder.names.count == 1)
            book.clearStrikes(DyingHost.identity, digest: DyingHost.digest)
            try await book.dies(of: .killed)
            #expect(book.verdicts() == [])
        }
    }

    @Test(
        "is not blamed for what it did not do, however often",
        arguments: [
            .killedOutside, .killedWaiting, .crashWaiting, .crashOutside, .crashElsewhere, .exitElsewhere,
            .told,
        ] as [DyingHost])
    func innocent(host: DyingHost) async throws {
        try await withBook { book in
            for _ in 0..<3 {
                try await book.dies(of: host)
                #expect(book.verdicts() == [])
            }
            #expect(try book.folder.names == [])
        }
    }

    @Test("is not blamed for what the code did that it was waiting for")
    func inner() async throws {
        try await withBook { book in
            for _ in 0..<2 { try await book.dies(of: .crashInner) }
            #expect(book.verdicts().map(\.identity) == [DyingHost.other])
        }
    }
}

/// Gives the body a book in a sandbox of its own.
func withBook(
    limits: ProbationLimits = ProbationLimits(), _ body: (ProbationBook) async throws -> Void
) async throws {
    try await withFolder { root in
        try root.appending("Containers/Bundle").makeFolder()
        try await body(ProbationBook(Sandbox(root: root), limits: limits))
    }
}

extension ProbationBook {
    /// The sandbox that it is of.
    var root: FilePath { folder.parent.parent.parent }

    /// Has another process of the same sandbox die.
    func dies(of host: DyingHost) async throws {
        let library = root.appending("libDying.so")
        if !library.exists { try library.write(await DyingHost.library.value) }
        await #expect(processExitsWith: host.condition) {
            [root = root.string as String, library = library.string as String, host = host as DyingHost] in
            host.run(in: root, opening: library)
        }
    }
}
