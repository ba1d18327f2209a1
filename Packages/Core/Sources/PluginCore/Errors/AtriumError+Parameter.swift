extension AtriumError {
    static func missing(_ name: String, expected: Any.Type, detail: String = "") -> AtriumError {
        let place = detail.isEmpty ? "" : " \(detail)"
        return AtriumError(.parameterMissing, name, detail: "a value of type \(expected) is needed\(place)")
    }

    /// - Parameter choices: all texts that would be right, when they can be counted.
    static func mistyped(_ name: String, expected: Any.Type, found: Any, choices: [String] = []) -> AtriumError {
        let text = found as? String
        let shown = text.map { "the text \"\($0)\"" } ?? "a \(type(of: found))"
        let needed = choices.isEmpty ? "" : " (\(choices.joined(separator: ", ")))"
        let wanted = expected == [Any].self ? "a list" : "\(expected)"
        let cause = text == nil ? Self.settings(expected, type(of: found)) : ""
        return AtriumError(
            .parameterType, name, detail: "\(wanted)\(needed) is needed, not \(shown)\(cause)",
            nearest: text.map { Nearest.words(to: $0, in: choices) } ?? []
        )
    }

    /// The cause, behind a semicolon, when two types of closures differ only because caller and callee are compiled with different
    /// settings; empty for any other difference.
    static func settings(_ expected: Any.Type, _ found: Any.Type) -> String {
        let mark = "nonisolated(nonsending) "
        let (one, other) = ("\(expected)", "\(found)")
        guard one.contains(mark) != other.contains(mark), one.contains("->"), other.contains("->") else { return "" }
        // One of them may be optional.
        let (plain, otherPlain) = (one.replacing(mark, with: ""), other.replacing(mark, with: ""))
        guard plain.contains(otherPlain) || otherPlain.contains(plain) else { return "" }
        return "; the package without \"nonisolated(nonsending)\" must enable the upcoming feature "
            + "NonisolatedNonsendingByDefault in its swiftSettings, as Atrium's packages do"
    }
}
