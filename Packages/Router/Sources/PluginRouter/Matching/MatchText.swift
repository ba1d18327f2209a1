internal import PluginCore

/// The text that patterns are matched with: decoded, and still in one piece.
///
/// The bytes of an address without escapes are their own decoded text, with slashes between the segments. Of any other the
/// decoded segments are laid side by side with a NUL between, which no decoded text holds.
struct MatchText {
    let separator: UInt8
    let path: Range<Int>
    let fragment: Range<Int>?
    let hasAuthority: Bool

    /// The layout of an address that is its own decoded text.
    init(plain layout: URILayout) {
        separator = .slash
        path = layout.path
        fragment = layout.fragmentPath
        hasAuthority = layout.hasAuthority
    }

    private init(path: Range<Int>, fragment: Range<Int>?, hasAuthority: Bool) {
        separator = 0
        self.path = path
        self.fragment = fragment
        self.hasAuthority = hasAuthority
    }

    /// The decoded text of an address, and its layout.
    static func decoded(_ uri: ResourceURI) -> (bytes: [UInt8], text: MatchText) {
        var bytes = Array(uri.segments.joined(separator: "\0").utf8)
        let path = 0..<bytes.count
        guard let segments = uri.fragmentAddress?.segments else {
            return (bytes, MatchText(path: path, fragment: nil, hasAuthority: uri.hasAuthority))
        }
        bytes += segments.joined(separator: "\0").utf8
        let fragment = path.upperBound..<bytes.count
        return (bytes, MatchText(path: path, fragment: fragment, hasAuthority: uri.hasAuthority))
    }

    /// Where the segment that starts at `start` ends.
    func end(of start: Int, in part: Range<Int>, _ bytes: Span<UInt8>) -> Int {
        var index = start
        while index < part.upperBound, bytes[index] != separator { index += 1 }
        return index
    }

    /// Where the segment that ends before the one at `next` starts.
    func start(before next: Int, in part: Range<Int>, _ bytes: Span<UInt8>) -> Int {
        var index = next - 1
        while index > part.lowerBound, bytes[index - 1] != separator { index -= 1 }
        return index
    }

    /// Where matching starts in a part: past its end when it has no segment.
    static func start(of part: Range<Int>) -> Int { part.isEmpty ? part.upperBound + 1 : part.lowerBound }
}
