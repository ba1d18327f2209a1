import Console

/// Untrusted text in Graphviz's DOT language.
package enum DOTText {
    /// Returns a text in quotation marks, in which Graphviz finds no escapes.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for character in printable(text).unicodeScalars {
            if character == "\"" || character == "\\" { result += "\\" }
            result.unicodeScalars.append(character)
        }
        return result + "\""
    }
}
