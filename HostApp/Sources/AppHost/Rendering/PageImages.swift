import PluginCore
public import TerminalImages

/// The images of pages on one terminal.
@MainActor
public final class PageImages {
    /// The largest area of an image among the lines of a page.
    private static let area = CellArea(columns: 48, rows: 12)

    private let determine: () -> ImageSupport
    private var known: ImageSupport?

    /// Creates the images of a terminal.
    ///
    /// - Parameter support: Returns what the terminal can draw. It is called with the first image.
    public init(_ support: @escaping () -> ImageSupport) {
        determine = support
    }

    /// The kind of images that the terminal can draw.
    public var support: ImageSupport {
        if let known { return known }
        let support = determine()
        known = support
        return support
    }

    /// Returns the lines of an image, or nil if its text is to be shown.
    ///
    /// - Parameter width: The number of columns, or nil for any.
    func lines(of image: PageImage, width: Int?) -> [String]? {
        guard !image.png.isEmpty else { return nil }
        let area = CellArea(columns: min(width ?? Self.area.columns, Self.area.columns), rows: Self.area.rows)
        return TerminalImage.lines(of: image.png, scale: image.scale, in: area, support)
    }
}
