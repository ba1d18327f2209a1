/// A type that exists only once in a process, so its values can pass from plugin to plugin unchanged.
protocol BoundaryValue {}

extension Bool: BoundaryValue {}
extension String: BoundaryValue {}
extension Int: BoundaryValue {}
extension Int8: BoundaryValue {}
extension Int16: BoundaryValue {}
extension Int32: BoundaryValue {}
extension Int64: BoundaryValue {}
extension UInt: BoundaryValue {}
extension UInt8: BoundaryValue {}
extension UInt16: BoundaryValue {}
extension UInt32: BoundaryValue {}
extension UInt64: BoundaryValue {}
extension Double: BoundaryValue {}
extension Float: BoundaryValue {}
extension CodedValue: BoundaryValue {}
extension Optional: BoundaryValue where Wrapped: BoundaryValue {}
extension Array: BoundaryValue where Element: BoundaryValue {}
extension Set: BoundaryValue where Element: BoundaryValue {}
extension Dictionary: BoundaryValue where Key: BoundaryValue, Value: BoundaryValue {}
