package import Console

/// Untrusted text in HTML and SVG.
package enum MarkupText {
    /// Returns a text for the content or a quoted attribute of an element.
    ///
    /// Invisible and bidirectional controls become visible escapes, so that a name cannot pretend to be another one. The quotation
    /// marks are escaped, too.
    package static func escaped(_ text: some StringProtocol) -> String {
        var result = ""
        for scalar in printable(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            // XML allows no other characters.
            case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns a document as the content of a script element of type `application/json`, which no text in it can end.
    package static func data(_ document: JSONText) -> String {
        document.text().replacing("&", with: "\\u0026").replacing("<", with: "\\u003c").replacing(
            ">", with: "\\u003e")
    }
}
