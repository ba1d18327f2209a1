package import PluginCore

/// The declarations of the active versions: routes, targets with their actions, services, extensions, requirements.
extension Registry {
    /// Checks that no other bundle has a route, target, service, extension or extension point of a manifest.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, `targetConflict`, `serviceConflict` or `extensionConflict`.
    package func requireFree(_ manifest: Manifest) throws(AtriumError) {
        let identifier = manifest.identity.identifier
        _ = try connection.read { tables in
            for route in manifest.routes { try tables.routes.requireFree(route, for: identifier, orOf: identifier) }
            for target in manifest.targets {
                try tables.targets.requireFree(target.name, for: identifier, orOf: identifier)
            }
            for service in manifest.services {
                try tables.services.requireFree(service, for: identifier, orOf: identifier)
            }
            for declaration in manifest.extensions {
                try tables.extensions.requireFree(declaration, for: identifier, orOf: identifier)
            }
            for point in manifest.extensionPoints {
                try tables.extensionPoints.requireFree(point, for: identifier, orOf: identifier)
            }
        }
    }
}

extension RegistryConnection {
    /// Adds the declarations of a manifest.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, `targetConflict`, `serviceConflict` or `extensionConflict`.
    func addDeclarations(_ manifest: Manifest) throws(AtriumError) {
        let identifier = manifest.identity.identifier
        for route in manifest.routes { try routes.add(route, of: identifier) }
        for target in manifest.targets { try targets.add(target, of: identifier) }
        for service in manifest.services { try services.add(service, of: identifier) }
        try extensions.add(manifest.extensions, of: identifier)
        for point in manifest.extensionPoints { try extensionPoints.add(point, of: identifier) }
        for requirement in manifest.requirements { try requirements.add(requirement, of: identifier) }
    }

    /// Removes the declarations of a bundle.
    func removeDeclarations(of identifier: BundleIdentifier) throws(AtriumError) {
        try routes.removeAll(of: identifier)
        try targets.removeAll(of: identifier)
        try services.removeAll(of: identifier)
        try extensions.removeAll(of: identifier)
        try extensionPoints.removeAll(of: identifier)
        try requirements.removeAll(of: identifier)
    }
}

extension AtriumError {
    package static func taken(
        _ code: Code, _ name: String, of identifier: BundleIdentifier, by holder: some CustomStringConvertible
    ) -> AtriumError {
        AtriumError(
            code, name, reason: "bothProvide", ["owner": .text(identifier.text), "other": .text(holder.description)])
    }
}
