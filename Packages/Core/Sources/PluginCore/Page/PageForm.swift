/// The fields of an action whose input is a structure.
struct PageForm<Input: Codable & Sendable>: Sendable {
    let fields: [PageField]
    /// The fault of the declaration, or nil.
    let problem: String?

    /// Creates the fields for the properties of an input.
    ///
    /// - Parameter declared: Fields with the names of properties.
    init(_ initial: Input, _ declared: [PageField]) {
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
        let lists = sink.values.filter { !($0.value is String) }.map(\.name)
        // A property without a value is not encoded, but it is asked for.
        let source = ParameterSource(form: texts.compactMapValues(\.self))
        let isReadable = (try? ParameterDecoder.decode(source) as Input) != nil
        let stray = isReadable ? names.subtracting(source.form?.asked ?? []).sorted() : []
        let twice = names.filter { name in declared.count { $0.name == name } > 1 }.sorted()
        let problems = [
            ("its input has a list, which no field can contain", lists), ("its input has no property", stray),
            ("several of its fields are named", twice),
        ]
        problem = problems.first { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
    }

    /// Decodes the accepted texts of the fields.
    ///
    /// - Throws: ``AtriumError`` with code `parameterType` and the name of the field, for a text that isn't a value of its property, or
    ///   `fieldInvalid` with the field's own message.
    func input(from texts: [String: String]) throws(AtriumError) -> Input {
        do {
            return try ParameterDecoder.decode(ParameterSource(form: texts))
        } catch {
            let field = fields.first { $0.name == error.subject }
            guard error.code == .parameterType, let field, let message = field.message else { throw error }
            throw AtriumError(.fieldInvalid, texts[field.name] ?? "", reason: .verbatim(message))
        }
    }
}
