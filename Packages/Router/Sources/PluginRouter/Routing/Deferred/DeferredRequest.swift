public import PluginCore

/// An address to be opened later, and its caller. It has no user info, because that cannot be stored.
public struct DeferredRequest: Hashable, Sendable {
    /// The address.
    public let address: String
    /// The caller.
    public let origin: RequestOrigin
    /// The time of the latest request in seconds since 1970.
    public let time: Int64

    /// Returns whether two requests are the same except for their time.
    func isSame(as other: DeferredRequest) -> Bool {
        address == other.address && origin == other.origin
    }
}

extension DeferredRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case address, origin, bundle, time
    }

    /// Decodes a request from a JSON object.
    ///
    /// For example: `{"address": "app://shop", "origin": "plugin", "bundle": "com.example.app.shop", "time": 1764000000}`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        address = try values.decode(String.self, forKey: .address)
        time = try values.decode(Int64.self, forKey: .time)
        switch try values.decode(String.self, forKey: .origin) {
        case "host": origin = .host
        case "external": origin = .external
        case "plugin": origin = .plugin(try values.decode(String.self, forKey: .bundle))
        case "extension": origin = .extension(try values.decode(String.self, forKey: .bundle))
        case let other:
            throw DecodingError.dataCorruptedError(
                forKey: .origin, in: values, debugDescription: "there is no origin \"\(other)\"")
        }
    }

    /// Encodes the request as a JSON object.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(address, forKey: .address)
        try values.encode(time, forKey: .time)
        switch origin {
        case .host: try values.encode("host", forKey: .origin)
        case .external: try values.encode("external", forKey: .origin)
        case .plugin(let bundle):
            try values.encode("plugin", forKey: .origin)
            try values.encode(bundle, forKey: .bundle)
        case .extension(let bundle):
            try values.encode("extension", forKey: .origin)
            try values.encode(bundle, forKey: .bundle)
        }
    }
}
