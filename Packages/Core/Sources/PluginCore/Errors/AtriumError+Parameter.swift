extension AtriumError {
    /// - Parameter count: The number of elements before a missing element of a list.
    static func missing(_ name: String, expected: Any.Type, after count: Int? = nil) -> AtriumError {
        guard let count else {
            return AtriumError(.parameterMissing, name, reason: "valueMissing", ["type": "\(expected)"])
        }
        return AtriumError(
            .parameterMissing, name, reason: "elementMissing", ["type": "\(expected)", "count": .integer(count)])
    }

    /// - Parameter choices: The textual forms of all valid values, if they are enumerable.
    static func mistyped(_ name: String, expected: Any.Type, found: Any, choices: [String] = []) -> AtriumError {
        guard let text = found as? String else {
            return AtriumError(.parameterType, name, reason: .valueType(expected, found: type(of: found)))
        }
        if expected == [Any].self {
            return AtriumError(.parameterType, name, reason: "textForArray", ["text": .text(text)])
        }
        guard !choices.isEmpty else {
            return AtriumError(
                .parameterType, name, reason: "textForType", ["type": "\(expected)", "text": .text(text)])
        }
        return AtriumError(
            .parameterType, name, reason: "textForChoice",
            ["type": "\(expected)", "choices": .list(choices), "text": .text(text)],
            nearest: Nearest.words(to: text, in: choices)
        )
    }
}

extension ErrorReason {
    /// Returns the reason for a value of another type than the expected one.
    static func type(_ expected: Any.Type, found: Any.Type) -> ErrorReason {
        let values: [String: Value] = ["expected": "\(expected)", "found": "\(found)"]
        return ErrorReason(settingsDiffer(expected, found) ? "settingsDiffer" : "typeDiffers", values)
    }

    /// Returns the reason for a parameter of another type than the expected one.
    fileprivate static func valueType(_ expected: Any.Type, found: Any.Type) -> ErrorReason {
        if expected == [Any].self { return ErrorReason("valueForArray", ["found": "\(found)"]) }
        let values: [String: Value] = ["expected": "\(expected)", "found": "\(found)"]
        return ErrorReason(settingsDiffer(expected, found) ? "valueSettingsDiffer" : "valueForType", values)
    }

    /// Returns whether two closure types differ only because the packages were compiled with different settings.
    private static func settingsDiffer(_ expected: Any.Type, _ found: Any.Type) -> Bool {
        let mark = "nonisolated(nonsending) "
        let (one, other) = ("\(expected)", "\(found)")
        guard one.contains(mark) != other.contains(mark), one.contains("->"), other.contains("->") else { return false }
        // One of the types may be optional, so one name may contain the other.
        let (plain, otherPlain) = (one.replacing(mark, with: ""), other.replacing(mark, with: ""))
        return plain.contains(otherPlain) || otherPlain.contains(plain)
    }
}
