extension RouteTrieBuilder {
    /// Notes what a part of a form captures.
    ///
    /// - Parameter firstName: where the names of the form start.
    mutating func addSteps(_ segments: [RoutePattern.Segment], inFragment: Bool, after firstName: Int) {
        for (index, segment) in segments.enumerated() {
            let kind: CaptureStep.Kind
            var partial: Int32 = 0
            switch segment {
            case .literal, .any: continue
            case .typed, .capture: kind = .segment
            case .rest: kind = .rest
            case .partial(let found):
                kind = .partial
                partial = number(of: found)
            }
            let found = segment.names
            steps.append(
                CaptureStep(
                    kind: kind, isInFragment: inFragment, segment: Int32(index),
                    number: Int32(names.count - firstName), count: Int32(found.count), partial: partial
                )
            )
            names += found
        }
    }

    /// The number of a partial; those that differ in names alone are one.
    mutating func number(of partial: PartialSegment) -> Int32 {
        let shape = partial.shape
        if let known = partialNumbers[shape] { return known }
        let number = Int32(partials.count)
        partialNumbers[shape] = number
        partials.append(partial)
        return number
    }
}
