public import PluginCore

extension RoutePattern {
    /// Returns the address that the pattern matches with the given captures. This is the reverse of matching.
    ///
    /// An optional group is included exactly if its captures are given; a group without captures is omitted. An address from which matching
    /// would return other captures is an error. The pattern's own scheme takes precedence over `scheme`.
    ///
    /// ```swift
    /// let pattern = try RoutePattern("shop/item/:id<int>(/:tab)")
    /// try pattern.address(AddressParts(captures: ["id": "42"]), scheme: "app")    // app://shop/item/42
    /// ```
    ///
    /// - Parameters:
    ///   - parts: The captures, the segments for `**`, and the query.
    ///   - scheme: The scheme for a pattern without one, or `nil` for an address without scheme.
    /// - Throws: ``AtriumError`` with code `parameterMissing` for a capture without a value, or a `*`, which cannot have one;
    ///   `parameterType` for a value without a capture, a value that its capture does not accept, or one that matching would return
    ///   differently; `patternMalformed` for a pattern that matches no address; `uriMalformed` for an invalid scheme.
    public func address(_ parts: AddressParts, scheme: String? = nil) throws(AtriumError) -> ResourceURI {
        try checkText(of: parts)
        var refusal: AtriumError?
        for expansion in try expansions(fitting: parts) {
            do {
                let uri = try expansion.address(parts, scheme: self.scheme ?? scheme, of: self)
                try check(uri, reads: parts, in: expansion)
                return uri
            } catch {
                refusal = refusal ?? error
            }
        }
        throw refusal ?? AtriumError(.patternMalformed, text, reason: "neverMatches")
    }

    /// Returns the expansions that have exactly the given captures, shortest first. The result is never empty.
    private func expansions(fitting parts: AddressParts) throws(AtriumError) -> [Expansion] {
        let given = Set(parts.captures.keys)
        // The expansion with all groups has all captures, so there is always at least one.
        let able = expansions.filter {
            given.isSubset(of: $0.captureNames) && (parts.rest.isEmpty || $0.restName != nil)
        }
        let fitting = able.filter { $0.captureNames.count == given.count }
        guard fitting.isEmpty else { return fitting.sorted { $0.segments.count < $1.segments.count } }
        let known = Set(expansions.flatMap(\.captureNames))
        if let stranger = given.subtracting(known).min() {
            let nearest = Nearest.words(to: stranger, in: known.sorted())
            throw AtriumError(
                .parameterType, stranger, reason: "noSuchCapture", ["pattern": .text(text)], nearest: nearest)
        }
        let missing = able.map { Set($0.captureNames).subtracting(given) }.min { $0.count < $1.count }
        guard let name = missing?.min() else {
            throw AtriumError(
                .parameterType, Self.defaultRestName, reason: "noRest", ["pattern": .text(text)])
        }
        throw AtriumError(.parameterMissing, name, reason: "valueNeeded", ["pattern": .text(text)])
    }

    /// Throws an error if a value contains a NUL, the only character that an address cannot contain.
    private func checkText(of parts: AddressParts) throws(AtriumError) {
        let rest = expansions.lazy.compactMap(\.restName).first ?? Self.defaultRestName
        let texts =
            parts.captures.sorted { $0.key < $1.key } + parts.rest.map { (key: rest, value: $0) }
            + parts.query.items.map { (key: $0.name, value: $0.name + $0.value) }
        for (name, text) in texts where text.utf8.contains(0) {
            throw AtriumError(.parameterType, name, reason: "nulInAddress")
        }
    }

