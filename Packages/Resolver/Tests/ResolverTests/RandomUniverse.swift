import PluginRuntime
import PluginCore

@testable import Resolver

/// Five bundles of four versions with random requirements, which the installed versions may violate.
struct RandomUniverse {
    struct Need {
        let bundle: Int
        let range: VersionRange
        let isOnDemand: Bool
        /// The versions in range, as bits.
        let values: Int
    }

    static let bundles = 5
    static let names: [BundleIdentifier] = (0..<bundles).map { "com.b\($0)" }
    static let versions = ["1.0.0", "1.1.0", "2.0.0-beta", "2.0.0"].compactMap { SemanticVersion($0) }
    private static let ranges = [
        "*", "^1.0.0", "^2.0.0-beta", ">=1.1.0", "<2.0.0-beta", "1.0.0", ">1.0.0 <=2.0.0-beta", "2.0.0",
    ]
    .compactMap { VersionRange($0) }

    /// The active version of each bundle, or 0.
    var installed: [Int] = []
    private var offered: [Set<Int>] = []
    private var blocked: [Set<Int>] = []
    var broken: [Set<Int>] = []
    /// The requirements by bundle and version.
    var needs: [[[Need]]] = []

    init(using random: inout some RandomNumberGenerator) {
        let count = Self.versions.count
        let crowd = Int.random(in: 1...4, using: &random)
        for bundle in 0..<Self.bundles {
            installed.append(Bool.random(using: &random) ? Int.random(in: 1...count, using: &random) : 0)
            func some(_ percent: Int) -> Set<Int> {
                Set((1...count).filter { _ in Int.random(in: 0..<100, using: &random) < percent })
            }
            offered.append(some(65))
            blocked.append(some(10))
            broken.append(some(5))
            var versions: [[Need]] = [[]]
            for _ in 1...count {
                let others = (0..<Self.bundles).shuffled(using: &random)
                    .prefix(Int.random(in: 0...crowd, using: &random))
                    .filter { $0 != bundle || Int.random(in: 0..<8, using: &random) == 0 }
                versions.append(others.map { Self.need($0, using: &random) })
            }
            needs.append(versions)
        }
    }

    private static func need(_ bundle: Int, using random: inout some RandomNumberGenerator) -> Need {
        let range = ranges.randomElement(using: &random) ?? .any
        let values = versions.indices.filter { range.contains(versions[$0]) }.reduce(0) { $0 | 1 << ($1 + 1) }
        return Need(
            bundle: bundle, range: range, isOnDemand: Int.random(in: 0..<4, using: &random) == 0, values: values)
    }

    /// Returns the versions that are offered and not blocked, including those whose packages are broken.
    func open(_ bundle: Int) -> [Int] {
        offered[bundle].subtracting(blocked[bundle]).sorted()
    }

    func value(_ version: SemanticVersion) -> Int { (Self.versions.firstIndex(of: version) ?? -1) + 1 }

    /// Returns one or two requests for different bundles, none of which is rejected on its own.
    mutating func requests(using random: inout some RandomNumberGenerator) -> [ChangeRequest] {
        var requests: [ChangeRequest] = []
        for bundle in (0..<Self.bundles).shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random)) {
            // Another test covers requests for broken packages.
            broken[bundle] = []
            let name = Self.names[bundle]
            let current = installed[bundle]
            let open = open(bundle).filter { $0 > current }
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: if current > 0 || !open.isEmpty { requests.append(.install(name)) }
            case 2:
                if let value = open.randomElement(using: &random) {
                    requests.append(.install(name, Self.versions[value - 1]))
                }
            case 3: if current > 0 { requests.append(.update(name)) }
            case 4:
                let version = Self.versions.randomElement(using: &random)
                if current > 0, let version { requests.append(.rollBack(name, to: version)) }
            default: if current > 0 { requests.append(.remove(name, cascade: Bool.random(using: &random))) }
            }
        }
        return requests
    }

    func sample() -> SampleUniverse {
        let universe = SampleUniverse()
        for bundle in 0..<Self.bundles {
            for (index, version) in Self.versions.enumerated() {
                let identity = BundleIdentity(identifier: Self.names[bundle], version: version)
                let requirements = needs[bundle][index + 1].map {
                    BundleRequirement(identifier: Self.names[$0.bundle], versions: $0.range, isOnDemand: $0.isOnDemand)
                }
                universe.add(
                    identity, requirements, isOffered: offered[bundle].contains(index + 1),
                    isBroken: broken[bundle].contains(index + 1), isBlocked: blocked[bundle].contains(index + 1))
                if installed[bundle] == index + 1 { universe.install(identity, requirements) }
            }
        }
        return universe
    }
}
