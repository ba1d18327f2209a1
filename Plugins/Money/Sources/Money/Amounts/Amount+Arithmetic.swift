extension Amount {
    /// Returns the sum of two amounts.
    ///
    /// - Throws: ``MoneyError/currencies(_:_:)`` for amounts of different currencies, ``MoneyError/overflow``.
    public func adding(_ other: Amount) throws(MoneyError) -> Amount {
        guard currency == other.currency else { throw .currencies(currency, other.currency) }
        return try with(minorUnits.addingReportingOverflow(other.minorUnits))
    }

    /// Returns the difference of two amounts.
    ///
    /// - Throws: the errors of ``adding(_:)``.
    public func subtracting(_ other: Amount) throws(MoneyError) -> Amount {
        guard currency == other.currency else { throw .currencies(currency, other.currency) }
        return try with(minorUnits.subtractingReportingOverflow(other.minorUnits))
    }

    /// Returns a multiple of the amount.
    ///
    /// - Throws: ``MoneyError/overflow``.
    public func multiplied(by factor: Int) throws(MoneyError) -> Amount {
        try with(minorUnits.multipliedReportingOverflow(by: factor))
    }

    #if SecondRelease
        /// Splits the amount into parts with this exact sum that differ by at most one minor unit, larger parts first.
        ///
        /// - Throws: ``MoneyError/parts(_:)`` unless the number of parts is between 1 and 10,000.
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
