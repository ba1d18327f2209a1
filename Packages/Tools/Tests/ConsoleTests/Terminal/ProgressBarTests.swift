import Console
import Synchronization
import Testing

@Suite("Progress bar", .tags(.small))
struct ProgressBarTests {
    /// A recorder of the bar's output, with a clock that the test controls.
    private final class Stage: Sendable {
        private let state = Mutex((written: [String](), now: Duration.zero))
        var written: [String] { state.withLock { $0.written } }

        func pass(_ milliseconds: Int) { state.withLock { $0.now += .milliseconds(milliseconds) } }

        func bar(
            isTerminal: Bool, kind: String = "xterm", noColor: String? = nil, unit: ProgressBar.Unit = .items,
            height: Int = 1
        ) -> ProgressBar {
            let environment = ["TERM": kind, "NO_COLOR": noColor]
            return ProgressBar(
                unit: unit, height: height,
                terminal: Terminal(isTerminal: isTerminal, columns: 60) { environment[$0] ?? nil },
                clock: { self.state.withLock { $0.now } },
                write: { text in self.state.withLock { $0.written.append(text) } })
        }
    }

    private let stage = Stage()

    @Test("Nothing is drawn without a terminal that can redraw a line", arguments: ["", "dumb", "xterm"])
    func silent(kind: String) {
        let bar = stage.bar(isTerminal: kind == "dumb", kind: kind)
        bar.update(done: 1, total: 2, label: "x")
        bar.update(done: 2, total: 2, label: "x")
        bar.finish()
        #expect(stage.written == [])
    }

    @Test("Without a terminal, only a final summary is written")
    func summary() {
        let bar = stage.bar(isTerminal: false)
        bar.update(done: 1, total: 2, label: "x")
        bar.finish("done \u{1B}x")
        bar.finish("again")
        #expect(stage.written == ["done \\u{1B}x\n"])
    }

    @Test("The bar redraws one line and replaces it by the summary")
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

    @Test("With NO_COLOR, the bar overwrites with spaces instead of escape sequences")
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

    @Test("The bar is drawn at most ten times a second, but a new label and completion are drawn at once")
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

    @Test("Operations that run at once have a line each, and a complete one makes room")
    func rows() {
        let bar = stage.bar(isTerminal: true, height: 2)
        bar.update(done: 1, total: 4, label: "a")
        bar.update(done: 2, total: 4, label: "b")
        bar.update(done: 3, total: 4, label: "c")
        bar.update(done: 4, total: 4, label: "a")
        bar.remove("b")
        bar.finish("done")
        let erase = "\u{1B}[K"
        let (a, b) = ("a  [#####---------------]  25%  1 of 4", "b  [##########----------]  50%  2 of 4")
        let c = "c  [###############-----]  75%  3 of 4"
        #expect(
            stage.written == [
                "\r\(a)\(erase)", "\r\(a)\(erase)\n\(b)\(erase)", "\u{1B}[1A\r\(a)\(erase)\n\(b)\(erase)",
                "\u{1B}[1A\r\(b)\(erase)\n\(c)\(erase)", "\u{1B}[1A\r\(c)\(erase)\u{1B}[J", "\r\(erase)done\n",
            ])
    }

    @Test("The bar of bytes stays as it is when their rate and the time left appear", arguments: [39, 59, 79, 119])
    func steady(width: Int) throws {
        let label = "com.example.app.orders@1.0.0"
        func bar(_ rate: Double?) throws -> String {
            let line = ProgressBar.line(
                done: 114_600, total: 233_300, label: label, unit: .bytes, width: width, rate: rate)
            return try String(line[...#require(line.firstIndex(of: "%"))])
        }
        let first = try bar(nil)
        #expect(first.hasSuffix("]  49%"))
        for rate in [61_500.0, 999_900, 12, 1] { #expect(try bar(rate) == first) }
        let line = ProgressBar.line(
            done: 114_600, total: 233_300, label: label, unit: .bytes, width: width, rate: 61_500)
        #expect(line.contains(label) == (width >= 79))
        #expect(line.hasSuffix("  61.5 kB/s  2 s left") == (width >= 59))
        #expect(line.contains("114.6 kB of 233.3 kB") == (width >= 119))
    }

    @Test("After a second, bytes are shown with their rate and the time left")
    func rate() {
        let bar = stage.bar(isTerminal: true, unit: .bytes)
        bar.update(done: 0, total: 50_000_000, label: "shop")
        for second in 1...3 {
            stage.pass(1000)
            bar.update(done: second * 2_000_000, total: 50_000_000, label: "shop")
        }
        #expect(stage.written[0] == "\rshop  [--------------------]   0%  0 bytes of 50.0 MB\u{1B}[K")
        #expect(stage.written[3] == "\rshop  [##------------------]  12%  2.0 MB/s  22 s left\u{1B}[K")
        // A stalled operation becomes slower, and one that begins again has no rate.
        stage.pass(3000)
        bar.update(done: 6_000_000, total: 50_000_000, label: "shop")
        #expect(stage.written[4].contains("800.0 kB/s  55 s left"), "\(stage.written[4])")
        stage.pass(200)
        bar.update(done: 0, total: 50_000_000, label: "shop")
        #expect(!stage.written[5].contains("/s"), "\(stage.written[5])")
    }

    @Test("Without a terminal, an operation that takes long writes a plain line every ten seconds")
    func plainLines() {
        let bar = stage.bar(isTerminal: false, unit: .bytes, height: 8)
        for second in 0...25 {
            bar.update(done: second * 1_000_000, total: 200_000_000, label: "shop")
            bar.update(done: second * 2_000_000, total: 200_000_000, label: "lib")
            stage.pass(1000)
        }
        #expect(stage.written.map { $0.prefix(4) } == ["shop", "lib ", "shop", "lib "], "\(stage.written)")
        let line = "shop  [#-------------------]   5%  10.0 MB of 200.0 MB  1.0 MB/s  4 min left\n"
        #expect(stage.written.first == line, "\(stage.written)")
    }

    @Test("The bar is removed if the operation is abandoned")
    func abandoned() {
        stage.bar(isTerminal: true).update(done: 1, total: 2, label: "x")
        #expect(stage.written.last == "\r\u{1B}[K" && stage.written.count == 2)
    }

    @Test("The line fits any width and accepts any numbers")
    func anyWidth() {
        for width in -1...70 {
            for (done, total) in [(0, nil), (5, 10), (-3, 10), (20, 10), (Int.max, Int.max), (1, -1)] as [(Int, Int?)] {
                for labelWidth in [0, 30] {
                    let line = ProgressBar.line(
                        done: done, total: total, label: "购物车 com.example", unit: .bytes, width: width,
                        labelWidth: labelWidth)
                    #expect(displayWidth(of: line) <= max(0, width))
                }
            }
        }
    }

    @Test(
        "Numbers of bytes are formatted for people",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1999, "1.9 kB"),
            (27_040_000, "27.0 MB"),
            (999_999_999, "999.9 MB"), (5_000_000_000_000_000, "5000.0 TB"), (-1, "-1 bytes"),
        ])
    func bytes(count: Int, text: String) { #expect(byteCount(count) == text) }
}
