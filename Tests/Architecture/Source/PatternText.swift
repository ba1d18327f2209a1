/// The content of a string literal as it is at run time, with `%@` in place of each value.
enum PatternText {
    static let placeholder = "%@"

    /// Returns the pattern of a literal, which is the key of its translations.
    static func text(of token: Token) -> String {
        guard let form = token.form else { return token.text }
        let escape = "\\" + String(repeating: "#", count: form.hashes)
        var lines = token.text
        if form.isMultiline { lines = unindented(token.text) }
        var (result, rest) = ("", lines[...])
        while let range = rest.firstRange(of: escape) {
            result += rest[..<range.lowerBound]
            rest = rest[range.upperBound...]
            guard let next = rest.popFirst() else { break }
            switch next {
            case "(":
                result += placeholder
                rest = rest[endOfCode(in: rest)...]
            case "n": result += "\n"
            case "t": result += "\t"
            case "u":
                let digits = rest.dropFirst().prefix { $0 != "}" }
                if let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) {
                    result.unicodeScalars.append(scalar)
                }
                rest = rest.dropFirst(digits.count + 2)
            // The backslash at the end of a line joins it with the next.
            case "\n": break
            default: result.append(next)
            }
        }
        return result + rest
    }

    /// Returns the place after the closing parenthesis of interpolated code, which can contain texts with parentheses.
    private static func endOfCode(in text: Substring) -> Substring.Index {
        var (depth, isInText, index) = (0, false, text.startIndex)
        while index < text.endIndex {
            let character = text[index]
            let next = text.index(after: index)
            if character == "\\", isInText, next < text.endIndex {
                // Interpolated code in a text in interpolated code.
                let after = text.index(after: next)
                index = text[next] == "(" ? endOfCode(in: text[after...]) : after
                continue
            }
            if character == "\"" { isInText.toggle() }
            if !isInText, character == "(" { depth += 1 }
            if !isInText, character == ")" {
                if depth == 0 { return next }
                depth -= 1
            }
            index = next
        }
        return index
    }

    private static func unindented(_ text: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        let indent = lines.popLast()?.count ?? 0
        return lines.map { $0.dropFirst(indent) }.joined(separator: "\n")
    }
}
