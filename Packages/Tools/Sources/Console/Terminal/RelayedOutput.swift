import Synchronization

/// Text that other code in the process writes, on its way to standard error.
struct RelayedOutput {
    private static let shared = Mutex(RelayedOutput())
    private static let source = Mutex<Source?>(nil)

    /// The source of text that was written before; a struct, because a bare closure in a generic type is wrapped again at each
    /// access.
    private struct Source: Sendable {
        let flush: @Sendable () -> Void
    }

    /// The line that has not ended, with its writer and the bytes of an incomplete character.
    private var open: (name: String?, rest: [UInt8])?

    static func beforeSettling(_ flush: @escaping @Sendable () -> Void) {
        source.withLock { $0 = Source(flush: flush) }
    }

    /// Writes all text received so far and ends its line.
    static func settle() {
        // The lock must not be held, because flushing calls `write`.
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

    /// Returns the text to write for received bytes.
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

    /// Returns the text that ends the current line.
    mutating func endLine() -> String {
        guard let ended = open else { return "" }
        open = nil
        return Self.shown(ended.rest) + "\n"
    }

    private static func shown(_ line: some Sequence<UInt8>) -> String {
        printable(String(decoding: Array(line), as: UTF8.self), keepingLines: true)
    }

    /// Returns the number of trailing bytes that are the start of an incomplete UTF-8 character; see RFC 3629.
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
