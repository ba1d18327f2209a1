import Dispatch
import Synchronization
import Testing

@testable import Console

import Glibc

@Suite("Secret input on a terminal", .tags(.small), .serialized, .timeLimit(.minutes(15)))
struct SecretInputTests {
    /// Both ends of a pseudoterminal, one for the person and one for the program.
    private struct Pair: ~Copyable {
        let person: Int32
        let program: Int32

        init() throws {
            var ends: (person: Int32, program: Int32) = (0, 0)
            try #require(openpty(&ends.person, &ends.program, nil, nil, nil) == 0)
            (person, program) = ends
        }

        deinit {
            close(program)
            close(person)
        }

        var localMode: tcflag_t {
            var mode = termios()
            tcgetattr(program, &mode)
            return mode.c_lflag
        }

        /// Returns the text that is shown up to an expected ending.
        func shown(until end: String) -> String {
            var shown: [UInt8] = []
            var byte: UInt8 = 0
            while !String(decoding: shown, as: UTF8.self).hasSuffix(end), read(person, &byte, 1) == 1 {
                shown.append(byte)
            }
            return String(decoding: shown, as: UTF8.self)
        }

        /// Asks for something, types the keys when the prompt is shown, and returns the answer.
        func answer<Answer: Sendable>(
            typing keys: String, after prompt: String, _ ask: @escaping @Sendable (Int32) -> Answer
        ) -> Answer? {
            // Both sides wait for each other, so the program runs on a separate thread.
            let done = DispatchSemaphore(value: 0)
            let answer = Mutex<Answer?>(nil)
            let program = program
            DispatchQueue.global().async {
                let given = ask(program)
                answer.withLock { $0 = given }
                done.signal()
            }
            // A wrong prompt with the same end fails at once.
            #expect(shown(until: String(prompt.suffix(6))) == prompt)
            let bytes = Array(keys.utf8)
            _ = write(person, bytes, bytes.count)
            done.wait()
            return answer.withLock { $0 }
        }
    }

    @Test(
        "A line is read without being shown, and the terminal's mode is restored",
        arguments: [
            ("secret\n", "secret"), ("secret\r", "secret"), ("\n", ""), ("pässword\n", "pässword"),
            ("wrong\u{15}right\n", "right"), ("righx\u{7f}t\n", "right"), ("rié\u{7f}ght\n", "right"),
            ("\u{7f}\u{8}x\n", "x"), ("x\u{4}", "x"), ("\u{3}", nil), ("half\u{3}", nil), ("\u{4}", nil),
            ("\u{1c}", nil),
        ] as [(String, String?)])
    func line(keys: String, line: String?) throws {
        let terminal = try Pair()
        let before = terminal.localMode
        let answer = terminal.answer(typing: keys, after: "Password: ") {
            try? SecretInput.line(prompt: "Password: ", on: $0)
        }
        #expect(answer == line)
        #expect(terminal.shown(until: "\r\n") == "\r\n" && terminal.localMode == before)
    }

    @Test(
        "Only y and yes answer a question with yes",
        arguments: [
            ("y\n", true), ("YES\n", true), ("n\n", false), ("\n", false), ("yesterday\n", false), ("\u{4}", false),
        ] as [(String, Bool)])
    func question(keys: String, isYes: Bool) throws {
        let answer = try Pair().answer(typing: keys, after: "Install? [y/N] ") {
            TerminalQuestion.confirm("Install?", on: $0)
        }
        #expect(answer == isYes)
    }

    @Test("A question of several lines is shown as lines, and its other control characters as text")
    func questionOfLines() throws {
        let shown = "Permission\\u{1B} a\r\nPermission b\r\nInstall? [y/N] "
        _ = try Pair().answer(typing: "n\n", after: shown) {
            TerminalQuestion.confirm("Permission\u{1B} a\nPermission b\nInstall?", on: $0)
        }
    }

    @Test("A descriptor that is not a terminal is not read")
    func noTerminal() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(throws: SecretInput.Failure.noTerminal) { try SecretInput.line(prompt: "Password: ", on: ends[0]) }
    }

    @Test("A line that never ends is limited to 1,024 bytes")
    func endless() {
        var line = SecretLine()
        for _ in 0..<100_000 { #expect(line.take(0x61) == .going) }
        #expect(line.text.utf8.count == 1_024)
    }
}
