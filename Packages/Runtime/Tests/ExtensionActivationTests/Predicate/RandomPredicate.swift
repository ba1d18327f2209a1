import ExtensionActivation
import PluginCore

/// A random predicate as a tree, with its own printer and evaluator.
indirect enum RandomPredicate {
    case constant(Bool)
    case and([RandomPredicate])
    case or([RandomPredicate])
    case not(RandomPredicate)
    case compare(Count, String, Count)
    case types(String, attachment: String, String, String)
    case type(String, String, String)

    enum Count {
        case number(Int)
        case size(Collection)
    }

    indirect enum Collection {
        case items
        case attachments(String)
        case types(String)
        case filtered(Collection, String, RandomPredicate)
    }

    enum Value {
        case item(ActivationInput.Item)
        case attachment(ActivationInput.Attachment)
        case type(ContentType)
    }
}

// Printing, with random spelling.
extension RandomPredicate {
    func text(_ random: inout SplitMix) -> String {
        switch self {
        case .constant(let value): return random.spell(value ? "TRUEPREDICATE" : "FALSEPREDICATE")
        case .and(let parts):
            return parts.map { "(" + $0.text(&random) + ")" }.joined(
                separator: random.one(of: [" AND ", "&&", " and "]))
        case .or(let parts):
            return parts.map { "(" + $0.text(&random) + ")" }.joined(
                separator: random.one(of: [" OR ", "||", " oR\n"]))
        case .not(let inner): return random.one(of: ["NOT ", "!", "not"]) + "(" + inner.text(&random) + ")"
        case .compare(let left, let comparison, let right):
            return left.text(&random) + random.space + comparison + random.space + right.text(&random)
        case .types(let quantifier, let attachment, let comparison, let type):
            return random.spell(quantifier) + " " + attachment + ".registeredTypeIdentifiers "
                + random.spell(comparison) + random.space + random.quoted(type)
        case .type(let variable, let comparison, let type):
            return variable + " " + random.spell(comparison) + random.space + random.quoted(type)
        }
    }
}

extension RandomPredicate.Count {
    func text(_ random: inout SplitMix) -> String {
        switch self {
        case .number(let number): "\(number)"
        case .size(let collection): collection.text(&random) + random.one(of: [".@count", " . @count"])
        }
    }
}

extension RandomPredicate.Collection {
    func text(_ random: inout SplitMix) -> String {
        switch self {
        case .items: "extensionItems"
        case .attachments(let item): "\(item).attachments"
        case .types(let attachment): "\(attachment).registeredTypeIdentifiers"
        case .filtered(let collection, let variable, let condition):
            random.spell("SUBQUERY") + random.space + "(" + collection.text(&random) + ", " + variable + random.space
                + ","
                + condition.text(&random) + random.space + ")"
        }
    }
}

// Evaluating with named variables and values, without limits.
extension RandomPredicate {
    func holds(_ input: ActivationInput, _ scope: [String: Value] = [:]) -> Bool {
        switch self {
        case .constant(let value): return value
        case .and(let parts): return parts.allSatisfy { $0.holds(input, scope) }
        case .or(let parts): return parts.contains { $0.holds(input, scope) }
        case .not(let inner): return !inner.holds(input, scope)
        case .compare(let left, let comparison, let right):
            let (left, right) = (left.number(input, scope), right.number(input, scope))
            switch comparison {
            case "=", "==": return left == right
            case "!=", "<>": return left != right
            case "<": return left < right
            case "<=", "=<": return left <= right
            case ">": return left > right
            default: return left >= right
            }
        case .types(let quantifier, let attachment, let comparison, let type):
            guard case .attachment(let attachment) = scope[attachment] else { return false }
            let matching = attachment.types.count { Self.matches($0, comparison, type) }
            switch quantifier {
            case "ALL": return matching == attachment.types.count
            case "NONE": return matching == 0
            default: return matching > 0
            }
        case .type(let variable, let comparison, let type):
            guard case .type(let found) = scope[variable] else { return false }
            return Self.matches(found, comparison, type)
        }
    }

    private static func matches(_ found: ContentType, _ comparison: String, _ identifier: String) -> Bool {
        switch comparison {
        case "UTI-CONFORMS-TO":
            found.identifier == identifier || found.supertypes.contains { $0.identifier == identifier }
        case "!=", "<>": found.identifier != identifier
        default: found.identifier == identifier
        }
    }
}

extension RandomPredicate.Count {
    fileprivate func number(_ input: ActivationInput, _ scope: [String: RandomPredicate.Value]) -> Int {
        switch self {
        case .number(let number): number
        case .size(let collection): collection.values(input, scope).count
        }
    }
}

