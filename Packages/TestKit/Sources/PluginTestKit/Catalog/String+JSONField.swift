internal import Authoring

extension String {
    /// Changes one field of a JSON object without changing any other byte, so an invalid manifest keeps its other errors.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - json: The new value, or `nil` to remove the field.
    mutating func setField(_ name: String, to json: String?) throws {
        guard let root = JSONPlace(self), root.text == "{" else {
            throw FixtureError("no JSON object with fields to change:\n\(self)")
        }
        let start = index(after: root.range.lowerBound)
        self =
            switch (root.children.firstIndex { $0.name == name }, json) {
            case (let index?, let json?): replacing(root.children[index].value.range, with: json)
            case (let index?, nil): replacing(root.removal(of: index), with: "")
            case (nil, let json?):
                replacing(start..<start, with: "\"\(name)\": \(json)\(root.children.isEmpty ? "" : ", ")")
            case (nil, nil): throw FixtureError("there is no field \"\(name)\" in\n\(self)")
            }
    }
}
