/// Whether a text is JSON with one meaning, in memory that does not grow with how deep it is nested.
///
/// What decides about code is read by more than one reader: host, `bundletool`, and whatever a team or an app's author uses.
/// Where they would disagree, nothing is read.
///
/// ```swift
/// JSONCheck.flaw(in: Array(#"{"a": [{"b": 1, "b": 2}]}"#.utf8))    // .repeated(place: "a[0].b")
/// ```
public enum JSONCheck {
    /// How deep anything may be nested.
    public static let depthLimit = 64

    /// How many marks may stand on one letter: as many as in Unicode's Stream-Safe Text Format (UAX #15, 13). Comparing what has many
    /// more takes time that grows with their square.
    public static let markLimit = 30

    /// What is wrong; `nil` when nothing is.
    ///
    /// - Parameters:
    ///   - bytes: all of the text.
    ///   - limit: how many values it may have, those in others included.
    public static func flaw(in bytes: [UInt8], values limit: Int = .max) -> JSONFlaw? {
        guard String(validating: bytes, as: UTF8.self) != nil else { return .noJSON }
        var scan = JSONScan(bytes, limit: limit)
        do throws(JSONFlaw) {
            try scan.run()
            return nil
        } catch {
            return error
        }
    }
}
