/// An entry of the table of allowed dependencies, with a package, its modules and their allowed dependencies.
struct Layer: Sendable {
    let folder: String
    let modules: [(name: String, knows: [String])]
    let testsAlsoKnow: [String]
    let pullsEverythingIn: Bool
    let mayHaveC: Bool
    /// The only modules that may import the C library, each with the C targets that it may import; `nil` when all may.
    let systemIn: [String: Set<String>]?

    init(
        _ folder: String, _ modules: KeyValuePairs<String, [String]>, testsAlsoKnow: [String] = [],
        pullsEverythingIn: Bool = false, mayHaveC: Bool = true, systemIn: [String: Set<String>]? = nil
    ) {
        self.folder = folder
        self.modules = modules.map { (name: $0.key, knows: $0.value) }
        (self.testsAlsoKnow, self.pullsEverythingIn) = (testsAlsoKnow, pullsEverythingIn)
        (self.mayHaveC, self.systemIn) = (mayHaveC, systemIn)
    }

    /// Finds the entry of a package and substitutes the name of a plugin.
    init?(of package: Package) {
        if let plugin = package.plugin {
            let place = "Plugins/<Name>" + (package.bundle?.isLibrary == true ? " (lib)" : "")
            guard let layer = layers.first(where: { $0.folder == place }) else { return nil }
            func written(_ name: String) -> [String] {
                switch name {
                case "<Name><Extension>": package.extensions
                case "<Name><Part>": package.sharedParts
                default: [name.replacing("<Name>", with: plugin)]
                }
            }
            folder = package.folder
            modules = layer.modules.flatMap { module in
                written(module.name).map { (name: $0, knows: module.knows.flatMap(written)) }
            }
            testsAlsoKnow = layer.testsAlsoKnow
            pullsEverythingIn = layer.pullsEverythingIn
            mayHaveC = layer.mayHaveC || !package.extensions.isEmpty
            systemIn = layer.systemIn
        } else if let layer = layers.first(where: { $0.folder == package.folder }) {
            self = layer
        } else {
            return nil
        }
    }

    /// Returns the modules on which a target may depend in addition to the toolchain; `nil` if the entry has no such target.
    func knowledge(of target: Target) -> [String]? {
        if let module = modules.first(where: { $0.name == target.name }) { return module.knows }
        if target.isC && mayHaveC { return [] }
        return target.kind == .test ? knowledgeOfTests : nil
    }

    /// Returns whether a target may import the C library or a C target of its package.
    func mayKnowSystem(_ module: String, _ target: Target) -> Bool {
        guard let systemIn, !target.isC, target.kind != .test else { return true }
        guard let own = systemIn[target.name] else { return false }
        return cLibraries.contains(module) || own.contains(module)
    }

    private var knowledgeOfTests: [String] {
        var known: [String] = []
        for name in modules.flatMap({ [$0.name] + $0.knows }) + testsAlsoKnow where !known.contains(name) {
            known.append(name)
        }
        return known
    }

    /// The folders of the packages on which this package may depend.
    var packages: [String] {
        var folders: [String] = []
        for name in modules.flatMap(\.knows) + testsAlsoKnow {
            let folder = name == "<Any>Interface" ? "Plugins/<Any>" : Self.folder(ofModule: name)
            if let folder, folder != self.folder, !folders.contains(folder) { folders.append(folder) }
        }
        return folders
    }

    private static func folder(ofModule name: String) -> String? {
        layers.first { layer in layer.modules.contains { $0.name == name } }?.folder
    }
}
