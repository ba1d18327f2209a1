extension DecodingError {
    /// A description of the problem and its place, for the author of the file.
    var finding: String {
        switch self {
        case .keyNotFound(let key, let context):
            "\(Self.place(context))\"\(key.stringValue)\" is missing"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            "\(Self.place(context))expected \(Self.expected(type))"
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            "it cannot be read: \(context.debugDescription)"
        case .dataCorrupted(let context): "\(Self.place(context))\(context.debugDescription)"
        @unknown default: "\(self)"
        }
    }

    private static func place(_ context: Context) -> String {
        var place = ""
        for key in context.codingPath {
            if let index = key.intValue {
                place += "[\(index)]"
            } else {
                place += (place.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return place.isEmpty ? "" : place + ": "
    }

    private static func expected(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is [Any].Type: "an array"
        case is [String: Any].Type: "an object"
        default: "\(type)"
        }
    }
}
