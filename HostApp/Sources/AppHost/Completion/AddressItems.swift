import Console
import PluginRouter

/// The addresses of routes, for completion.
///
/// A route stands for its literal beginning: `shop/item/:id` for `app://shop/item/`, which the user continues.
struct AddressItems {
    /// The largest number of addresses that are listed whole; more are listed up to their next slash.
    private static let limit = 100
    private static let scheme = "app"

    private let patterns: [String]

    init(_ patterns: [String]) { self.patterns = patterns }

    /// Returns the addresses that begin with a text.
    func candidates(for prefix: String) -> [Completion.Candidate] {
        var isPart: [String: Bool] = [:]
        for (address, isBeginning) in patterns.flatMap(Self.addresses) where address.hasPrefix(prefix) {
            isPart[address] = isBeginning && isPart[address] != false
        }
        if isPart.count > Self.limit { isPart = Self.shortened(isPart, after: prefix) }
        return isPart.sorted { $0.key < $1.key }.map { Completion.Candidate($0.key, isPart: $0.value) }
    }

    /// Returns the literal beginnings of a pattern, and for each whether an address continues after it.
    private static func addresses(of pattern: String) -> [(String, isPart: Bool)] {
        guard let pattern = try? RoutePattern(pattern, converters: HostConfiguration.current.converters) else {
            return []
        }
        return pattern.expansions.compactMap { expansion in
            var literals: [String] = []
            for segment in expansion.path {
                guard case .literal(let text) = segment else { break }
                literals.append(text)
            }
            guard !literals.isEmpty else { return nil }
            let isPart = literals.count < expansion.path.count
            let text = "\(expansion.scheme ?? scheme)://" + literals.joined(separator: "/")
            return (isPart ? text + "/" : text, isPart)
        }
    }

    private static func shortened(_ addresses: [String: Bool], after prefix: String) -> [String: Bool] {
        var short: [String: Bool] = [:]
        // The slashes of "app://" do not count.
        let start = max(prefix.count, scheme.count + 3)
        for (address, isPart) in addresses {
            let rest = address.dropFirst(start)
            guard let slash = rest.firstIndex(of: "/") else {
                short[address] = isPart
                continue
            }
            short[String(address[...slash])] = true
        }
        return short
    }
}
