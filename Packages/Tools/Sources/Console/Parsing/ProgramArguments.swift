/// The arguments that a process was started with.
///
/// Linux passes arguments as bytes, and `CommandLine.arguments` repairs those that are not valid UTF-8. Two different file names
/// could thereby become equal.
///
/// ```swift
/// let arguments = ProgramArguments.current
/// if let error = arguments.error { throw error }
/// let parsed = try CommandLineParser(root).parse(arguments.words)
/// ```
public struct ProgramArguments: Sendable {
    /// The arguments after the program's name, which are exact only if there is no error.
    public let words: [String]
    /// The usage error for the first argument that is not valid UTF-8.
    public let error: UsageError?

    /// The arguments of this process.
    public static let current = ProgramArguments(
        bytes: (0..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map { pointer in
                var bytes: [UInt8] = []
                while pointer[bytes.count] != 0 { bytes.append(UInt8(bitPattern: pointer[bytes.count])) }
                return bytes
            }
        })

    /// Decodes arguments as the system passes them, starting with the program's name.
    package init(bytes: [[UInt8]]) {
        let program = bytes.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let arguments = bytes.dropFirst()
        words = arguments.map { String(decoding: $0, as: UTF8.self) }
        error = arguments.first { String(validating: $0, as: UTF8.self) == nil }.map { bytes in
            UsageError(
                .notUTF8, subject: escaped(bytes), command: [String(program.split(separator: "/").last ?? "")])
        }
    }
}

/// Decodes bytes for a message, with invalid UTF-8 written as `\xFF`.
public func escaped(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    var (parser, rest) = (UTF8.ForwardParser(), bytes.makeIterator())
    var (result, place) = ("", 0)
    while true {
        switch parser.parseScalar(from: &rest) {
        case .valid(let scalar):
            result.unicodeScalars.append(UTF8.decode(scalar))
            place += scalar.count
        case .error(let length):
            for byte in bytes[place..<(place + length)] {
                result += "\\x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
            place += length
        case .emptyInput: return result
        }
    }
}
