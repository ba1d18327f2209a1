/// The look of a cell.
package struct CellStyle: Hashable, Sendable {
    /// The attributes that terminals without colors have as well.
    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let underline = Attributes(rawValue: 4)
        package static let reverse = Attributes(rawValue: 8)
    }

    package var attributes: Attributes
    /// The number of a color of xterm's 256; `nil` for the terminal's own.
    package var foreground: UInt8?
    /// The number of a color of xterm's 256; `nil` for the terminal's own.
    package var background: UInt8?

    package init(_ attributes: Attributes = [], foreground: UInt8? = nil, background: UInt8? = nil) {
        (self.attributes, self.foreground, self.background) = (attributes, foreground, background)
    }

    /// The terminal's own look.
    package static let plain = CellStyle()

    /// Returns the style with more attributes.
    package func adding(_ more: Attributes) -> CellStyle {
        var style = self
        style.attributes.formUnion(more)
        return style
    }
}
