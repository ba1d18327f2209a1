internal import FoundationEssentials
internal import PluginCore

/// The parsed sources of a plugin's Interface targets: the calls, and the constants that they use.
struct InterfaceSource {
    /// A constant that a call may use.
    enum Constant: Equatable {
        case text(String)
        case route(pattern: String)
    }

    /// A call with its arguments.
    struct Call {
        let function: String
        let arguments: [Argument]
        /// The type that contains the call.
        let type: String?
        let place: String

        subscript(label: String?) -> [SourceToken]? { arguments.first { $0.label == label }?.tokens }
    }

    struct Argument {
        let label: String?
        let tokens: [SourceToken]
    }

    /// A string literal.
    struct Text {
        let pieces: [String]
        let place: String
    }

    private(set) var calls: [Call] = []
    private(set) var texts: [Text] = []
    /// The constants by type and name.
    private(set) var constants: [String: Constant] = [:]
    /// The names of the declared functions.
    private(set) var functions: Set<String> = []
    let isThere: Bool

    /// Parses all Swift files of the plugin's Interface targets.
    ///
    /// - Throws: The errors of reading the files.
    init(_ plugin: PluginFolder) throws {
        let sources = plugin.root.appending("Sources")
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: sources.string)) ?? []
        isThere = folders.contains { $0.hasSuffix("Interface") }
        for folder in folders.sorted() where folder.hasSuffix("Interface") {
            let root = sources.appending(folder)
            for file in try FileManager.default.subpathsOfDirectory(atPath: root.string).sorted()
            where file.hasSuffix(".swift") {
                let source = try String(contentsOf: URL(filePath: root.appending(file).string), encoding: .utf8)
                add(SourceToken.all(in: source), file: file)
            }
        }
    }

    private mutating func add(_ tokens: [SourceToken], file: String) {
        // For each open brace, the name of the type that it belongs to, or `nil` for other braces.
        var enclosing: [String?] = []
        var opening: String?
        for (index, token) in tokens.enumerated() {
            let place = "\(file):\(token.line)"
            let type = enclosing.last { $0 != nil } ?? nil
            switch token.kind {
            case .text(let pieces): texts.append(Text(pieces: pieces, place: place))
            case .symbol("{"):
                enclosing.append(opening)
                opening = nil
            case .symbol("}"): _ = enclosing.popLast()
            case .symbol: break
            case .word(let word):
                let before = index > 0 ? tokens[index - 1].word : nil
                if ["enum", "struct", "class", "actor", "extension", "protocol"].contains(word) {
                    opening = index + 1 < tokens.count ? tokens[index + 1].word : nil
                }
                if before == "func" { functions.insert(word) }
                if before == "let", let type { addConstant(word, of: type, Array(tokens[(index + 1)...])) }
                if before != "func", let arguments = Self.arguments(of: tokens[(index + 1)...]) {
                    calls.append(Call(function: word, arguments: arguments, type: type, place: place))
                }
            }
        }
    }

    /// Adds the constant that the tokens after a name initialize with a string literal or a route contract.
    private mutating func addConstant(_ name: String, of type: String, _ tokens: [SourceToken]) {
        guard let equals = tokens.prefix(12).firstIndex(where: { $0.isSymbol("=") }) else { return }
        let value = tokens[(equals + 1)...]
        if let text = value.first?.literal {
            constants["\(type).\(name)"] = .text(text)
        } else if value.first?.word == "RouteContract", let arguments = Self.arguments(of: value.dropFirst()),
            let pattern = arguments.first?.tokens.first?.literal
        {
            constants["\(type).\(name)"] = .route(pattern: pattern)
        }
    }

    /// Returns the arguments in the parentheses at the start, after generic arguments if any, or nil without parentheses.
    private static func arguments(of tokens: ArraySlice<SourceToken>) -> [Argument]? {
        var rest = tokens
        if rest.first?.isSymbol("<") == true {
            var depth = 0
            repeat {
                guard let token = rest.popFirst() else { return nil }
                if token.isSymbol("<") { depth += 1 }
                if token.isSymbol(">") { depth -= 1 }
            } while depth > 0
        }
        guard rest.popFirst()?.isSymbol("(") == true else { return nil }
        var arguments: [[SourceToken]] = [[]]
        var depth = 0
        while let token = rest.popFirst() {
            if depth == 0, token.isSymbol(")") { break }
            if depth == 0, token.isSymbol(",") {
                arguments.append([])
                continue
            }
            if ["(", "[", "{"].contains(where: token.isSymbol) { depth += 1 }
            if [")", "]", "}"].contains(where: token.isSymbol) { depth -= 1 }
            arguments[arguments.count - 1].append(token)
        }
        return arguments.filter { !$0.isEmpty }.map { tokens in
            guard tokens.count > 1, let label = tokens[0].word, tokens[1].isSymbol(":") else {
                return Argument(label: nil, tokens: tokens)
            }
            return Argument(label: label, tokens: Array(tokens.dropFirst(2)))
        }
    }
}

extension InterfaceSource {
    /// Returns the value of an argument that is a string literal or a constant of these sources, or nil otherwise.
    func constant(_ tokens: [SourceToken], in type: String?) -> Constant? {
        if tokens.count == 1, let text = tokens[0].literal { return .text(text) }
        // Only names separated by dots can refer to a constant.
        let words = tokens.compactMap(\.word)
        guard !words.isEmpty, tokens.count == words.count * 2 - 1, let name = words.last else { return nil }
        let owner = words.count > 1 && words[words.count - 2] != "Self" ? words[words.count - 2] : type
        return owner.flatMap { constants["\($0).\(name)"] }
    }
}
