public import PluginCore
internal import Synchronization

/// Finds those of many patterns that match an address.
///
/// The first time it is asked, it tries one pattern after the other, which costs less than to freeze them into a
/// ``RouteMatcher``: a process that opens one address and ends never pays for that. From the second time on a matcher
/// answers, unless there are so few that trying is as good.
///
/// ```swift
/// let search = PatternSearch([try RoutePattern("shop/:id"), try RoutePattern("cart")])
/// search.places(matching: try ResourceURI("app://cart"))    // [1]
/// ```
public final class PatternSearch: Sendable {
    /// A pattern that matches, and the form that does.
    struct Hit {
        let place: Int
        let form: RoutePattern.Form
    }

    private struct Frozen {
        let matcher: RouteMatcher<Int>
        /// The places of patterns that have a shape of one before them, which no matcher takes.
        let doubles: [Int]
    }

    private enum State {
        case unasked
        case asked
        /// Somebody is at it; the others do without.
        case freezing
        case frozen(Frozen)
    }

    /// How many patterns are tried about as fast as they are looked up: 0.3 µs for each, beside 2 µs in all.
    static let few = 8

    private let patterns: [RoutePattern]
    private let few: Int
    private let state = Mutex(State.unasked)

    /// Looks through patterns, which may have shapes in common.
    public convenience init(_ patterns: [RoutePattern]) {
        self.init(patterns, few: Self.few)
    }

    /// - Parameter few: with fewer patterns than that, all are tried every time.
    init(_ patterns: [RoutePattern], few: Int) {
        self.patterns = patterns
        self.few = few
    }

    /// The places of the patterns that match, in ascending order.
    public func places(matching uri: ResourceURI) -> [Int] {
        hits(for: uri).map(\.place).sorted()
    }

    /// The patterns that match, each once with its most specific form, in no order.
    func hits(for uri: ResourceURI) -> [Hit] {
        guard let frozen = frozen() else { return tried(patterns.indices, uri) }
        let found = frozen.matcher.forms(matching: uri).map { Hit(place: $0.value, form: $0.form) }
        return frozen.doubles.isEmpty ? found : found + tried(frozen.doubles, uri)
    }

    private func tried(_ places: some Sequence<Int>, _ uri: ResourceURI) -> [Hit] {
        let fragment = uri.fragment == nil ? nil : uri.fragmentAddress?.segments
        return places.compactMap { place in
            patterns[place].form(matching: uri, fragment: fragment).map { Hit(place: place, form: $0) }
        }
    }

    /// The matcher; `nil` when it is not worth it, or not there yet.
    private func frozen() -> Frozen? {
        guard patterns.count >= few else { return nil }
        let (frozen, isMyTurn) = state.withLock { state -> (Frozen?, Bool) in
            switch state {
            case .unasked:
                state = .asked
                return (nil, false)
            case .asked:
                state = .freezing
                return (nil, true)
            case .freezing: return (nil, false)
            case .frozen(let frozen): return (frozen, false)
            }
        }
        return isMyTurn ? freeze() : frozen
    }

    private func freeze() -> Frozen {
        var builder = RouteTableBuilder<Int>()
        var doubles: [Int] = []
        for (place, pattern) in patterns.enumerated() {
            do {
                // Of priorities the matcher need not know: what it finds is put in order with what others find.
                try builder.add(pattern, owner: "", value: place)
            } catch {
                doubles.append(place)
            }
        }
        let frozen = Frozen(matcher: builder.build(), doubles: doubles)
        state.withLock { $0 = .frozen(frozen) }
        return frozen
    }
}

extension RouteMatcher {
    /// The values whose patterns match, each once with its most specific form.
    fileprivate func forms(matching uri: ResourceURI) -> [(value: Value, form: RoutePattern.Form)] {
        index.all(for: uri.text).map { (values[Int($0.entry)], index.form(of: $0)) }
    }
}

extension RouteIndex {
    /// The form that a hit has found.
    func form(of hit: RouteHit) -> RoutePattern.Form {
        patterns[Int(hit.entry)].forms[Int(trie.leaves[hit.leaf].form)]
    }
}
