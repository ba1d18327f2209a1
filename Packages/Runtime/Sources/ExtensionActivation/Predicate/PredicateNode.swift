internal import PluginCore

/// A clause of a predicate, with its place in the text.
struct PredicateNode: Sendable {
    indirect enum Kind: Sendable {
        case constant(Bool)
        case and([PredicateNode])
        case or([PredicateNode])
        case not(PredicateNode)
        case counts(PredicateCount, PredicateComparison, PredicateCount)
        case types(PredicateTypes, PredicateTypeOperator, ContentType)
    }

    let kind: Kind
    /// The place in the bytes of the text.
    let range: Range<Int>
}

/// A number, or the number of elements of a collection.
enum PredicateCount: Sendable {
    case number(Int)
    case count(PredicateCollection)
}

/// A collection of items, attachments or types.
///
/// A variable is a number: how many subqueries are around the one that defines it.
indirect enum PredicateCollection: Sendable {
    case items
    case attachments(of: Int)
    case types(of: Int)
    case subquery(PredicateCollection, variable: Int, PredicateNode)
}

/// The types that a comparison is about.
enum PredicateTypes: Sendable {
    enum Quantifier: Sendable {
        case any
        case all
        case none
    }

    /// The types of the attachment in a variable.
    case quantified(Quantifier, attachment: Int)
    /// The type in a variable.
    case single(Int)
}

enum PredicateTypeOperator: Sendable {
    case conforms
    case equals
    case differs

    func holds(_ type: ContentType, _ other: ContentType) -> Bool {
        switch self {
        case .conforms: type.conforms(to: other)
        case .equals: type == other
        case .differs: type != other
        }
    }
}

enum PredicateComparison: Sendable {
    case equal, unequal, less, lessOrEqual, greater, greaterOrEqual

    func holds(_ left: Int, _ right: Int) -> Bool {
        switch self {
        case .equal: left == right
        case .unequal: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }

    /// The comparison with both sides exchanged.
    var reversed: PredicateComparison {
        switch self {
        case .equal, .unequal: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

/// The problem of a predicate, with its position.
struct PredicateProblem: Error {
    let reason: ErrorReason

    /// - Parameter offset: The offset in the bytes of the text.
    init(_ problem: ErrorReason, at offset: Int, in bytes: [UInt8]) {
        // All bytes except those that continue a scalar.
        let position = bytes[..<min(offset, bytes.count)].count { $0 & 0xC0 != 0x80 } + 1
        reason = ErrorReason("predicateFlaw", ["position": .integer(position), "problem": .reason(problem)])
    }
}
