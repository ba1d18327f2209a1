extension Amount {
    /// The sum of both.
    ///
    /// - Throws: ``MoneyError/currencies(_:_:)`` for amounts of different currencies, ``MoneyError/overflow``.
    public func adding(_ other: Amount) throws(MoneyError) -> Amount {
        guard currency == other.currency else { throw .currencies(currency, other.currency) }
        return try with(minorUnits.addingReportingOverflow(other.minorUnits))
    }

    /// What is left of it without the other.
    ///
    /// - Throws: as ``adding(_:)``.
    public func subtracting(_ other: Amount) throws(MoneyError) -> Amount {
        guard currency == other.currency else { throw .currencies(currency, other.currency) }
        return try with(minorUnits.subtractingReportingOverflow(other.minorUnits))
    }

    /// Several times the amount.
    ///
    /// - Throws: ``MoneyError/overflow``.
    public func multiplied(by factor: Int) throws(MoneyError) -> Amount {
        try with(minorUnits.multipliedReportingOverflow(by: factor))
    }

    #if SecondRelease
        /// The amount in parts that make it up exactly and differ by one minor unit at most, the larger ones first.
        ///
        /// - Throws: ``MoneyError/parts(_:)`` unless there are between 1 and 10,000 of them.
        public func split(into count: Int) throws(MoneyError) -> [Amount] {
            guard 1...10_000 ~= count else { throw .parts(count) }
            let (share, rest) = minorUnits.quotientAndRemainder(dividingBy: count)
            return (0..<count).map { index in
                Amount(minorUnits: share + (index < rest.magnitude ? rest.signum() : 0), of: currency)
            }
        }
    #endif

    private func with(_ result: (partialValue: Int, overflow: Bool)) throws(MoneyError) -> Amount {
        guard !result.overflow else { throw .overflow }
        return Amount(minorUnits: result.partialValue, of: currency)
    }
}
