public import Console
internal import PluginCore

extension PackageInspection {
    /// All that is known, for scripts. A list is there even when it is empty; `entry` and `coreABI` are null for a bundle
    /// without code, `layout` for a page made by code.
    public var json: JSONText {
        [
            "path": .string(path.string),
            "catalogName": .string(catalogName),
            "size": .integer(size),
            "sha256": .string(digest),
            "identifier": .string(manifest.identity.identifier),
            "version": .string(manifest.identity.version.description),
            "name": .string(manifest.name),
            "summary": .string(manifest.summary),
            "kind": .string(manifest.kind.rawValue),
            "entry": .string(orNull: manifest.entry),
            "coreABI": manifest.entry == nil ? .null : .integer(Int(manifest.coreABI)),
            "requires": .array(
                manifest.requirements.map {
                    ["bundle": .string($0.identifier), "versions": .string($0.versions.description)]
                }),
            "appGroups": .strings(manifest.appGroups),
            "languages": .strings(languages),
            "routes": .array(manifest.routes.map(\.json)),
            "targets": .array(manifest.targets.map(\.json)),
            "services": .strings(manifest.services),
            "files": .array(
                files.map { ["name": .string($0.name), "size": .integer(Int(clamping: $0.size))] }),
        ]
    }
}
