extension ZipError: CustomStringConvertible {
    /// A line for logs with code, subject and detail. Names are quoted and escaped, because an archive may contain any.
    public var description: String {
        var line = code.rawValue
        if let entry {
            line += ": entry \(entry.debugDescription)"
        }
        if let path {
            line += ": \(path.debugDescription)"
        }
        if !detail.isEmpty {
            line += ": \(detail)"
        }
        if let errno {
            line += ": \(FileDescriptor.message(forError: errno)) (errno \(errno))"
        }
        return line
    }
}

extension ZipError {
    /// Returns the error with the entry in which it occurred.
    func inEntry(_ name: String) -> ZipError {
        ZipError(code, entry: entry ?? name, path: path, errno: errno, detail: detail)
    }

    /// Returns the error with the archive in which it occurred, unless it concerns another file.
    func inArchive(_ archive: FileDescriptor) -> ZipError {
        ZipError(code, entry: entry, path: path ?? archive.path, errno: errno, detail: detail)
    }
}