    /// Checks that matching a created address returns the values from which it was created.
    private func check(_ uri: ResourceURI, reads parts: AddressParts, in expansion: Expansion) throws(AtriumError) {
        let read = captures(from: uri)
        for name in expansion.captureNames {
            let (found, wanted) = (read?.values[name], parts.captures[name] ?? "")
            guard found?.hasBytes(of: wanted) == true else {
                throw AtriumError(
                    .parameterType, name, reason: "captureReadDifferently",
                    [
                        "address": "\(uri)", "value": .text(wanted),
                        "found": .reason(
                            found.map { ErrorReason("quoted", ["text": .text($0)]) } ?? ErrorReason("nothing")),
                    ])
            }
        }
        let (captured, rest) = (read?.values.items ?? [], read?.rest?.segments ?? [])
        guard captured.count == parts.captures.count, rest.elementsEqual(parts.rest, by: { $0.hasBytes(of: $1) }) else {
            let name = expansion.restName ?? read?.rest?.name ?? captured.first?.name ?? text
            throw AtriumError(
                .parameterType, name, reason: "restReadDifferently",
                ["address": "\(uri)", "found": "\(rest)", "segments": "\(parts.rest)"])
        }
    }
}

extension RoutePattern.Expansion {
    /// The names of the captures in order, without that of the double-star wildcard.
    fileprivate var captureNames: [String] { segments.filter { !$0.isRest }.flatMap(\.names) }

    fileprivate var restName: String? { segments.first(where: \.isRest)?.names.first }

    fileprivate var segments: [RoutePattern.Segment] { path + (fragment ?? []) }

    fileprivate func address(
        _ parts: AddressParts, scheme: String?, of pattern: RoutePattern
    ) throws(AtriumError) -> ResourceURI {
        var spelling = scheme.map { $0 + "://" } ?? ""
        let segments = try texts(path, parts, of: pattern)
        // One leading and one trailing slash are ignored, so an empty segment at either end needs an additional slash.
        if segments.first?.isEmpty == true { spelling += "/" }
        spelling += Self.spell(segments)
        if !parts.query.isEmpty { spelling += "?" + parts.query.encoded }
        if let fragment {
            let segments = try texts(fragment, parts, of: pattern)
            spelling += segments.isEmpty ? "#" : "#/" + Self.spell(segments)
        }
        let uri = try ResourceURI(spelling)
        guard uri.scheme == scheme?.lowercasedASCII else {
            throw AtriumError(.uriMalformed, spelling, reason: "notScheme", ["scheme": .text(scheme ?? "")])
        }
        return uri
    }

    private static func spell(_ segments: [String]) -> String {
        segments.map(PercentCoding.encode).joined(separator: "/") + (segments.last?.isEmpty == true ? "/" : "")
    }

    private func texts(
        _ segments: [RoutePattern.Segment], _ parts: AddressParts, of pattern: RoutePattern
    ) throws(AtriumError) -> [String] {
        var texts: [String] = []
        for segment in segments {
            switch segment {
            case .literal(let literal):
                guard !literal.isEmpty else {
                    throw AtriumError(.patternMalformed, pattern, reason: "emptySegmentNeverMatches")
                }
                texts.append(literal)
            case .partial(let partial):
                var text = partial.literals[0]
                for (name, literal) in zip(partial.names, partial.literals.dropFirst()) {
                    text += try value(name, parts) + literal
                }
                texts.append(text)
            case .typed(let name, let converter):
                let text = try value(name, parts)
                guard segment.matches(text, isAuthority: false) else {
                    throw AtriumError(
                        .parameterType, name, reason: "textForType",
                        ["type": .text(converter.name), "text": .text(text)])
                }
                texts.append(text)
            case .capture(let name): texts.append(try value(name, parts))
            case .any:
                throw AtriumError(.parameterMissing, "*", reason: "unnamedWildcard", ["pattern": "\(pattern)"])
            case .rest: texts += parts.rest
            }
        }
        return texts
    }

    private func value(_ name: String, _ parts: AddressParts) throws(AtriumError) -> String {
        guard let text = parts.captures[name] else { throw AtriumError(.parameterMissing, name) }
        guard !text.isEmpty else { throw AtriumError(.parameterType, name, reason: "emptySegment") }
        return text
    }
}
