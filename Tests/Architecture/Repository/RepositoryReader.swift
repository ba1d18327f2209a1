import Foundation

extension Repository {
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// The names in the root folder that builds leave there.
    private static let built = ["build", "Package.resolved"]

    /// Reads a repository.
    init(at root: String) async throws {
        let folders = try Self.packageFolders(in: root)
        var packages = try await withThrowingTaskGroup(of: Package.self) { group in
            for folder in folders {
                group.addTask { try await Package(at: folder, in: root) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // The rules check the tests that the root declares with the package that they belong to.
        if let root = packages.firstIndex(where: { $0.folder == "." }) {
            for other in packages.indices where other != root {
                let prefix = packages[other].folder + "/"
                packages[other].targets += packages[root].targets.filter { $0.folder.hasPrefix(prefix) }
                packages[root].targets.removeAll { $0.folder.hasPrefix(prefix) }
            }
        }
        let paths = try Self.paths(in: root)
        self.init(
            packages: packages.sorted { $0.folder < $1.folder },
            topLevel: Set(try FileManager.default.contentsOfDirectory(atPath: root)).subtracting(Self.built),
            paths: paths, pages: Self.pages(among: paths, in: root),
            sizes: Self.sizes(of: paths, in: root),
            languages: try paths.sorted().filter { $0.hasPrefix(LanguageTable.folder) && $0.hasSuffix(".json") }.map {
                LanguageTable(path: $0, source: try String(contentsOfFile: root + "/" + $0, encoding: .utf8))
            })
    }

    /// Returns the folders with a manifest among the root, its folders and their subfolders. Samples are projects of their own.
    private static func packageFolders(in root: String) throws -> [String] {
        func isPackage(_ folder: String) -> Bool {
            FileManager.default.fileExists(atPath: root + "/" + folder + "/Package.swift")
        }
        func folders(in folder: String) -> [String] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)) ?? []
            return names.filter { !$0.hasPrefix(".") && $0 != "build" }.map { RelativePath.join(folder, $0) }
        }
        guard isPackage(".") else { throw Unreadable(description: "\(root) has no Package.swift") }
        let first = folders(in: ".").filter { $0 != "Samples" }
        return ["."] + (first + first.flatMap(folders)).filter(isPackage)
    }
}

extension Package {
    fileprivate init(at folder: String, in root: String) async throws {
        let path = RelativePath.join(folder, "Package.swift")
        manifest = Manifest(path: path, text: try String(contentsOfFile: root + "/" + path, encoding: .utf8))
        versionedManifests = try FileManager.default.contentsOfDirectory(atPath: root + "/" + folder).sorted()
            .filter { $0.hasPrefix("Package@") }.map { RelativePath.join(folder, $0) }
        let others = try versionedManifests.map { try String(contentsOfFile: root + "/" + $0, encoding: .utf8) }
        let facts = try await SwiftPackage.shared.facts(
            ofPackageAt: folder, manifests: [manifest.text] + others, in: root)
        self.folder = folder
        bundle = try BundleFacts.read(in: root + "/" + folder)
        name = facts.name
        dependencies = facts.dependencies.flatMap { dependency in
            let local = (dependency.fileSystem ?? []).map { place -> PackageDependency in
                guard let path = place.path, let own = facts.packageKind.root.first else {
                    return .remote(place.identity)
                }
                return .folder(RelativePath.join(folder, RelativePath.from(own, to: path)))
            }
            let fetched = (dependency.sourceControl ?? []) + (dependency.registry ?? [])
            return local + fetched.map { .remote($0.identity) }
        }
        products = facts.products
        let own = facts.packageKind.root.first ?? ""
        targets = try facts.targets.map { target in
            let files = target.settings.flatMap { $0.kind.unsafeFlags?["_0"] ?? [] }.filter { $0.hasPrefix("@") }
            let paths = files.map { RelativePath.join(folder, RelativePath.from(own, to: String($0.dropFirst()))) }
            return try Target(target, settings: paths, ofPackageAt: folder, in: root)
        }
        for index in targets.indices { targets[index].manifest = manifest }
    }
}

extension Target {
    fileprivate init(
        _ facts: PackageFacts.Target, settings: [String], ofPackageAt package: String, in root: String
    ) throws {
        guard let kind = Kind(rawValue: facts.type) else {
            throw Repository.Unreadable(description: "target \(facts.name) is of a kind unknown here: \(facts.type)")
        }
        name = facts.name
        self.kind = kind
        dependencies = facts.dependencies
        self.settings = settings
        folder = try Self.folder(of: facts, kind: kind, ofPackageAt: package, in: root)

        let place = root + "/" + folder
        // Files that the manifest excludes are included, because they are checked before they are built.
        sources = try FileManager.default.subpathsOfDirectory(atPath: place).sorted()
            .filter { path in [".swift", ".c", ".h"].contains(where: path.hasSuffix) }
            .map { [folder] path in
                let text = try String(contentsOfFile: place + "/" + path, encoding: .utf8)
                return SourceFile(path: RelativePath.join(folder, path), text: text)
            }
        page = try? String(contentsOfFile: "\(place)/\(name).docc/\(name).md", encoding: .utf8)
    }

    /// Returns the path in the manifest, or else the first of SwiftPM's default folders that contains the target.
    private static func folder(
        of facts: PackageFacts.Target, kind: Kind, ofPackageAt package: String, in root: String
    ) throws -> String {
        if let path = facts.path { return RelativePath.join(package, path) }
        let places =
            switch kind {
            case .test: ["Tests", "Sources", "Source", "src", "srcs"]
            case .plugin: ["Plugins"]
            default: ["Sources", "Source", "src", "srcs"]
            }
        let folders = places.map { RelativePath.join(package, "\($0)/\(facts.name)") }
        guard let folder = folders.first(where: { FileManager.default.fileExists(atPath: root + "/" + $0) }) else {
            throw Repository.Unreadable(description: "no folder for target \(facts.name) of package \(package)")
        }
        return folder
    }
}
