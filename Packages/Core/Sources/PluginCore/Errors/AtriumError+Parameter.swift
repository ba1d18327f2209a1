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
        let type = expected == [Any].self ? "a list" : "\(expected)"
        return AtriumError(
            .parameterType, name, detail: "\(type)\(needed) is needed, not \(shown)",
            nearest: text.map { Nearest.words(to: $0, in: choices) } ?? []
        )
    }
}
