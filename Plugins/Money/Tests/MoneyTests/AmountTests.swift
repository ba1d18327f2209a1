import Money
import Testing

@Suite("Amounts of money", .tags(.small))
struct AmountTests {
    @Test("Addition, subtraction and multiplication are exact in minor units")
    func arithmetic() throws {
        let lamp = Amount(minorUnits: 1999, of: .eur)
        #expect(try lamp.adding(Amount(minorUnits: 1, of: .eur)) == Amount(minorUnits: 2000, of: .eur))
        #expect(try lamp.subtracting(Amount(minorUnits: 2000, of: .eur)) == Amount(minorUnits: -1, of: .eur))
        #expect(try lamp.multiplied(by: -3) == Amount(minorUnits: -5997, of: .eur))
    }

    @Test("An overflow is an error and does not trap")
    func overflow() {
        let most = Amount(minorUnits: .max, of: .jpy)
        let least = Amount(minorUnits: .min, of: .jpy)
        let one = Amount(minorUnits: 1, of: .jpy)
        #expect(throws: MoneyError.overflow) { try most.adding(one) }
        #expect(throws: MoneyError.overflow) { try least.subtracting(one) }
        #expect(throws: MoneyError.overflow) { try least.multiplied(by: -1) }
        #expect(throws: MoneyError.overflow) { try most.multiplied(by: 2) }
    }

    @Test("Calculating with two currencies is an error that names both")
    func currencies() {
        let euro = Amount(minorUnits: 1, of: .eur)
        let yen = Amount(minorUnits: 1, of: .jpy)
        #expect(throws: MoneyError.currencies(.eur, .jpy)) { try euro.adding(yen) }
        #expect(throws: MoneyError.currencies(.jpy, .eur)) { try yen.subtracting(euro) }
        #expect("\(MoneyError.currencies(.eur, .jpy))" == "EUR and JPY are different currencies")
    }

    @Test("A currency is found by its alphabetic code only")
    func lookUp() {
        #expect(Currency("KWD") == .kwd && Currency("KWD")?.digits == 3)
        #expect(Currency("kwd") == nil && Currency("XXX") == nil && Currency("") == nil)
    }

    #if SecondRelease
        @Test(
            "An amount is split into parts with its exact sum that differ by at most one unit",
            arguments: [(100, 3, [34, 33, 33]), (-100, 3, [-34, -33, -33]), (2, 4, [1, 1, 0, 0]), (0, 1, [0])])
        func split(units: Int, count: Int, parts: [Int]) throws {
            #expect(try Amount(minorUnits: units, of: .eur).split(into: count).map(\.minorUnits) == parts)
        }

        @Test(
            "The smallest amount can be split, and an invalid number of parts is an error", arguments: [0, -1, 10_001])
        func splitting(count: Int) throws {
            let least = Amount(minorUnits: .min, of: .eur)
            #expect(try least.split(into: 7).reduce(0) { $0 + $1.minorUnits } == .min)
            #expect(throws: MoneyError.parts(count)) { try least.split(into: count) }
        }

        @Test("A currency has its numeric code")
        func number() {
            #expect(Currency.eur.number == 978)
        }
    #endif
}
