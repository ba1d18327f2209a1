extension Rule {
    static let arrows = Rule("arrows only point down, as the table says") { house in
        house.packages.flatMap { package -> [Finding] in
            guard let room = Room(of: package) else {
                return [
                    Finding(
                        file: package.manifest.path, line: 1,
                        message: "package \(package.folder) has no place in the house; there are "
                            + rooms.map(\.folder).joined(separator: ", "))
                ]
            }
            return packageArrows(of: package, room, in: house) + unknownTargets(of: package, room)
        } + moduleArrows(in: house)
    }

    private static func packageArrows(of package: Package, _ room: Room, in house: House) -> [Finding] {
        package.dependencies.compactMap { dependency in
            // Another rule covers packages that are downloaded.
            guard case .folder(let folder) = dependency else { return nil }
            let isAllowed =
                if let other = house.package(at: folder) {
                    room.pullsEverythingIn || room.packages.contains(folder)
                        || (other.plugin != nil && room.packages.contains("Plugins/<Any>"))
                        || package.isLinked(with: other)
                } else {
                    false
                }
            guard !isAllowed else { return nil }
            let allowed =
                room.pullsEverythingIn
                ? "every package of the house" : room.packages.isEmpty ? "none" : room.packages.joined(separator: ", ")
            return Finding(
                file: package.manifest.path,
                line: package.manifest.line(ofPathTo: folder, from: package.folder),
                message: "package \(package.folder) depends on package \(folder); allowed: \(allowed)")
        }
    }

    private static func unknownTargets(of package: Package, _ room: Room) -> [Finding] {
        package.targets.filter { room.knowledge(of: $0) == nil }.map { target in
            Finding(
                file: package.manifest.path, line: package.manifest.line(ofTarget: target.name),
                message: "package \(package.folder) has a target \(target.name) that is not in the table; allowed: "
                    + room.modules.map(\.name).joined(separator: ", ") + ", tests"
                    + (room.mayHaveC ? ", C targets" : ""))
        }
    }

    private static func moduleArrows(in house: House) -> [Finding] {
        let plugins = house.plugins
        return house.arrows.compactMap { arrow in
            guard let room = Room(of: arrow.package), let knows = room.knowledge(of: arrow.target) else { return nil }
            let isTest = arrow.target.kind == .test
            let isKnown =
                knows.contains(arrow.module)
                || (knows.contains("<Any>Interface") && plugins.contains { arrow.module == $0 + "Interface" })
                || linkedLibrary(reachedBy: arrow, in: house) != nil
                || (room.mayHaveC && arrow.package.targets.contains { $0.isC && $0.module == arrow.module }
                    && room.mayKnowSystem(arrow.module, arrow.target))
            var supplied = isTest ? toolchain.union(toolchainForTests) : toolchain
            supplied = supplied.filter { !cLibraries.contains($0) || room.mayKnowSystem($0, arrow.target) }
            let isSupplied = arrow.kind == .imports && supplied.contains(arrow.module)
            if isKnown || isSupplied || isAnotherRules(arrow, in: house) { return nil }
            let allowed = knows + ["the toolchain's " + supplied.sorted().joined(separator: ", ")]
            return Finding(
                file: arrow.file, line: arrow.line,
                message: "\(arrow.sentence); allowed: \(allowed.joined(separator: ", "))")
        }
    }

    /// Returns whether the dependency is forbidden by a more specific rule with a better message.
    private static func isAnotherRules(_ arrow: Arrow, in house: House) -> Bool {
        if arrow.kind == .imports, arrow.module == "Foundation", arrow.package.isProduct, arrow.target.kind != .test {
            return true
        }
        return implementationReached(by: arrow, in: house) != nil
    }
}
