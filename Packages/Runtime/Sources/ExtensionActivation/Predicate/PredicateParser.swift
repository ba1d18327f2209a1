internal import PluginCore

/// The parser of predicates, by recursive descent with a maximum depth.
struct PredicateParser {
    private enum Element: Equatable {
        case item
        case attachment
        case type
    }

    /// A value that is read before its use is known.
    private enum Operand {
        case number(PredicateCount)
        case collection(PredicateCollection, of: Element)
        case variable(Int, Element)
    }

    private static let countOperators: [(String, PredicateComparison)] = [
        ("==", .equal), ("=", .equal), ("!=", .unequal), ("<>", .unequal), ("<", .less), ("<=", .lessOrEqual),
        ("=<", .lessOrEqual), (">", .greater), (">=", .greaterOrEqual), ("=>", .greaterOrEqual),
    ]
    private static let typeOperators: [(String, PredicateTypeOperator)] = [
        ("UTI-CONFORMS-TO", .conforms), ("UTI-EQUALS", .equals), ("==", .equals), ("=", .equals), ("!=", .differs),
        ("<>", .differs),
    ]
    private static let quantifiers: [(String, PredicateTypes.Quantifier)] = [
        ("ANY", .any), ("SOME", .any), ("ALL", .all), ("NONE", .none),
    ]

    private var lexer: PredicateLexer
    private var token: PredicateToken
    /// The end of the token before the current one.
    private var end = 0
    private var variables: [(name: String, element: Element)] = []
    private var depth = 0
    private var parts = 0

    init(_ text: String) throws(PredicateProblem) {
        lexer = PredicateLexer(text)
        guard lexer.bytes.count <= ActivationRule.maximumLength else {
            throw lexer.problem(ErrorReason("tooLong", ["limit": .integer(ActivationRule.maximumLength)]), at: 0)
        }
        token = try lexer.next()
    }

    mutating func read() throws(PredicateProblem) -> PredicateNode {
        let node = try disjunction()
        guard token.kind == .end else { throw unexpected(["AND", "OR"]) }
        return node
    }

    private mutating func disjunction() throws(PredicateProblem) -> PredicateNode {
        let start = token.range.lowerBound
        var nodes = [try conjunction()]
        while try takes("OR", or: "||") { nodes.append(try conjunction()) }
        return nodes.count == 1 ? nodes[0] : try node(.or(nodes), from: start)
    }

    private mutating func conjunction() throws(PredicateProblem) -> PredicateNode {
        let start = token.range.lowerBound
        var nodes = [try negation()]
        while try takes("AND", or: "&&") { nodes.append(try negation()) }
        return nodes.count == 1 ? nodes[0] : try node(.and(nodes), from: start)
    }

    private mutating func negation() throws(PredicateProblem) -> PredicateNode {
        let start = token.range.lowerBound
        guard try takes("NOT", or: "!") else { return try clause() }
        try enter()
        let inner = try negation()
        depth -= 1
        return try node(.not(inner), from: start)
    }

    private mutating func clause() throws(PredicateProblem) -> PredicateNode {
        let start = token.range.lowerBound
        if try takes("TRUEPREDICATE") { return try node(.constant(true), from: start) }
        if try takes("FALSEPREDICATE") { return try node(.constant(false), from: start) }
        if try takes("(") {
            try enter()
            let inner = try disjunction()
            depth -= 1
            try expect(")")
            return inner
        }
        for (word, quantifier) in Self.quantifiers where try takes(word) {
            let place = token.range.lowerBound
            guard case .collection(.types(let attachment), _) = try operand() else {
                throw lexer.problem(ErrorReason("quantifierMisplaced", ["quantifier": .text(word)]), at: place)
            }
            return try types(.quantified(quantifier, attachment: attachment), from: start)
        }
        switch try operand() {
        case .number(let left):
            let comparison = try choose(Self.countOperators)
            let place = token.range.lowerBound
            guard case .number(let right) = try operand() else {
                throw lexer.problem(ErrorReason("countNeeded"), at: place)
            }
            return try node(.counts(left, comparison, right), from: start)
        case .variable(let variable, .type): return try types(.single(variable), from: start)
        case .collection(.types, _):
            throw lexer.problem(ErrorReason("quantifierNeeded"), at: start)
        case .collection: throw unexpected([".@count"])
        case .variable(_, let element): throw unexpected(Self.keys(of: element).map { "." + $0 })
        }
    }

    private mutating func types(_ types: PredicateTypes, from start: Int) throws(PredicateProblem) -> PredicateNode {
        let typeOperator = try choose(Self.typeOperators)
        guard token.kind == .text else { throw unexpected(["\"public.image\""]) }
        guard let type = ContentType(token.text) else {
            throw lexer.problem(
                ErrorReason("notContentType", ["text": .text(AtriumError.quote(token.text))]),
                at: token.range.lowerBound)
        }
        try advance()
        return try node(.types(types, typeOperator, type), from: start)
    }

