/// The parts of the output of `swift package dump-package` that the rules need.
///
/// The output of `describe` is not sufficient, because it omits dependencies that depend on a trait.
struct PackageFacts: Decodable, Sendable {
    struct Dependency: Decodable, Sendable {
        struct Place: Decodable, Sendable {
            let identity: String
            let path: String?
        }

        let fileSystem: [Place]?
        let sourceControl: [Place]?
        let registry: [Place]?
    }

    struct Target: Decodable, Sendable {
        let name: String
        let type: String
        let path: String?
        let dependencies: [TargetDependency]
        let settings: [Setting]
    }

    struct Setting: Decodable, Sendable {
        struct Kind: Decodable, Sendable {
            let unsafeFlags: [String: [String]]?
            let enableUpcomingFeature: [String: String]?
        }

        let kind: Kind
    }

    struct Kind: Decodable, Sendable { let root: [String] }

    let name: String
    /// The location at which the toolchain found the package, to which the paths of its dependencies are relative.
    let packageKind: Kind
    let dependencies: [Dependency]
    let products: [Product]
    let targets: [Target]
}

extension TargetDependency: Decodable {
    private enum CodingKeys: String, CodingKey { case target, product, byName }

    /// Reads a dependency, which is printed as an object with one key and a list of a name, a package and conditions.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if container.contains(.product) {
            var list = try container.nestedUnkeyedContainer(forKey: .product)
            let name = try list.decode(String.self)
            self = .product(name, package: try list.decodeIfPresent(String.self))
        } else if container.contains(.target) {
            var list = try container.nestedUnkeyedContainer(forKey: .target)
            self = .target(try list.decode(String.self))
        } else {
            var list = try container.nestedUnkeyedContainer(forKey: .byName)
            self = .name(try list.decode(String.self))
        }
    }
}
