/// A number of character cells of a terminal.
public struct CellArea: Hashable, Sendable {
    /// The width that a cell is taken to have, in points.
    public static let cellWidth = 8
    /// The height that a cell is taken to have, in points.
    public static let cellHeight = 16

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
