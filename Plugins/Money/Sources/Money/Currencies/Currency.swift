/// A currency of ISO 4217.
public struct Currency: Hashable, Sendable {
    #if SecondRelease
        /// The numeric code, such as 978 for `EUR`.
        ///
        /// The first release does not have this stored property. Because of library evolution, it may precede the others without
        /// breaking plugins that were built with the first release.
        public let number: Int
    #endif
    /// The alphabetic code of three letters.
    public let code: String
    /// The number of decimal digits of the minor unit, such as 2 for cents, or 0 if there is no minor unit.
    public let digits: Int

    init(_ code: String, number: Int, digits: Int) {
        #if SecondRelease
            self.number = number
        #endif
        self.code = code
        self.digits = digits
    }

    /// The number of minor units in one major unit.
    var scale: Int { (0..<digits).reduce(1) { scale, _ in scale * 10 } }
}
