package import PluginCore

/// An error in the body of a failure.
package struct WireError: WireValue {
    package let error: AtriumError

    package init(_ error: any Error) {
        self.error = error as? AtriumError ?? AtriumError(.pluginFailed, "", reason: .verbatim("\(error)"))
    }

    package init(from reader: inout WireReader) throws {
        let (code, subject, message, remedy): (String, String, String?, String?) = try reader.read()
        let (problems, nearest): ([ErrorReason], [String]) = (try reader.readJSON(), try reader.read())
        if let message {
            error = AtriumError(
                .init(code), subject, message: message, remedy: remedy, problems: problems.map(\.description))
        } else {
            error = AtriumError(.init(code), subject, reason: .all(of: problems), nearest: nearest)
        }
    }

    package func write(to writer: inout WireWriter) {
        let reasons = error.reasons.map { $0.cut(atDepth: 0) }
        // Texts and numbers can always be encoded.
        let json = (try? CodedValue(reasons))?.json ?? []
        writer.write(error.code.name, error.subject, error.message, error.remedy, json, error.nearest)
    }
}

extension ErrorReason {
    /// The depth of reasons in reasons that crosses.
    private static let maximumDepth = 8

    /// Returns the reason with the texts of those that are too deep in their place.
    fileprivate func cut(atDepth depth: Int) -> ErrorReason {
        guard depth < Self.maximumDepth else { return .verbatim(description) }
        let values = values.mapValues { value -> Value in
            switch value {
            case .reason(let reason): .reason(reason.cut(atDepth: depth + 1))
            case .reasons(let reasons): .reasons(reasons.map { $0.cut(atDepth: depth + 1) })
            default: value
            }
        }
        return ErrorReason(name, values)
    }
}
