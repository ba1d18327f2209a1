import PluginCore

/// The advice of findings about a library.
enum Remedy {
    static let build = ErrorReason("buildAndPack")
    static let reload = ErrorReason("packLibraryAgain")
    static let rebuildPlugin = ErrorReason("rebuildPlugin", ["core": .text(CoreVersion.release)])
    static let rebuildHost = ErrorReason("rebuildHost")
    static let exportEntry = ErrorReason("exportEntry", ["symbol": .text(PluginEntry.symbol)])
    static let oneCopy = ErrorReason("linkDynamically")
    static let noSoname = ErrorReason("linkWithoutSoname")

    static func soname(_ name: String) -> ErrorReason { ErrorReason("linkWithSoname", ["library": .text(name)]) }

    static func build(for machine: ELFMachine) -> ErrorReason { ErrorReason("buildFor", ["machine": "\(machine)"]) }
}
