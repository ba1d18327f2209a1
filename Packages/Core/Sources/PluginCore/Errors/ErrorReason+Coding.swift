extension ErrorReason {
    /// Returns the reason why a text cannot be decoded or a value encoded, for the author of the file, with its place.
    public static func finding(_ error: any Error) -> ErrorReason {
        let finding =
            switch error {
            case EncodingError.invalidValue(_, let context): context.debugDescription
            case DecodingError.keyNotFound(let key, let context):
                "\(place(context))\"\(key.stringValue)\" is missing"
            case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
                "\(place(context))expected \(expected(type))"
            case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
                "it cannot be read: \(context.debugDescription)"
            case DecodingError.dataCorrupted(let context): "\(place(context))\(context.debugDescription)"
            default: "\(error)"
            }
        return .verbatim(finding)
    }

    /// Returns the path of a value with a colon, such as `a.b[1]: `, or nothing for the whole text.
    private static func place(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
        return path.isEmpty ? "" : path + ": "
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
