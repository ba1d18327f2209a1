/// A currency of ISO 4217.
public struct Currency: Hashable, Sendable {
    /// The alphabetic code of three letters.
    public let code: String
    /// The number of decimal digits of the minor unit, such as 2 for cents, or 0 if there is no minor unit.
    public let digits: Int

    init(_ code: String, digits: Int) {
        self.code = code
        self.digits = digits
    }

    /// The number of minor units in one major unit.
    var scale: Int { (0..<digits).reduce(1) { scale, _ in scale * 10 } }
}
