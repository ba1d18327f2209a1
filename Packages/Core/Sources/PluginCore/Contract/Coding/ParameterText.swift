internal import FoundationEssentials

/// A value that one text spells, and that the text gives back exactly.
protocol ParameterText: LosslessStringConvertible {
    /// A Boolean value that indicates whether a text spells it; not so for numbers that are not finite.
    var hasText: Bool { get }
}

extension ParameterText {
    var hasText: Bool { true }
}

extension ParameterText where Self: BinaryFloatingPoint {
    var hasText: Bool { isFinite }
}

extension Bool: ParameterText {}
extension String: ParameterText {}
extension Int: ParameterText {}
extension Int8: ParameterText {}
extension Int16: ParameterText {}
extension Int32: ParameterText {}
extension Int64: ParameterText {}
extension Int128: ParameterText {}
extension UInt: ParameterText {}
extension UInt8: ParameterText {}
extension UInt16: ParameterText {}
extension UInt32: ParameterText {}
extension UInt64: ParameterText {}
extension UInt128: ParameterText {}
extension Double: ParameterText {}
extension Float: ParameterText {}

/// The one name that a parameter's value has, for who asks a coder where it is.
struct ParameterKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}

extension Optional where Wrapped == String {
    /// A parameter's name as a coding path: none at the top.
    var path: [any CodingKey] { map { [ParameterKey($0)] } ?? [] }
}
