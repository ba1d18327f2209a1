/// An image as cells of which each shows two pixels, one above the other.
///
/// ```swift
/// let image = try Bitmap(png: png)
/// let area = CellArea(columns: 40, rows: 12).fitting(image, scale: 2)
/// print(HalfBlocks(image, in: area).lines(in: .direct).joined(separator: "\n"))
/// ```
public struct HalfBlocks: Hashable, Sendable {
    /// A cell.
    public struct Cell: Hashable, Sendable {
        /// The color of the upper half, or nil for the background.
        let upper: PixelColor?
        /// The color of the lower half, or nil for the background.
        let lower: PixelColor?

        /// The character of the cell: a space, the upper half block, or the lower one.
        ///
        /// Its color is ``foreground``, on ``background``.
        public var character: Character { upper != nil ? "▀" : lower != nil ? "▄" : " " }
        /// The color of the character.
        public var foreground: PixelColor? { upper ?? lower }
        /// The color behind the character, or nil for that of the terminal.
        public var background: PixelColor? { upper == nil ? nil : lower }
    }

    /// The cells, row by row.
    public let rows: [[Cell]]

    /// Scales an image to an area.
    public init(_ image: Bitmap, in area: CellArea) {
        let image = image.scaled(width: area.columns, height: area.rows * 2)
        rows = (0..<area.rows).map { row in
            (0..<area.columns).map { column in
                Cell(upper: image.color(x: column, y: row * 2), lower: image.color(x: column, y: row * 2 + 1))
            }
        }
    }

    /// Returns the rows as lines with the escape sequences of their colors (ECMA-48, and ITU-T T.416 as terminals know it).
    public func lines(in colors: ColorDepth) -> [String] {
        rows.map { row in
            var line = ""
            var last: [String] = []
            for cell in row {
                let style = [
                    cell.foreground.map { sequence(38, $0, colors) } ?? "39",
                    cell.background.map { sequence(48, $0, colors) } ?? "49",
                ]
                if style != last { line += "\u{1B}[\(style.joined(separator: ";"))m" }
                last = style
                line.append(cell.character)
            }
            return line + "\u{1B}[0m"
        }
    }

    private func sequence(_ ground: Int, _ color: PixelColor, _ depth: ColorDepth) -> String {
        switch depth {
        case .indexed: "\(ground);5;\(color.indexOf256)"
        case .direct: "\(ground);2;\(color.red);\(color.green);\(color.blue)"
        }
    }
}

/// The colors of a terminal that shows images.
public enum ColorDepth: Hashable, Sendable {
    /// 256 colors.
    case indexed
    /// 24 bits for each color.
    case direct

    /// Determines the colors from the environment; nil for a terminal that shows the texts of images.
    ///
    /// - Parameters:
    ///   - isTerminal: Whether the output is a terminal that may show styles.
    ///   - environment: Returns the value of an environment variable.
    public init?(isTerminal: Bool, environment: (String) -> String?) {
        let kind = environment("TERM") ?? ""
        guard isTerminal, (environment("NO_COLOR") ?? "").isEmpty, !kind.isEmpty, kind != "dumb" else { return nil }
        if ["truecolor", "24bit"].contains(environment("COLORTERM") ?? "") || kind.hasSuffix("-direct") {
            self = .direct
        } else if kind.contains("256color") {
            self = .indexed
        } else {
            return nil
        }
    }
}

/// A number of character cells of a terminal.
public struct CellArea: Hashable, Sendable {
    /// The width that a cell is taken to have, in points.
    static let cellWidth = 8
    /// The height that a cell is taken to have, in points.
    static let cellHeight = 16

    /// The number of columns, at least 1.
    public let columns: Int
    /// The number of rows, at least 1.
    public let rows: Int

    /// Creates an area. A number below 1 counts as 1.
    public init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }

    /// Returns the cells for an image: those that its size in points needs, or fewer of the same proportions if they are too many.
    ///
    /// - Parameter scale: The number of the image's pixels per point.
    public func fitting(_ image: Bitmap, scale: Int) -> CellArea {
        let scale = Double(max(1, scale))
        let wanted = (
            columns: Double(image.width) / scale / Double(Self.cellWidth),
            rows: Double(image.height) / scale / Double(Self.cellHeight)
        )
        let factor = min(1, Double(columns) / wanted.columns, Double(rows) / wanted.rows)
        return CellArea(
            columns: min(columns, Int((wanted.columns * factor).rounded())),
            rows: min(rows, Int((wanted.rows * factor).rounded())))
    }
}