    private mutating func operand() throws(PredicateProblem) -> Operand {
        var operand: Operand
        if token.kind == .number {
            guard let number = Int(token.text) else {
                throw lexer.problem(
                    ErrorReason("notCount", ["text": .text(AtriumError.quote(token.text))]),
                    at: token.range.lowerBound)
            }
            try advance()
            return .number(.number(number))
        } else if try takes("SUBQUERY") {
            operand = try subquery()
        } else if token.kind == .variable {
            guard let index = variables.lastIndex(where: { $0.name == token.text }) else {
                throw unexpected(variables.map(\.name))
            }
            try advance()
            operand = .variable(index, variables[index].element)
        } else if token.kind == .word, token.text == "extensionItems" {
            try advance()
            operand = .collection(.items, of: .item)
        } else {
            throw unexpected(
                ["extensionItems", "SUBQUERY", "ANY", "ALL", "NONE", "NOT", "TRUEPREDICATE", "FALSEPREDICATE", "("]
                    + variables.map(\.name))
        }
        while try takes(".") {
            switch operand {
            case .variable(let variable, .item) where try takes("attachments"):
                operand = .collection(.attachments(of: variable), of: .attachment)
            case .variable(let variable, .attachment) where try takes("registeredTypeIdentifiers"):
                operand = .collection(.types(of: variable), of: .type)
            case .collection(let collection, _) where try takes("@count"):
                return .number(.count(collection))
            case .variable(_, let element): throw unexpected(Self.keys(of: element))
            default: throw unexpected(["@count"])
            }
        }
        return operand
    }

    private mutating func subquery() throws(PredicateProblem) -> Operand {
        try enter()
        try count()
        try expect("(")
        let place = token.range.lowerBound
        guard case .collection(let collection, let element) = try operand() else {
            throw lexer.problem(ErrorReason("collectionNeeded"), at: place)
        }
        try expect(",")
        guard token.kind == .variable, token.text.utf8.count > 1 else { throw unexpected(["$variable"]) }
        variables.append((token.text, element))
        try advance()
        try expect(",")
        let condition = try disjunction()
        try expect(")")
        variables.removeLast()
        depth -= 1
        return .collection(.subquery(collection, variable: variables.count, condition), of: element)
    }

    private static func keys(of element: Element) -> [String] {
        switch element {
        case .item: ["attachments"]
        case .attachment: ["registeredTypeIdentifiers"]
        case .type: []
        }
    }
}

// Tokens and limits.
extension PredicateParser {
    private mutating func advance() throws(PredicateProblem) {
        end = token.range.upperBound
        token = try lexer.next()
    }

    /// Consumes the current token if it is a word or symbol. The case of keywords, which are in capitals, does not matter.
    private mutating func takes(_ word: String, or symbol: String? = nil) throws(PredicateProblem) -> Bool {
        guard token.kind == .word || token.kind == .symbol,
            token.text == word || token.text == symbol || token.text.uppercased() == word
        else { return false }
        try advance()
        return true
    }

    private mutating func expect(_ symbol: String) throws(PredicateProblem) {
        guard try takes(symbol) else { throw unexpected([symbol]) }
    }

    private mutating func choose<T>(_ choices: [(String, T)]) throws(PredicateProblem) -> T {
        for (word, value) in choices where try takes(word) { return value }
        throw unexpected(choices.map(\.0))
    }

    /// Returns the problem of the current token: one of other tokens is expected.
    private func unexpected(_ known: [String]) -> PredicateProblem {
        let (found, place) = (AtriumError.quote(token.text), token.range.lowerBound)
        guard token.kind != .end else {
            return lexer.problem(ErrorReason("predicateEnds", ["known": .list(known)]), at: place)
        }
        let isName = token.kind == .word || token.kind == .variable
        guard isName, let nearest = Nearest.words(to: token.text, in: known).first else {
            return lexer.problem(
                ErrorReason("tokenUnexpected", ["found": .text(found), "known": .list(known)]), at: place)
        }
        return lexer.problem(
            ErrorReason(
                "tokenMisspelled", ["found": .text(found), "known": .list(known), "nearest": .text(nearest)]),
            at: place)
    }

    private mutating func node(_ kind: PredicateNode.Kind, from start: Int) throws(PredicateProblem) -> PredicateNode {
        try count()
        return PredicateNode(kind: kind, range: start..<end)
    }

    private mutating func count() throws(PredicateProblem) {
        parts += 1
        guard parts <= ActivationPredicate.maximumParts else {
            throw lexer.problem(
                ErrorReason("partsTooMany", ["limit": .integer(ActivationPredicate.maximumParts)]),
                at: token.range.lowerBound)
        }
    }

    private mutating func enter() throws(PredicateProblem) {
        depth += 1
        guard depth <= ActivationPredicate.maximumDepth else {
            throw lexer.problem(
                ErrorReason("nestedTooDeep", ["limit": .integer(ActivationPredicate.maximumDepth)]),
                at: token.range.lowerBound)
        }
    }
}
