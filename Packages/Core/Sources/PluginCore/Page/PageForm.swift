/// The fields of an action whose input is a structure.
struct PageForm<Input: Codable & Sendable>: Sendable {
    let fields: [PageField]
    /// What is wrong with the declaration, or nil.
    let problem: String?
    /// The properties that have an initial value. Another one is an optional, which an empty text leaves `nil`.
    private let filled: Set<String>

    /// Creates the fields for the properties of an input.
    ///
    /// - Parameter declared: Fields with the names of properties.
    init(_ initial: Input, _ declared: [PageField]) {
        let sink: ParameterSink
        do {
            sink = try ParameterEncoder.encode(initial, only: nil)
        } catch {
            (fields, filled, problem) = (declared, [], "its input cannot be entered in fields: \(error)")
            return
        }
        let texts = Dictionary(sink.values.map { ($0.name, $0.value as? String) }) { first, _ in first }
        let others = sink.values.map(\.name).filter { name in !declared.contains { $0.name == name } }
        let stray = declared.map(\.name).filter { texts[$0] == nil && !Self.hasOptional($0, initial) }
        fields =
            declared.map { $0.starting(with: texts[$0.name] ?? nil, isToggle: sink.toggles.contains($0.name)) }
            + others.map {
                PageField($0, label: $0).starting(with: texts[$0] ?? nil, isToggle: sink.toggles.contains($0))
            }
        filled = Set(texts.keys)
        problem = stray.isEmpty ? nil : "its input has no property \(stray.joined(separator: ", "))"
    }

    /// Returns whether a value has an optional property of a name, which isn't encoded without a value.
    private static func hasOptional(_ name: String, _ value: Input) -> Bool {
        Mirror(reflecting: value).children.contains { $0.label == name }
    }

    /// Decodes the accepted texts of the fields.
    ///
    /// - Throws: ``AtriumError`` with code `parameterType` and the name of the field, for a text that isn't a value of its property.
    func input(from texts: [String: String]) throws(AtriumError) -> Input {
        try ActionParameters(texts.filter { !$0.value.isEmpty || filled.contains($0.key) }).decode()
    }
}
