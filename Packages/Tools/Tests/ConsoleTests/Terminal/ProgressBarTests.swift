import Console
import Synchronization
import Testing

struct ProgressBarTests {
    /// Collects what a bar writes, under a clock that the test moves.
    private final class Stage: Sendable {
        private let state = Mutex((written: [String](), now: Duration.zero))
        var written: [String] { state.withLock { $0.written } }

        func pass(_ milliseconds: Int) { state.withLock { $0.now += .milliseconds(milliseconds) } }

        func bar(isTerminal: Bool, kind: String = "xterm", noColor: String? = nil) -> ProgressBar {
            let environment = ["TERM": kind, "NO_COLOR": noColor]
            return ProgressBar(
                unit: .items, terminal: Terminal(isTerminal: isTerminal, columns: 60) { environment[$0] ?? nil },
                clock: { self.state.withLock { $0.now } },
                write: { text in self.state.withLock { $0.written.append(text) } })
        }
    }

    private let stage = Stage()

    @Test("writes nothing where there is no terminal, or one that cannot redraw", arguments: ["", "dumb", "xterm"])
    func silent(kind: String) {
        let bar = stage.bar(isTerminal: kind == "dumb", kind: kind)
        bar.update(done: 1, total: 2, label: "x")
        bar.update(done: 2, total: 2, label: "x")
        bar.finish()
        #expect(stage.written == [])
    }

    @Test("writes one line at the end where there is no terminal, if there is one to write")
    func summary() {
        let bar = stage.bar(isTerminal: false)
        bar.update(done: 1, total: 2, label: "x")
        bar.finish("done \u{1B}x")
        bar.finish("again")
        #expect(stage.written == ["done \\u{1B}x\n"])
    }

    @Test("redraws one line, and leaves the summary in its place")
    func redraws() {
        let bar = stage.bar(isTerminal: true)
        bar.update(done: 1, total: 4, label: "shop")
        stage.pass(200)
        bar.update(done: 2, total: 4, label: "shop")
        bar.finish("installed shop")
        bar.update(done: 3, total: 4, label: "shop")
        #expect(
            stage.written == [
                "\rshop  [#####---------------]  25%  1 of 4\u{1B}[K",
                "\rshop  [##########----------]  50%  2 of 4\u{1B}[K",
                "\r\u{1B}[Kinstalled shop\n",
            ])
    }

    @Test("overwrites with spaces instead of escapes when NO_COLOR asks for plain text")
    func plain() {
        let bar = stage.bar(isTerminal: true, noColor: "1")
        bar.update(done: 1, total: 4, label: "shop")
        bar.finish("installed shop")
        let line = "shop  [#####---------------]  25%  1 of 4"
        #expect(
            stage.written == [
                "\r" + line + String(repeating: " ", count: 59 - line.count),
                "\r" + String(repeating: " ", count: 59) + "\rinstalled shop\n",
            ])
    }

    @Test("draws at most ten times a second, but a new label and the end at once")
    func throttled() {
        let bar = stage.bar(isTerminal: true)
        for done in 0..<1000 {
            bar.update(done: done, total: 1000, label: "a")
            stage.pass(1)
        }
        #expect(stage.written.count == 10)
        bar.update(done: 999, total: 1000, label: "a")
        #expect(stage.written.count == 11)
        bar.update(done: 999, total: 1000, label: "b")
        #expect(stage.written.count == 12)
        bar.update(done: 1000, total: 1000, label: "b")
        bar.update(done: 1000, total: 1000, label: "b")
        #expect(stage.written.count == 13)
    }

    @Test("removes its line when the work is abandoned")
    func abandoned() {
        stage.bar(isTerminal: true).update(done: 1, total: 2, label: "x")
        #expect(stage.written.last == "\r\u{1B}[K")
        #expect(stage.written.count == 2)
    }

    @Test("fits its line into any width, and stands any numbers")
    func anyWidth() {
        for width in -1...70 {
            for (done, total) in [(0, nil), (5, 10), (-3, 10), (20, 10), (Int.max, Int.max), (1, -1)] as [(Int, Int?)] {
                let line = ProgressBar.line(
                    done: done, total: total, label: "购物车 com.example", unit: .bytes, width: width)
                #expect(displayWidth(of: line) <= max(0, width))
            }
        }
    }

    @Test(
        "gives up the bar, then the amounts, then part of the label",
        arguments: [
            (60, "com.example.shop  [##########----------]  50%  5 of 10"), (40, "com.example.shop   50%  5 of 10"),
            (24, "com.example.shop   50%"), (16, "com.exa...   50%"),
        ])
    func narrower(width: Int, line: String) {
        #expect(ProgressBar.line(done: 5, total: 10, label: "com.example.shop", unit: .items, width: width) == line)
    }

    @Test(
        "says bytes as people do",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1999, "1.9 kB"),
            (27_040_000, "27.0 MB"),
            (999_999_999, "999.9 MB"), (5_000_000_000_000_000, "5000.0 TB"), (-1, "-1 bytes"),
        ])
    func bytes(count: Int, text: String) {
        #expect(byteCount(count) == text)
    }
}
