/// Why a text is no JSON, or none that all readers understand alike (RFC 8259, RFC 7493).
public enum JSONFlaw: Error, Hashable, Sendable {
    /// It is not JSON in UTF-8.
    case noJSON
    /// A name occurs twice in an object: some readers take the first, others the last.
    case repeated(place: String)
    /// A text holds half of a character.
    case halfCharacter
    /// More marks stand on one letter than anybody writes.
    case stackedMarks(limit: Int)
    /// It is nested deeper than anything that is meant.
    case tooDeep(limit: Int)
    /// It has more values than may be.
    case tooMany(limit: Int)

    /// What is wrong with JSON of two meanings or of more than there may be; `nil` for what is no JSON.
    ///
    /// - Parameter name: the file's, for what is wrong with the whole of it.
    public func problem(in name: String) -> String? {
        switch self {
        case .noJSON: nil
        case .repeated(let place): "\(place): it is given twice"
        case .halfCharacter: "\(name): half of a character is escaped in it"
        case .stackedMarks(let limit): "\(name): more than \(limit) marks stand on one letter in it"
        case .tooDeep(let limit): "\(name): it is nested more than \(limit) deep"
        case .tooMany(let limit): "\(name): it has more than \(limit) values"
        }
    }
}
