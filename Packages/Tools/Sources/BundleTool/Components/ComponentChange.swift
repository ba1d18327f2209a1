import CatalogPublisher
import Console
import PluginCore

/// A change of an author's components: their folder, the lock file, Package.swift and the manifest, all of them or none.
struct ComponentChange {
    let project: PluginProject
    /// The lock file after the change.
    var lock: ComponentLock
    /// The archives that are extracted, in place of earlier ones.
    var additions: [InterfaceArchive] = []
    /// The modules that are removed.
    var removed: [String] = []
    /// The plugins that are no longer required.
    var released: [BundleIdentifier] = []
    /// Further files of the folder by their names: roots, and trusted teams.
    var files: [String: [UInt8]] = [:]

    /// Makes the change.
    ///
    /// - Returns: The lines that the author has to add to Package.swift; none if they are there.
    /// - Throws: ``CommandError`` with `nameTaken` or `manifestInvalid`, or `AtriumError`. Then nothing has changed.
    func commit() throws -> [String] {
        let package = try text(of: project.package)
        let manifest = try text(of: project.manifest)
        try requireFreeNames(in: package)
        let newManifest = try changed(manifest)
        let modules = lock.components.map(\.module)
        let libraries = lock.components.filter(\.isLibrary).map { ($0.module, $0.sourceVariable) }
        let sources = Dictionary(uniqueKeysWithValues: libraries)
        let newPackage = PackageBlock.applied(modules, sources, to: package)
        // An author may have added the lines by hand.
        let isDone = modules.allSatisfy { package.contains("Components/\($0)\"") }
        let stage = project.folder.appending(Files.passingName)
        defer { Files.removeTree(stage) }
        try prepare(stage)
        try exchange(stage) {
            do {
                if let newPackage, newPackage != package { try Files.replace(project.package, with: newPackage) }
                if newManifest != manifest { try Files.replace(project.manifest, with: newManifest) }
            } catch {
                try? Files.replace(project.package, with: package)
                try? Files.replace(project.manifest, with: manifest)
                throw error
            }
        }
        return newPackage == nil && !isDone ? PackageBlock.lines(for: modules, sources) : []
    }

    private func text(of path: FilePath) throws -> String {
        let bytes = try Files.bytes(of: path, limit: 1 << 20)
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        throw AtriumError(.inputOutput, path, reason: "notUTF8")
    }

    /// Checks that the new modules have names of their own.
    private func requireFreeNames(in package: String) throws {
        let before = try project.componentLock().components.map(\.module)
        for archive in additions {
            let (module, identifier) = (archive.module, archive.identity.identifier)
            let folder = project.components.appending(module)
            let owner: String
            if PackageBlock.isTaken(module, in: package) {
                owner = "a target of Package.swift"
            } else if lock.components.contains(where: { $0.module == module && $0.identifier != identifier }) {
                owner = "the Interface of another plugin"
            } else if !before.contains(module), Files.kind(of: folder, followingLinks: false) != nil {
                owner = "the folder \"\(folder)\""
            } else {
                continue
            }
            throw CommandError(.badInput, module, reason: "nameTaken", ["owner": "\(owner)"])
        }
    }

    private func changed(_ manifest: String) throws -> String {
        var text: String? = manifest
        for identifier in released { text = text.flatMap { ManifestRequirement.remove(identifier, from: $0) } }
        for component in lock.components {
            text = text.flatMap {
                ManifestRequirement.set(
                    component.identifier, component.range, isOnDemand: !component.isLibrary, in: $0)
            }
        }
        if let text { return text }
        throw CommandError(.badInput, project.manifest, code: "manifestInvalid", reason: "manifestUnchangeable")
    }

    /// Makes the new folder of components beside the old one.
    private func prepare(_ stage: FilePath) throws {
        try Files.makeFolder(stage)
        guard !lock.components.isEmpty else { return }
        let replaced = Set(additions.map(\.module) + removed)
        for name in project.components.isFolder ? try Files.names(in: project.components) : []
        where !replaced.contains(name) {
            try Files.copy(project.components.appending(name), to: stage.appending(name))
        }
        for archive in additions {
            let folder = stage.appending(archive.module)
            try archive.extract(to: folder)
            // It is not taken from the archive.
            let kind = archive.isLibrary ? "linked" : "component"
            let package = try PluginTemplate.text(kind, ["NAME": archive.module])
            try Files.replace(folder.appending("Package.swift"), with: package)
            if archive.isLibrary {
                // SwiftPM hands on what is linked only from a target with sources.
                try Files.makeFolder(folder.appending("Sources/\(archive.module)Library"))
                try Files.replace(folder.appending("Sources/\(archive.module)Library/Empty.swift"), with: "")
            }
        }
        // The lock file makes the sources again, so only the files beside them belong into version control.
        try Files.replace(stage.appending(".gitignore"), with: "*/\n")
        for (name, bytes) in files {
            try Files.replace(stage.appending(name), with: String(decoding: bytes, as: UTF8.self))
        }
        try Files.replace(stage.appending(ComponentLock.fileName), with: lock.text)
    }

    /// Puts the new folder in the place of the old one, and back if the rest of the change fails.
    private func exchange(_ stage: FilePath, _ rest: () throws -> Void) throws {
        let old = project.folder.appending(Files.passingName)
        let hasOld = Files.kind(of: project.components, followingLinks: false) != nil
        if hasOld { try Files.move(project.components, to: old) }
        do {
            if !lock.components.isEmpty { try Files.move(stage, to: project.components) }
            try rest()
        } catch {
            Files.removeTree(project.components)
            if hasOld { try? Files.move(old, to: project.components) }
            throw error
        }
        Files.removeTree(old)
    }
}
