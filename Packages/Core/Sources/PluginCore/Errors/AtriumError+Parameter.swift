extension AtriumError {
    static func missing(_ name: String, expected: Any.Type, detail: String = "") -> AtriumError {
        let place = detail.isEmpty ? "" : " \(detail)"
        return AtriumError(.parameterMissing, name, detail: "a value of type \(expected) is needed\(place)")
    }

    /// - Parameter choices: The textual forms of all valid values, if they are enumerable.
    static func mistyped(_ name: String, expected: Any.Type, found: Any, choices: [String] = []) -> AtriumError {
        let text = found as? String
        let shown = text.map { "the text \"\($0)\"" } ?? "a \(type(of: found))"
        let needed = choices.isEmpty ? "" : " (\(choices.joined(separator: ", ")))"
        let wanted = expected == [Any].self ? "an array" : "\(expected)"
        let cause = text == nil ? Self.settings(expected, type(of: found)) : ""
        return AtriumError(
            .parameterType, name, detail: "expected \(wanted)\(needed), found \(shown)\(cause)",
            nearest: text.map { Nearest.words(to: $0, in: choices) } ?? []
        )
    }

    /// Returns an explanation if two closure types differ only because the packages were compiled with different settings.
    ///
    /// The explanation starts with a semicolon. For any other difference, the result is empty.
    static func settings(_ expected: Any.Type, _ found: Any.Type) -> String {
        let mark = "nonisolated(nonsending) "
        let (one, other) = ("\(expected)", "\(found)")
        guard one.contains(mark) != other.contains(mark), one.contains("->"), other.contains("->") else { return "" }
        // One of the types may be optional, so one name may contain the other.
        let (plain, otherPlain) = (one.replacing(mark, with: ""), other.replacing(mark, with: ""))
        guard plain.contains(otherPlain) || otherPlain.contains(plain) else { return "" }
        return "; the package without \"nonisolated(nonsending)\" must enable the upcoming feature "
            + "NonisolatedNonsendingByDefault in its swiftSettings, as Atrium's packages do"
    }
}
