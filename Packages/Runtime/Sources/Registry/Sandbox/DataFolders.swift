package import HostSystem
package import PluginCore

/// The data of one plugin: a folder for each of its data versions, and the file `used` with the number of the one that was used last.
///
///     Data/Plugins/<identifier>/0/{Documents,Library,tmp}
///     Data/Plugins/<identifier>/1/...
///     Data/Plugins/<identifier>/1.kept-1/...    newer data that was replaced by a copy of older data used since
///     Data/Plugins/<identifier>/used                     "1", or "0>1" while 1 is being made from 0
///
/// A folder with a number exists only whole. Every process that runs the plugin has locked the folder of all numbers shared, and only a process
/// that has locked it alone changes the number, so two data versions are never written at once. See
/// Documentation/Decisions/0274-data-goes-back-with-the-code.md.
package struct DataFolders: Sendable {
    /// The number in the file `used`, and the number that was being made from it.
    package struct Use: Equatable {
        package var last: Int
        package var next: Int?
    }

    /// The entries of a container that are not copied.
    private static let notCopied: Set = ["Library/Caches", "tmp"]
    private static let keptMark = ".kept-"

    /// The folder of all numbers.
    package let root: FilePath
    private let sandbox: Sandbox
    private var isWithoutWayBack: FilePath { root.appending("no-way-back") }

    package init(of identifier: BundleIdentifier, in sandbox: Sandbox) {
        root = sandbox.dataFolder(of: identifier)
        self.sandbox = sandbox
    }

    /// Returns the container of a data version.
    package func container(_ number: Int) -> BundleContainer { .init(root: root.appending("\(number)")) }

    /// Returns the number that was used last, or nil for a plugin without data. The file is missing as long as there is only one number.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    package func use() throws(AtriumError) -> Use? {
        guard case .file(let bytes, _) = try FileSystem.contents(of: root.appending("used"), limit: 64) else {
            let numbers = try numbers()
            return numbers.count == 1 ? Use(last: numbers[0]) : nil
        }
        let numbers = String(decoding: bytes, as: UTF8.self).split(separator: ">").map { Int($0) }
        guard let last = numbers.first ?? nil else { return nil }
        return Use(last: last, next: numbers.count > 1 ? numbers[1] : nil)
    }

    /// Returns whether a data version can be used without any change, which the caller keeps so by a lock.
    func isReady(_ number: Int) throws(AtriumError) -> Bool {
        guard try use() == Use(last: number) else { return false }
        return try FileSystem.isFolder(container(number).root)
    }

    /// Locks the data exclusively, unless any process uses it. Never waits.
    package func lock() throws(AtriumError) -> FolderLock.Attempt { try FolderLock.attempt(root, .exclusive) }

    /// Returns the numbers that have a folder, sorted.
    package func numbers() throws(AtriumError) -> [Int] {
        try names().compactMap { Int($0) }.filter { $0 >= 0 }.sorted()
    }

    /// Returns the folders of newer data that was replaced.
    package func keptFolders() throws(AtriumError) -> [FilePath] {
        try names().filter { $0.contains(Self.keptMark) }.map { root.appending($0) }
    }

    private func names() throws(AtriumError) -> [String] {
        try FileSystem.isFolder(root) ? FileSystem.names(in: root) : []
    }

    /// Makes a data version the one that is used, under an exclusive lock of ``root``.
    ///
    /// - Parameters:
    ///   - limit: The number of bytes that may be copied; nil if the data is taken over without a copy, so that there is no way back.
    /// - Returns: The number that was used before if its data stays, because there is none of this or a lower number; and the folder of newer
    ///   data that was set aside.
    /// - Throws: ``AtriumError`` with code `storageFull` if the data is larger than the limit or the free space; the errors of the disk.
    package func prepare(_ number: Int, limit: UInt64?) throws(AtriumError) -> (left: Int?, aside: FilePath?) {
        var use = try use()
        if let interrupted = use, let next = interrupted.next { use = try finish(interrupted.last, next) }
        let numbers = try numbers()
        var aside: FilePath?
        if numbers.contains(number) {
            guard let last = use?.last, last < number, numbers.contains(last) else {
                if use?.last != number { try record("\(number)") }
                return (nil, nil)
            }
            // An older number was used in between, so its data is the newest.
            if let limit { try requireCopy(of: last, limit: limit) }
            aside = try setAside(number)
        }
        let last = use?.last
        let source = last.flatMap { $0 < number ? $0 : nil } ?? numbers.last { $0 < number }
        guard let source, numbers.contains(source) else {
            try make(number, from: nil)
            try record("\(number)")
            return (last, aside)
        }
        if let limit { try requireCopy(of: source, limit: limit) }
        try record("\(source)>\(number)")
        if limit != nil {
            do {
                try make(number, from: source)
            } catch {
                // If the copy has its name already, the record tells that it has never been used.
                if (try? FileSystem.isFolder(container(number).root)) == false { try? record("\(source)") }
                throw error
            }
        } else {
            try FileSystem.rename(container(source).root, to: container(number).root)
            try FileSystem.sync(root)
        }
        try record("\(number)")
        return (nil, aside)
    }

    /// Renames the folder of newer data, which only `gc --data` removes then.
    private func setAside(_ number: Int) throws(AtriumError) -> FilePath {
        var serial = 1
        while try FileSystem.item(at: root.appending("\(number)\(Self.keptMark)\(serial)")) != nil { serial += 1 }
        let kept = root.appending("\(number)\(Self.keptMark)\(serial)")
        try FileSystem.rename(container(number).root, to: kept)
        try FileSystem.sync(root)
        return kept
    }

    /// Makes the data of a number the one that was used last, if it is there.
    package func settle(on number: Int) throws(AtriumError) {
        guard let use = try use(), use.next == nil, use.last != number,
            try FileSystem.isFolder(container(number).root)
        else { return }
        try record("\(number)")
    }

    /// Checks that a data version can be copied.
    ///
    /// - Throws: ``AtriumError`` with code `storageFull`, and the errors of the disk.
    package func requireCopy(of number: Int, limit: UInt64) throws(AtriumError) {
        guard let source = try OpenFolder.open(container(number).root) else { return }
        let size = try source.occupied(leavingOut: Self.notCopied)
        guard size > 0, !FileSystem.canShareBlocks(in: source.path) else { return }
        let space = FileSystem.space(at: sandbox.staging.parent) ?? .max
        guard size > limit || size > space else { return }
        throw AtriumError(
            .storageFull, root, reason: size > limit ? "dataTooLarge" : "dataWithoutSpace",
            [
                "size": .integer(Int(clamping: size >> 10)),
                "limit": .integer(Int(clamping: min(size > limit ? limit : space, UInt64(Int64.max)) >> 10)),
            ])
    }

    /// Removes the folders of all numbers but some, and on demand those that were set aside, under an exclusive lock of ``root``.
    ///
    /// - Returns: The removed folders and their size in bytes.
    package func remove(
        except kept: Set<Int>, withKeptFolders: Bool
    ) throws(AtriumError) -> (removed: [FilePath], freed: Int64) {
        // Without the record, any of them may be the one that was used last.
        guard let use = try use(), use.next == nil else { return ([], 0) }
        for number in try numbers() where number > use.last && !kept.contains(number) { _ = try setAside(number) }
        let unused = try numbers().filter { $0 != use.last && !kept.contains($0) }.map { container($0).root }
        let removed = try unused + (withKeptFolders ? keptFolders() : [])
        var freed: Int64 = 0
        for folder in removed { freed += try sandbox.discard(folder) }
        return (removed, freed)
    }

    /// The folders to create for a plugin that has no data, outermost first, when a version is installed.
    package func first(_ number: Int) throws(AtriumError) -> [FilePath] {
        let container = container(number)
        guard try numbers().allSatisfy({ $0 == number }), try use().map({ $0 == Use(last: number) }) ?? true
        else { return [] }
        return [container.documents, container.caches, container.temporary]
    }

    /// Notes that a version may take the data over without a copy, when it is loaded for the first time.
    package func permitNoWayBack(_ digest: String) throws(AtriumError) {
        try FileSystem.makeFolders(root)
        try FileSystem.replace(isWithoutWayBack, with: Array(digest.utf8))
    }

    /// Returns whether a version may take the data over without a copy.
    package func permitsNoWayBack(_ digest: String) -> Bool {
        (try? FileSystem.bytes(of: isWithoutWayBack, limit: 128)) == Array(digest.utf8)
    }

    /// Returns whether a version finds its data: it is there, or there is no newer one.
    package func isWayBack(_ number: Int) throws(AtriumError) -> Bool {
        guard let use = try use(), number < (use.next ?? use.last) else { return true }
        return try FileSystem.isFolder(container(number).root)
    }

    /// Removes the folders that contain no files, and ``root`` with the last of them.
    package func removeIfEmpty() throws(AtriumError) {
        for number in try numbers() { try FileSystem.removeFolders(container(number).root) }
        if try numbers().isEmpty { try FileSystem.remove(root) }
    }

    /// Completes or reverts the change of an interrupted process, and returns the resulting use.
    private func finish(_ last: Int, _ next: Int) throws(AtriumError) -> Use {
        let (old, new) = (container(last).root, container(next).root)
        let isMoved = try FileSystem.item(at: old) == nil
        // A copy has not been used yet, so it can be made again.
        if !isMoved, try FileSystem.isFolder(new) { _ = try sandbox.discard(new) }
        let use = Use(last: isMoved ? next : last)
        try record("\(use.last)")
        return use
    }

    /// Creates the folder of a number, with a copy of another one or empty: whole before it has its name.
    private func make(_ number: Int, from source: Int?) throws(AtriumError) {
        let (folder, lock) = try lockedFolder()
        defer { lock.release() }
        do throws(AtriumError) {
            if let source {
                guard let old = try OpenFolder.open(container(source).root), let new = try OpenFolder.open(folder)
                else { throw AtriumError(.inputOutput, folder, reason: "folderGoneNow") }
                try old.copyContents(to: new, leavingOut: Self.notCopied)
            }
            let made = BundleContainer(root: folder)
            var folders: [FilePath] = []
            for inner in [made.documents, made.caches, made.temporary] { folders += try FileSystem.makeFolders(inner) }
            try FileSystem.sync(made: folders)
            try FileSystem.rename(folder, to: container(number).root)
        } catch {
            try? FileSystem.remove(folder)
            throw error
        }
        try FileSystem.sync(root)
    }

    /// Creates a folder for a copy, and locks it, so that a host that starts meanwhile does not take it for a leftover.
    private func lockedFolder() throws(AtriumError) -> (FilePath, FolderLock) {
        for _ in 0..<100 {
            let folder = sandbox.staging.appending("data-\(processSerial())")
            try FileSystem.makeFolders(folder, isPrivate: true)
            // A host may have removed the folder before it was locked.
            if case .taken(let lock) = try FolderLock.attempt(folder, .exclusive) { return (folder, lock) }
        }
        throw AtriumError(.sandboxBusy, root, reason: "otherHostUsesIt")
    }

    private func record(_ text: String) throws(AtriumError) {
        guard let folder = try OpenFolder.open(root) else { return }
        try folder.replace(EntryName("used"), with: Array(text.utf8))
    }
}
