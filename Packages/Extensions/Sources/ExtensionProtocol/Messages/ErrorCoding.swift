package import PluginCore

/// An error in the body of a failure.
package struct WireError: WireValue {
    package let error: AtriumError

    package init(_ error: any Error) {
        self.error = error as? AtriumError ?? AtriumError(.pluginFailed, "", reason: .verbatim("\(error)"))
    }

    package init(from reader: inout WireReader) throws(WireReader.Malformed) {
        let (code, subject): (String, String) = try reader.values()
        let message = try reader.readOptional { (reader: inout WireReader) throws(WireReader.Malformed) in
            (try reader.readText(), try reader.readText())
        }
        let (problems, nearest) = (try reader.readReasons(), try reader.readTexts())
        if let (message, remedy) = message {
            error = AtriumError(
                .init(code), subject, message: message, remedy: remedy.isEmpty ? nil : remedy,
                problems: problems.map(\.description))
        } else {
            error = AtriumError(.init(code), subject, reason: .all(of: problems), nearest: nearest)
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(all: error.code.name, error.subject)
        writer.write(error.message) { [remedy = error.remedy] in $0.write(all: $1, remedy ?? "") }
        writer.write(error.reasons)
        writer.write(error.nearest)
    }
}

/// The depth of reasons in reasons that crosses. Deeper ones are replaced by their text.
private let maximumDepth = 8

extension WireWriter {
    fileprivate mutating func write(_ reasons: [ErrorReason], depth: Int = 0) {
        write(reasons) { $0.write($1, depth: depth) }
    }

    private mutating func write(_ reason: ErrorReason, depth: Int) {
        let reason = depth < maximumDepth ? reason : .verbatim(reason.description)
        write(reason.name)
        write(reason.values.sorted { $0.key < $1.key }) { writer, value in
            writer.write(value.key)
            writer.write(value.value, depth: depth)
        }
    }

    private mutating func write(_ value: ErrorReason.Value, depth: Int) {
        switch value {
        case .text(let text): write(all: UInt8(1), text)
        case .integer(let number): write(all: UInt8(2), Int64(number))
        case .list(let texts): write(all: UInt8(3), texts)
        case .reason(let reason):
            write(UInt8(4))
            write([reason], depth: depth + 1)
        case .reasons(let reasons):
            write(UInt8(5))
            write(reasons, depth: depth + 1)
        @unknown default: write(all: UInt8(1), "\(value)")
        }
    }
}

extension WireReader {
    fileprivate mutating func readReasons() throws(Malformed) -> [ErrorReason] {
        try readList { (reader: inout WireReader) throws(Malformed) in
            let name = try reader.readText()
            let values = try reader.readList(copies: 3) { (reader: inout WireReader) throws(Malformed) in
                (try reader.readText(), try reader.readValue())
            }
            return ErrorReason(name, Dictionary(values) { first, _ in first })
        }
    }

    private mutating func readValue() throws(Malformed) -> ErrorReason.Value {
        switch try read(UInt8.self) {
        case 1: return .text(try readText())
        case 2: return .integer(Int(try read(Int64.self)))
        case 3: return .list(try readTexts())
        case 4:
            guard let reason = try readReasons().first else { throw Malformed() }
            return .reason(reason)
        case 5: return .reasons(try readReasons())
        default: throw Malformed()
        }
    }
}
