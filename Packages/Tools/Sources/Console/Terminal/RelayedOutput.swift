import Synchronization

/// Text of other code in the process, on its way to standard error.
struct RelayedOutput {
    private static let shared = Mutex(RelayedOutput())
    private static let source = Mutex<Source?>(nil)

    /// Where text may wait that was written before; around the closure, because a generic type that holds it bare wraps it once
    /// more at each access.
    private struct Source: Sendable {
        let flush: @Sendable () -> Void
    }

    /// A line that has not ended: whose it is, and the bytes of a character that has not come whole.
    private var open: (name: String?, rest: [UInt8])?

    static func beforeSettling(_ flush: @escaping @Sendable () -> Void) {
        source.withLock { $0 = Source(flush: flush) }
    }

    /// Writes all that has come so far, so that what is written next begins a line.
    static func settle() {
        // Not while it is locked: what is flushed comes back to `write`.
        let source = Self.source.withLock { $0 }
        source?.flush()
        shared.withLock { output in pass(output.endLine()) }
    }

    static func write(_ bytes: UnsafeRawBufferPointer, from name: String?) {
        shared.withLock { output in pass(output.text(of: bytes, from: name)) }
    }

    private static func pass(_ text: String) {
        guard !text.isEmpty else { return }
        _ = try? StandardOutput.write(text, descriptor: StandardStream.error.descriptor)
    }

    /// What is to be written for bytes that have come.
    mutating func text(of bytes: some Sequence<UInt8>, from name: String?) -> String {
        var text = ""
        if let open, open.name != name { text += endLine() }
        let head = name.map { printable($0) + ": " } ?? ""
        var line = open?.rest ?? []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            text += (open == nil ? head : "") + Self.shown(line) + "\n"
            open = nil
            line = []
        }
        if line.isEmpty { return text }
        let rest = Self.beginningOfCharacter(in: line)
        text += (open == nil ? head : "") + Self.shown(line.dropLast(rest))
        open = (name, Array(line.suffix(rest)))
        return text
    }

    /// What is to be written so that the line ends.
    mutating func endLine() -> String {
        guard let ended = open else { return "" }
        open = nil
        return Self.shown(ended.rest) + "\n"
    }

    private static func shown(_ line: some Sequence<UInt8>) -> String {
        printable(String(decoding: Array(line), as: UTF8.self), keepingLines: true)
    }

    /// How many of the last bytes are the beginning of a character of which the rest has not come (UTF-8, RFC 3629).
    private static func beginningOfCharacter(in line: [UInt8]) -> Int {
        for (index, byte) in line.reversed().prefix(3).enumerated() {
            switch byte {
            case 0xC2...0xDF: return index < 1 ? index + 1 : 0
            case 0xE0...0xEF: return index < 2 ? index + 1 : 0
            case 0xF0...0xF4: return index < 3 ? index + 1 : 0
            case 0x80...0xBF: continue
            default: return 0
            }
        }
        return 0
    }
}
