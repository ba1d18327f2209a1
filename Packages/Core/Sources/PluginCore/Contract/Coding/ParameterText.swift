internal import FoundationEssentials

/// A value with a textual form from which the same value can be created.
protocol ParameterText: LosslessStringConvertible {
    /// A Boolean value that indicates whether the value has a textual form. Numbers that are not finite have none.
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

/// A coding key for a parameter, used in coding paths.
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
    /// The coding path of a parameter, which is empty at the top level.
    var path: [any CodingKey] { map { [ParameterKey($0)] } ?? [] }
}
