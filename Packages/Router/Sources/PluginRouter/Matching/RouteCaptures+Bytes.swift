extension RouteCaptures {
    /// What a form captures from the parts of an address that it matches and that is its own decoded text.
    init(_ form: RoutePattern.Form, _ bytes: Span<UInt8>, _ text: MatchText) {
        collect(form.path, bytes, text, text.path)
        guard let fragment = form.fragment else { return }
        takesFragment = true
        collect(fragment, bytes, text, text.fragment ?? 0..<0)
    }

    private mutating func collect(
        _ segments: [RoutePattern.Segment], _ bytes: Span<UInt8>, _ text: MatchText, _ part: Range<Int>
    ) {
        var start = MatchText.start(of: part)
        for segment in segments {
            if case .rest(let name) = segment {
                var taken: [String] = []
                while start <= part.upperBound {
                    let end = text.end(of: start, in: part, bytes)
                    taken.append(bytes.extracting(start..<end).string)
                    start = end + 1
                }
                rest = Rest(name: name, segments: taken)
                return
            }
            guard start <= part.upperBound else { return }
            let end = text.end(of: start, in: part, bytes)
            switch segment {
            case .literal, .any, .rest: break
            case .typed(let name, _), .capture(let name): values[name] = bytes.extracting(start..<end).string
            case .partial(let partial):
                let whole = bytes.extracting(start..<end)
                for (name, range) in zip(partial.names, partial.captures(whole)) {
                    values[name] = whole.extracting(range).string
                }
            }
            start = end + 1
        }
    }
}
