package import PluginCore

/// The intervals of a trace, in the order in which they began.
package struct Trace: Sendable {
    package let events: [TraceEvent]

    /// The limits of a trace that is read: its size in bytes and its events.
    package static let limits = (size: 64 << 20, events: 100_000)

    /// Reads a trace that `hostapp --trace` wrote, which is a JSON array with or without its end.
    ///
    /// An incomplete last line, as a full disk leaves it, is skipped.
    ///
    /// - Parameter name: the name of the file, for errors.
    /// - Throws: ``AtriumError`` with code `documentInvalid`.
    package init(document bytes: [UInt8], named name: String) throws(AtriumError) {
        func invalid(_ reason: String, _ values: [String: ErrorReason.Value] = [:]) -> AtriumError {
            AtriumError(.init("documentInvalid"), name, reason: reason, values)
        }
        guard bytes.count <= Self.limits.size else {
            throw invalid("fileTooLarge", ["limit": .integer(Self.limits.size)])
        }
        var text = bytes[...]
        while let last = text.last, Self.isSpace(last) { text.removeLast() }
        if text.last != UInt8(ascii: "]") {
            if text.last != UInt8(ascii: ","), text.count > 1, let end = text.lastIndex(of: UInt8(ascii: "\n")) {
                text = text[..<end]
            }
            while let last = text.last, Self.isSpace(last) { text.removeLast() }
            if text.last == UInt8(ascii: ",") { text.removeLast() }
            text.append(UInt8(ascii: "]"))
        }
        do {
            events = try StrictJSON.decode([TraceEvent].self, from: Array(text), values: Self.limits.events * 12).sorted
            {
                ($0.start, -$0.duration) < ($1.start, -$1.duration)
            }
        } catch {
            throw invalid("notTrace", ["finding": .text(StrictJSON.finding(error))])
        }
        guard events.count <= Self.limits.events else {
            throw invalid("traceTooLong", ["limit": .integer(Self.limits.events)])
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
}
