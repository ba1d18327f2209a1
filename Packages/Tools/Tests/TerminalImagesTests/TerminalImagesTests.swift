import Testing

@testable import TerminalImages

@Suite("Images on a terminal", .tags(.small))
struct TerminalImagesTests {
    /// A bitmap of rows of letters: r, g, b for colors, and a space for a transparent pixel.
    private func bitmap(_ rows: String...) -> Bitmap {
        let colors: [Character: [UInt8]] = [
            "r": [255, 0, 0, 255], "g": [0, 255, 0, 255], "b": [0, 0, 255, 255], "w": [255, 255, 255, 255],
            " ": [0, 0, 0, 0],
        ]
        return Bitmap(
            width: rows.first?.count ?? 0, height: rows.count, bytes: rows.joined().flatMap { colors[$0] ?? [] })
    }

    @Test("A PNG file is decoded to its pixels")
    func decoding() throws {
        #expect(try Bitmap(png: PNGFile(width: 2, height: 2, bitmap("rg", "b ").bytes).bytes) == bitmap("rg", "b "))
    }

    @Test("A file of more pixels than the limit is refused before any memory for them is used")
    func hugeSize() {
        for (width, height) in [(100_000, 100_000), (1_000_000, 5), (2049, 2048)] {
            let file = PNGFile(width: width, height: height, [])
            #expect(throws: ImageError.self) { try Bitmap(png: file.bytes) }
        }
        #expect(throws: ImageError.tooManyPixels(width: 2049, height: 2048)) {
            try Bitmap(png: PNGFile(width: 2049, height: 2048, []).bytes)
        }
        #expect(throws: ImageError.fileTooLarge(Bitmap.fileLimit + 1)) {
            try Bitmap(png: [UInt8](repeating: 0, count: Bitmap.fileLimit + 1))
        }
    }

    @Test("Damaged files are errors, wherever the damage is")
    func damage() {
        let whole = PNGFile(width: 8, height: 8, Array(repeating: 200, count: 8 * 8 * 4)).bytes
        // Without the last pixels; checksums after them are not read.
        for count in 0..<whole.count - 60 {
            #expect(throws: ImageError.self) { try Bitmap(png: Array(whole[..<count])) }
        }
        for index in 8..<whole.count {
            var file = whole
            file[index] ^= 0xFF
            // Some damage, such as in the name of a chunk after the pixels, does not matter. None may crash.
            _ = try? Bitmap(png: file)
        }
    }

    @Test("A smaller image has the averages of the pixels, in which transparent ones have no color")
    func scaling() {
        #expect(bitmap("rr", "rr").scaled(width: 1, height: 1) == bitmap("r"))
        #expect(bitmap("r ", "  ").scaled(width: 1, height: 1).bytes == [255, 0, 0, 63])
        #expect(bitmap("rb").scaled(width: 1, height: 1).bytes == [127, 0, 127, 255])
        #expect(bitmap("rb").scaled(width: 4, height: 2) == bitmap("rrbb", "rrbb"))
        #expect(bitmap("r").scaled(width: 0, height: -3) == bitmap("r"))
    }

    @Test("An image takes the cells of its size in points, or fewer of the same proportions")
    func cells() {
        let image = Bitmap(width: 160, height: 160, bytes: Array(repeating: 0, count: 160 * 160 * 4))
        #expect(CellArea(columns: 80, rows: 24).fitting(image, scale: 1) == CellArea(columns: 20, rows: 10))
        #expect(CellArea(columns: 80, rows: 24).fitting(image, scale: 2) == CellArea(columns: 10, rows: 5))
        #expect(CellArea(columns: 10, rows: 24).fitting(image, scale: 1) == CellArea(columns: 10, rows: 5))
        #expect(CellArea(columns: 80, rows: 3).fitting(image, scale: 1) == CellArea(columns: 6, rows: 3))
        #expect(CellArea(columns: 0, rows: 0).fitting(image, scale: 0) == CellArea(columns: 1, rows: 1))
    }

    @Test("A cell shows two pixels, and transparent ones show the background")
    func halfBlocks() {
        let blocks = HalfBlocks(bitmap("rr  ", "gr g"), in: CellArea(columns: 4, rows: 1))
        #expect(blocks.rows[0].map(\.character) == ["▀", "▀", " ", "▄"])
        #expect(
            blocks.lines(in: .direct) == [
                "\u{1B}[38;2;255;0;0;48;2;0;255;0m▀\u{1B}[38;2;255;0;0;48;2;255;0;0m▀\u{1B}[39;49m "
                    + "\u{1B}[38;2;0;255;0;49m▄\u{1B}[0m"
            ])
        let expected = ["\u{1B}[38;5;196;48;5;46m▀▀\u{1B}[0m"]
        #expect(HalfBlocks(bitmap("rr", "gg"), in: CellArea(columns: 2, rows: 1)).lines(in: .indexed) == expected)
    }

    @Test(
        "The nearest of 256 colors is in the cube or among the grays",
        arguments: [
            (PixelColor(red: 255, green: 0, blue: 0), 196), (PixelColor(red: 0, green: 0, blue: 0), 16),
            (PixelColor(red: 129, green: 128, blue: 127), 244), (PixelColor(red: 90, green: 140, blue: 220), 68),
        ])
    func indexed(color: PixelColor, expected: Int) { #expect(color.indexOf256 == expected) }

    @Test(
        "The environment says in which colors a terminal draws images",
        arguments: [
            (["TERM": "xterm-256color"], .indexed), (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .direct),
            (["TERM": "xterm-kitty", "COLORTERM": "24bit"], .direct), (["TERM": "xterm-direct"], .direct),
            (["TERM": "xterm-256color", "NO_COLOR": "1"], nil), (["TERM": "dumb"], nil), ([:], nil),
            (["TERM": "vt100"], nil),
        ] as [([String: String], ColorDepth?)])
    func colors(variables: [String: String], expected: ColorDepth?) {
        #expect(ColorDepth(isTerminal: true) { variables[$0] } == expected)
        #expect(ColorDepth(isTerminal: false) { variables[$0] } == nil)
    }
}