extension RandomPredicate.Collection {
    fileprivate func values(
        _ input: ActivationInput, _ scope: [String: RandomPredicate.Value]
    ) -> [RandomPredicate.Value] {
        switch self {
        case .items: return input.items.map { .item($0) }
        case .attachments(let name):
            guard case .item(let item) = scope[name] else { return [] }
            return item.attachments.map { .attachment($0) }
        case .types(let name):
            guard case .attachment(let attachment) = scope[name] else { return [] }
            return attachment.types.map { .type($0) }
        case .filtered(let collection, let variable, let condition):
            return collection.values(input, scope).filter { value in
                condition.holds(input, scope.merging([variable: value]) { _, new in new })
            }
        }
    }
}

/// Reproducible random predicates and inputs, by SplitMix64.
struct SplitMix: RandomNumberGenerator {
    static let identifiers = [
        "public.png", "public.image", "public.html", "public.text", "public.url", "com.example.note", "public.data",
    ]
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func one<T>(of choices: [T]) -> T { choices[Int.random(in: choices.indices, using: &self)] }
    mutating func count(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func spell(_ word: String) -> String {
        one(of: [word, word, word.lowercased(), word.prefix(1) + word.dropFirst().lowercased()])
    }
    var space: String { mutating get { one(of: ["", " ", "\n\t"]) } }

    mutating func quoted(_ identifier: String) -> String {
        let written = one(of: [identifier, identifier.uppercased()])
        return one(of: ["\"\(written)\"", "'\(written)'"])
    }

    mutating func input(mayHaveGaps: Bool = true) -> ActivationInput {
        let least = mayHaveGaps ? 0 : 1
        return ActivationInput(
            items: (0..<count(least...2)).map { _ in
                .init(
                    attachments: (0..<count(least...3)).map { _ in
                        .init(
                            types: (0..<count(least...2)).compactMap { _ in ContentType(one(of: Self.identifiers)) },
                            fileSize: count(0...3) == 0 ? 1 : nil)
                    })
            })
    }

    /// The variables of each sort that are in scope.
    struct Scope {
        var items: [String] = []
        var attachments: [String] = []
        var types: [String] = []
        var count = 0
    }

    mutating func predicate(_ depth: Int, _ scope: Scope = Scope()) -> RandomPredicate {
        switch count(0...(depth > 0 ? 11 : 4)) {
        case 0: return .constant(count(0...1) == 0)
        case 1, 2:
            guard let attachment = scope.attachments.randomElement(using: &self) else { break }
            return .types(
                one(of: ["ANY", "ANY", "SOME", "ALL", "NONE"]), attachment: attachment, typeOperator(),
                one(of: Self.identifiers))
        case 3:
            guard let variable = scope.types.randomElement(using: &self) else { break }
            return .type(variable, typeOperator(), one(of: Self.identifiers))
        case 5: return .and((0..<count(2...3)).map { _ in predicate(depth - 1, scope) })
        case 6: return .or((0..<count(2...3)).map { _ in predicate(depth - 1, scope) })
        case 7: return .not(predicate(depth - 1, scope))
        default: break
        }
        let comparison = one(of: ["=", "==", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"])
        let (left, right) = (number(depth, scope), number(depth, scope))
        return .compare(left, comparison, right)
    }

    private mutating func typeOperator() -> String {
        one(of: ["UTI-CONFORMS-TO", "UTI-CONFORMS-TO", "UTI-EQUALS", "==", "=", "!=", "<>"])
    }

    private mutating func number(_ depth: Int, _ scope: Scope) -> RandomPredicate.Count {
        if count(0...2) == 0 { return .number(count(0...3)) }
        return .size(collection(depth, scope).0)
    }

    /// Returns a collection, and the sort of its elements: 0 for items, 1 for attachments, 2 for types.
    private mutating func collection(_ depth: Int, _ scope: Scope) -> (RandomPredicate.Collection, Int) {
        guard depth > 0, count(0...2) > 0 else {
            if let attachment = scope.attachments.last, count(0...2) == 0 { return (.types(attachment), 2) }
            if let item = scope.items.last, count(0...3) > 0 { return (.attachments(item), 1) }
            return (.items, 0)
        }
        let (base, sort) = collection(depth - 1, scope)
        // Variables can hide others.
        let variable = one(of: ["$v\(scope.count)", "$v\(max(0, scope.count - 1))"])
        var inner = scope
        inner.count += 1
        for path in [\Scope.items, \.attachments, \.types] { inner[keyPath: path].removeAll { $0 == variable } }
        switch sort {
        case 0: inner.items.append(variable)
        case 1: inner.attachments.append(variable)
        default: inner.types.append(variable)
        }
        return (.filtered(base, variable, predicate(depth - 1, inner)), sort)
    }
}
