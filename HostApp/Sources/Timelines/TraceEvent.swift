/// An interval of work in a trace, in microseconds.
package struct TraceEvent: Hashable, Sendable, Decodable {
    package let name: String
    /// The kind of work, such as `load`.
    package let category: String
    package let start: Double
    package let duration: Double
    /// The number of the chain of requests, or 0 for work outside of all requests.
    package let track: Int
    /// The caller that asked for the work, such as `plugin com.example.app.shop`.
    package let caller: String?

    package var end: Double { start + duration }

    private enum CodingKeys: String, CodingKey {
        case name, cat, ph, ts, dur, tid, args
    }

    private struct Arguments: Decodable {
        let from: String?
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        category = try values.decode(String.self, forKey: .cat)
        start = try values.decode(Double.self, forKey: .ts)
        duration = try values.decode(Double.self, forKey: .dur)
        track = try values.decode(Int.self, forKey: .tid)
        caller = try values.decodeIfPresent(Arguments.self, forKey: .args)?.from
        let isPlausible =
            (0...1e15).contains(start) && (0...1e15).contains(duration) && (0...1 << 40).contains(track)
            && name.utf8.count <= 1 << 16 && category.utf8.count <= 64
        guard try values.decode(String.self, forKey: .ph) == "X", isPlausible else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "this is no complete event"))
        }
    }
}
