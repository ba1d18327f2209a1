/// A currency of ISO 4217.
public struct Currency: Hashable, Sendable {
    #if SecondRelease
        /// The number that stands for it, 978 for `EUR`. A stored property that the first release does not have, and before
        /// all others: who was built against that one finds theirs all the same.
        public let number: Int
    #endif
    /// Its three letters.
    public let code: String
    /// How many decimal digits its minor unit has: 2 where a hundred of it make one, 0 where there is none.
    public let digits: Int

    init(_ code: String, number: Int, digits: Int) {
        #if SecondRelease
            self.number = number
        #endif
        self.code = code
        self.digits = digits
    }

    /// The currency of three letters; `nil` for one that is not in the library's table.
    public init?(_ code: String) {
        guard let known = Self.all.first(where: { $0.code == code }) else { return nil }
        self = known
    }

    /// How many minor units make one.
    var scale: Int { (0..<digits).reduce(1) { scale, _ in scale * 10 } }
}
