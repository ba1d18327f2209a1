extension RouteTrieBuilder {
    /// Notes what a part of a form captures.
    mutating func addSteps(_ segments: [RoutePattern.Segment], inFragment: Bool) {
        for (index, segment) in segments.enumerated() {
            switch segment {
            case .literal, .any: continue
            case .typed(let name, _), .capture(let name): addStep(.segment, index, [name], inFragment)
            case .rest(let name): addStep(.rest, index, [name], inFragment)
            case .partial(let partial):
                addStep(.partial, index, partial.names, inFragment, number(of: partial))
            }
        }
    }

    private mutating func addStep(
        _ kind: CaptureStep.Kind, _ segment: Int, _ names: [String], _ inFragment: Bool, _ partial: Int32 = 0
    ) {
        steps.append(
            CaptureStep(
                kind: kind, isInFragment: inFragment, segment: Int32(segment), names: Int32(self.names.count),
                nameCount: Int32(names.count), partial: partial
            )
        )
        self.names += names
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
