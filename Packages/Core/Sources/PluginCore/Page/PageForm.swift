/// The fields of an action whose input is a structure.
struct PageForm<Input: Codable & Sendable>: Sendable {
    let fields: [PageField]
    /// What is wrong with the declaration, or nil.
    let problem: String?
    /// The optional properties, which an empty text leaves `nil`.
    private let optionals: Set<String>

    /// Creates the fields for the properties of an input.
    ///
    /// - Parameter declared: Fields with the names of properties.
    init(_ initial: Input, _ declared: [PageField]) {
        let properties = Mirror(reflecting: initial).children
        optionals = Set(
            properties.filter { Mirror(reflecting: $0.value).displayStyle == .optional }.compactMap(\.label))
        let sink: ParameterSink
        do {
            sink = try ParameterEncoder.encode(initial, only: nil)
        } catch {
            (fields, problem) = (declared, "its input cannot be entered in fields: \(error)")
            return
        }
        let texts = Dictionary(sink.values.map { ($0.name, $0.value as? String) }) { first, _ in first }
        let names = Set(declared.map(\.name))
        let others = sink.values.map(\.name).filter { !names.contains($0) }.map { PageField($0, label: $0) }
        fields = (declared + others).map { field in
            // A choice may have no option for the property's initial value.
            let text = (texts[field.name] ?? nil).flatMap { field.values?.contains($0) ?? true ? $0 : nil }
            return field.starting(with: text, isToggle: sink.toggles.contains(field.name))
        }
        let stray = names.subtracting(texts.keys).subtracting(optionals).sorted()
        problem = stray.isEmpty ? nil : "its input has no property \(stray.joined(separator: ", "))"
    }

    /// Decodes the accepted texts of the fields.
    ///
    /// - Throws: ``AtriumError`` with code `parameterType` and the name of the field, for a text that isn't a value of its property.
    func input(from texts: [String: String]) throws(AtriumError) -> Input {
        try ActionParameters(texts.filter { !$0.value.isEmpty || !optionals.contains($0.key) }).decode()
    }
}
