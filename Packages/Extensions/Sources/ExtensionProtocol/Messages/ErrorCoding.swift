package import PluginCore

/// An error in the body of a failure.
package struct WireError: WireValue {
    package let error: AtriumError

    package init(_ error: any Error) {
        self.error = error as? AtriumError ?? AtriumError(.pluginFailed, "", reason: .verbatim("\(error)"))
    }

    package init(from reader: inout WireReader) throws {
        let (code, subject, message, remedy): (String, String, String?, String?) = try reader.read()
        let (problems, nearest): ([ErrorReason], [String]) = try reader.read()
        if let message {
            error = AtriumError(
                .init(code), subject, message: message, remedy: remedy, problems: problems.map(\.description))
        } else {
            error = AtriumError(.init(code), subject, reason: .all(of: problems), nearest: nearest)
        }
    }

    package func write(to writer: inout WireWriter) {
        let reasons = error.reasons.map { $0.cut(atDepth: 0) }
        writer.write(error.code.name, error.subject, error.message, error.remedy, reasons, error.nearest)
    }
}

extension ErrorReason: WireValue {
    package init(from reader: inout WireReader) throws {
        let (name, values): (String, [String: Value]) = try reader.read()
        self.init(name, values)
    }

    package func write(to writer: inout WireWriter) { writer.write(name, values) }

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

extension ErrorReason.Value: WireValue {
    package init(from reader: inout WireReader) throws {
        switch try reader.read(UInt8.self) {
        case 1: self = .text(try reader.read())
        case 2: self = .integer(try Int(from: &reader))
        case 3: self = .list(try reader.read())
        case 4:
            guard let reason = try [ErrorReason](from: &reader).first else { throw WireReader.Malformed() }
            self = .reason(reason)
        case 5: self = .reasons(try [ErrorReason](from: &reader))
        default: throw WireReader.Malformed()
        }
    }

    package func write(to writer: inout WireWriter) {
        switch self {
        case .text(let text): writer.write(UInt8(1), text)
        case .integer(let number): writer.write(UInt8(2), number)
        case .list(let texts): writer.write(UInt8(3), texts)
        case .reason(let reason): writer.write(UInt8(4), [reason])
        case .reasons(let reasons): writer.write(UInt8(5), reasons)
        @unknown default: writer.write(UInt8(1), "\(self)")
        }
    }
}
