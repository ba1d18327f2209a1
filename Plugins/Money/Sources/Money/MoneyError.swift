/// An error of a calculation with amounts, to which a later release may add cases.
public enum MoneyError: Error, Hashable, Sendable {
    /// The result is too large.
    case overflow
    /// Two amounts have different currencies.
    case currencies(Currency, Currency)
    /// A text is not an amount in the language.
    case unreadable(String)
    /// An amount cannot be split into this number of parts.
    case parts(Int)
}

extension MoneyError: CustomStringConvertible {
    /// The error as a clause.
    public var description: String {
        switch self {
        case .overflow: "the amount is too large"
        case .currencies(let one, let other): "\(one.code) and \(other.code) are different currencies"
        case .unreadable(let text): "\"\(text)\" is no amount"
        case .parts(let count): "an amount cannot be split into \(count) parts"
        }
    }
}
