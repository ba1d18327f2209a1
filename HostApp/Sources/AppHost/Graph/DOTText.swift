import Console

/// Untrusted text in Graphviz's DOT language.
enum DOTText {
    /// Returns a text in quotation marks, in which Graphviz finds neither an escape nor a character reference.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in printable(text).unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            // A reference such as &#8238; would become an invisible character of the drawing.
            case "&": result += "&amp;"
            // XML, and so SVG, allows no other characters.
            case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
