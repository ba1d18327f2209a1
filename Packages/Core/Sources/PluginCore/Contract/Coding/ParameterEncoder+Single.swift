/// Encoding of a single value. A list or structure in its place is encoded as such.
extension ParameterEncoder: SingleValueEncodingContainer {
    func encodeNil() throws {
        switch settled {
        case .element(let name): throw sink.refuse(name, ErrorReason("listWithGaps"))
        case .nowhere(let refusal): throw refusal
        case .top, .parameter: return
        }
    }

    func encode<T: Encodable>(_ value: T) throws { try write(value) }
    func encode(_ value: Bool) throws { try put(value) }
    func encode(_ value: String) throws { try put(value) }
    func encode(_ value: Double) throws { try put(value) }
    func encode(_ value: Float) throws { try put(value) }
    func encode(_ value: Int) throws { try put(value) }
    func encode(_ value: Int8) throws { try put(value) }
    func encode(_ value: Int16) throws { try put(value) }
    func encode(_ value: Int32) throws { try put(value) }
    func encode(_ value: Int64) throws { try put(value) }
    func encode(_ value: Int128) throws { try put(value) }
    func encode(_ value: UInt) throws { try put(value) }
    func encode(_ value: UInt8) throws { try put(value) }
    func encode(_ value: UInt16) throws { try put(value) }
    func encode(_ value: UInt32) throws { try put(value) }
    func encode(_ value: UInt64) throws { try put(value) }
    func encode(_ value: UInt128) throws { try put(value) }
}
