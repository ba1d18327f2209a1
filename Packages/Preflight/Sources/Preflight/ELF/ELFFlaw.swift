import PluginCore

/// A reason why a file can't be read as an ELF library.
enum ELFFlaw: Error, Equatable {
    /// The file doesn't start with the ELF magic number.
    case noELF
    /// The file ends before the given part.
    case truncated(ErrorReason)
    /// The file contradicts itself or the format.
    case malformed(ErrorReason)
    /// The file exceeds a limit that no real library reaches.
    case excessive(ErrorReason)

    /// A contradiction, in a part of the file if one is given.
    static func malformed(_ problem: String, in part: String? = nil) -> ELFFlaw {
        .malformed(ErrorReason(problem, part.map { ["part": .reason(ErrorReason($0))] } ?? [:]))
    }

    /// An excess over a limit.
    static func excessive(_ problem: String, count: Int? = nil, limit: Int) -> ELFFlaw {
        var values: [String: ErrorReason.Value] = ["limit": .integer(limit)]
        values["count"] = count.map { .integer($0) }
        return .excessive(ErrorReason(problem, values))
    }

    /// Unwraps a value, or throws that the file is truncated in the named part.
    static func require<T>(_ value: T?, _ part: String, number: Int? = nil) throws(ELFFlaw) -> T {
        guard let value else {
            throw .truncated(ErrorReason(part, number.map { ["number": .integer($0)] } ?? [:]))
        }
        return value
    }
}
