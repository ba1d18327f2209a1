internal import Authoring

extension String {
    /// Changes one field of a JSON object without changing any other byte, so an invalid manifest keeps its other errors.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - json: The new value, or `nil` to remove the field.
    mutating func setField(_ name: String, to json: String?) throws {
        let spans = JSONSpans(self)
        guard let root = spans.root, let fields = spans.members(of: root) else {
            throw FixtureError("no JSON object with fields to change:\n\(self)")
        }
        let index = fields.firstIndex { $0.name == name }
        self =
            switch (index, json) {
            case (let index?, let json?): spans.replacing(fields[index].value, with: json)
            case (let index?, nil): spans.replacing(spans.removal(of: index, in: fields.map(\.whole)), with: "")
            case (nil, let json?):
                spans.replacing(
                    (root.lowerBound + 1)..<(root.lowerBound + 1),
                    with: "\"\(name)\": \(json)\(fields.isEmpty ? "" : ", ")")
            case (nil, nil): throw FixtureError("there is no field \"\(name)\" in\n\(self)")
            }
    }
}
