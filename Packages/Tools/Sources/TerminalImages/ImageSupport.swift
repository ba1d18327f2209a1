internal import CTerminalImages

/// The way in which a terminal shows images.
public enum ImageSupport: Hashable, Sendable {
    /// It shows none. Their texts are shown.
    case none
    /// Half blocks in these colors.
    case halfBlocks(ColorDepth)
    /// Sixels.
    case sixel
    /// kitty's graphics protocol.
    case kitty

    /// Determines the support from the environment, without asking the terminal.
    ///
    /// Inside of tmux and screen, images are drawn as half blocks, because these do not pass on what they don't know.
    ///
    /// - Parameters:
    ///   - isTerminal: Whether the output is a terminal that may show styles. Otherwise there is no support.
    ///   - environment: Returns the value of an environment variable.
    public init(isTerminal: Bool, environment: (String) -> String?) {
        let kind = environment("TERM") ?? ""
        let program = environment("TERM_PROGRAM") ?? ""
        func isSet(_ name: String) -> Bool { !(environment(name) ?? "").isEmpty }
        guard isTerminal, !isSet("NO_COLOR"), !kind.isEmpty, kind != "dumb" else {
            self = .none
            return
        }
        let isInside = isSet("TMUX") || isSet("STY") || kind.hasPrefix("screen") || kind.hasPrefix("tmux")
        if !isInside {
            if isSet("KITTY_WINDOW_ID") || kind == "xterm-kitty" || kind == "xterm-ghostty" || program == "WezTerm" {
                self = .kitty
                return
            }
            if kind.contains("sixel") || kind.hasPrefix("foot") || kind.hasPrefix("mlterm") {
                self = .sixel
                return
            }
        }
        let isDirect =
            ["truecolor", "24bit"].contains(environment("COLORTERM") ?? "") || kind.hasSuffix("-direct")
        self = isDirect ? .halfBlocks(.direct) : kind.contains("256color") ? .halfBlocks(.indexed) : .none
    }

    /// Asks the terminal, if it may show images but the environment does not say that it knows a protocol for them.
    ///
    /// The query is for interactive use: what the user types meanwhile is lost. There is no query if typed input waits to be read.
    ///
    /// - Parameters:
    ///   - descriptor: The terminal.
    ///   - milliseconds: The time after which a terminal counts as one that does not answer.
    public func asking(_ descriptor: Int32, milliseconds: Int = 200) -> ImageSupport {
        guard case .halfBlocks = self else { return self }
        var answer = [CChar](repeating: 0, count: 512)
        let count = terminal_ask(
            descriptor, Self.query, CChar(UInt8(ascii: "c")), Int32(milliseconds), &answer, Int32(answer.count))
        guard count > 0 else { return self }
        let bytes = answer.prefix(Int(count)).map { UInt8(bitPattern: $0) }
        return reading(String(decoding: bytes, as: UTF8.self))
    }

    /// A query of kitty's protocol for one pixel, and then the one for the primary device attributes (DA1), which all terminals answer.
    static let query = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"

    /// Returns the support that an answer to the query tells.
    func reading(_ answer: String) -> ImageSupport {
        if answer.contains("\u{1B}_Gi=31;OK") { return .kitty }
        // ESC [ ? 62 ; 4 ; ... c, where 4 stands for sixels.
        guard let start = answer.range(of: "\u{1B}[?")?.upperBound, answer.hasSuffix("c") else { return self }
        return answer[start...].dropLast().split(separator: ";").contains("4") ? .sixel : self
    }
}

extension String {
    /// Returns the first occurrence of a text.
    fileprivate func range(of text: String) -> Range<Index>? {
        indices.lazy.compactMap { start in
            let end = self.index(start, offsetBy: text.count, limitedBy: self.endIndex) ?? self.endIndex
            return self[start..<end] == text ? start..<end : nil
        }.first
    }
}
