public import PluginCore

/// One thing that speaks against a bundle's seal.
public struct SealFinding: Hashable, Sendable {
    /// Which rule is broken.
    public let code: AtriumError.Code
    /// The file or folder in the bundle that is meant; `nil` for the bundle as a whole.
    public let path: String?
    /// What was found, in a clause that continues a sentence about it.
    public let what: String

    init(_ code: AtriumError.Code, _ path: String? = nil, _ what: String) {
        self.code = code
        self.path = path
        self.what = what
    }

    init(_ error: AtriumError) {
        let words = ([error.detail] + error.problems).filter { !$0.isEmpty }
        self.init(error.code, nil, words.isEmpty ? error.code.name : words.joined(separator: "; "))
    }

    /// A Boolean value that indicates whether it says only that something couldn't be read, which speaks against nobody.
    public var isUnread: Bool { Self.unreadCodes.contains(code) }

    /// The codes of what couldn't be read.
    static let unreadCodes: Set<AtriumError.Code> = [.inputOutput, .sandboxUnwritable]

    /// An error's problems, a finding each; or the error as one.
    static func all(in error: AtriumError) -> [SealFinding] {
        guard !error.problems.isEmpty else { return [SealFinding(error)] }
        return error.problems.map { SealFinding(error.code, nil, error.detail.isEmpty ? $0 : "\(error.detail): \($0)") }
    }

    /// The finding in one line.
    public var sentence: String { path.map { "\($0): \(what)" } ?? what }

    /// As many lines as somebody reads: who is hostile may cause any number.
    static func shortened(_ lines: [String]) -> [String] {
        let most = 50
        return lines.count <= most ? lines : lines.prefix(most) + ["and \(lines.count - most) more"]
    }
}

extension [SealFinding] {
    /// The refusal that lists them all, with the code of the first; `nil` when there are none.
    func refusal(of subject: String) -> AtriumError? {
        guard let first else { return nil }
        if count == 1, first.path == nil { return AtriumError(first.code, subject, detail: first.what) }
        return AtriumError(first.code, subject, problems: SealFinding.shortened(map(\.sentence)))
    }
}
