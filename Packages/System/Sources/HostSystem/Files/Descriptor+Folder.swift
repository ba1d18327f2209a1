import Glibc

// The items in an open folder.
extension Descriptor {
    /// Opens a file of the folder. Opening a symbolic link fails.
    package func openFile(_ name: String) throws(Failure) -> Descriptor {
        try open(name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    }

    /// Opens a file of the folder, which may be behind a link, or returns nil if there is no such file.
    package func file(_ name: String) throws(Failure) -> Descriptor? {
        try attempt(name, except: FileSystem.absence) { openat($0, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
            .map { Descriptor($0, at: place(name)) }
    }

    /// Opens a subfolder. Opening a symbolic link fails.
    package func openFolder(_ name: String) throws(Failure) -> Descriptor {
        try open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    }

    /// Creates a file. It fails with EEXIST if the name exists, even as a dangling link.
    package func createFile(_ name: String, isPrivate: Bool = true) throws(Failure) -> Descriptor {
        try open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, isPrivate ? 0o600 : 0o644)
    }

    /// Opens a file for reading and writing at its end. A missing one is created.
    func openToAppend(_ name: String) throws(Failure) -> Descriptor {
        try open(name, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o644)
    }

    private func open(_ name: String, _ flags: Int32, _ mode: mode_t = 0) throws(Failure) -> Descriptor {
        Descriptor(try call(name) { openat($0, name, flags | O_CLOEXEC, mode) }, at: place(name))
    }

    /// Returns the content of a file, or nil if there is no such file.
    ///
    /// - Throws: the error of EFBIG for more than `limit` bytes.
    package func read(_ name: String, atMost limit: Int) throws(Failure) -> [UInt8]? {
        try file(name)?.content(atMost: limit)
    }

    /// Atomically creates or replaces a file: after any interruption, either the old or the new content is on the disk in full.
    package func replace(_ name: String, with bytes: [UInt8], isPrivate: Bool = false) throws(Failure) {
        let file = try NewFile(in: self, isPrivate: isPrivate)
        try file.append(bytes)
        try file.commit(as: name)
    }

    /// Creates a folder for this user alone.
    package func makeFolder(_ name: String) throws(Failure) { try call(name) { mkdirat($0, name, 0o700) } }

    /// Removes a file. Returns whether there was one.
    @discardableResult
    package func remove(_ name: String) throws(Failure) -> Bool {
        try attempt(name, except: FileSystem.absence) { unlinkat($0, name, 0) } != nil
    }

    /// Removes an empty folder.
    package func removeFolder(_ name: String) throws(Failure) { try call(name) { unlinkat($0, name, AT_REMOVEDIR) } }

    /// Renames a file and atomically replaces an existing one.
    package func rename(_ name: String, to newName: String) throws(Failure) {
        try call(newName) { renameat($0, name, $0, newName) }
    }

    /// Links an open file into this folder. Returns false if that is not possible.
    ///
    /// The reasons are another file system, too many links, or a missing `/proc`.
    package func link(_ file: Int32, as name: String) -> Bool {
        (try? call { linkat(AT_FDCWD, "/proc/self/fd/\(file)", $0, name, AT_SYMLINK_FOLLOW) }) != nil
    }

    /// Returns the text of a symbolic link, or nil for anything else.
    package func target(ofLink name: String) throws(Failure) -> String? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try attempt(name, except: [EINVAL, ENOENT]) { readlinkat($0, name, &text, text.count) }
        return count.map { String(decoding: text.prefix($0).map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    }

    /// Returns the kind of an item without following a symbolic link, or nil if it does not exist.
    package func item(_ name: String) throws(Failure) -> FileSystem.Item? {
        try status(of: name).map(FileSystem.Item.init)
    }

    func status(of name: String) throws(Failure) -> stat? {
        var status = stat()
        let found = try attempt(name, except: FileSystem.absence) { fstatat($0, name, &status, AT_SYMLINK_NOFOLLOW) }
        return found.map { _ in status }
    }

    /// The names in the folder, sorted.
    package func names() throws(Failure) -> [EntryName] {
        // Another descriptor, because the stream takes ownership of it and changes the offset.
        let own = try call { openat($0, ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY) }
        guard let stream = fdopendir(own) else {
            let number = errno
            close(own)
            throw Failure(errno: number, path: path)
        }
        defer { closedir(stream) }
        guard let names = EntryName.all(in: stream) else { throw Failure(errno: errno, path: path) }
        return names
    }

    /// The names of the files that have not changed for some seconds.
    package func names(olderThan age: Int) throws(Failure) -> [String] {
        let limit = Clock.now().subtractingReportingOverflow(Int64(age)).partialValue
        return try names().compactMap(\.text).filter { name in
            (try? status(of: name)).flatMap(\.self).map { Int64($0.st_mtim.tv_sec) < limit } ?? false
        }
    }

    /// Removes the temporary files of processes that were killed while they wrote.
    ///
    /// - Parameter age: The age in seconds from which a temporary file is no longer in use.
    package func removeLeftovers(olderThan age: Int) throws(Failure) {
        for name in try names(olderThan: age) where NewFile<Failure>.isTemporary(name) { try remove(name) }
    }

    /// Locks the folder until the result is released, or returns nil if another user of this call holds the lock.
    ///
    /// The folder itself is locked, so no file is created.
    package func lock() throws(Failure) -> Lock? {
        let own = try open(".", O_RDONLY | O_DIRECTORY)
        return try own.tryLock() ? Lock(of: own) : nil
    }
}
