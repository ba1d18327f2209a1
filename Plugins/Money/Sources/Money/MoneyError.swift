/// What cannot be done with amounts. A later release may add cases.
public enum MoneyError: Error, Hashable, Sendable {
    /// A result that is larger than any amount can be.
    case overflow
    /// Two amounts that have nothing in common.
    case currencies(Currency, Currency)
    /// A text that is no amount in the language.
    case unreadable(String)
    /// Parts that an amount cannot be split into.
    case parts(Int)
}

extension MoneyError: CustomStringConvertible {
    /// The error in a clause.
    public var description: String {
        switch self {
        case .overflow: "the amount is too large"
        case .currencies(let one, let other): "\(one.code) and \(other.code) are different currencies"
        case .unreadable(let text): "\"\(text)\" is no amount"
        case .parts(let count): "an amount cannot be split into \(count) parts"
        }
    }
}
