extension ZipError: CustomStringConvertible {
    /// One line for a log: code, subject, finding. Names are quoted and escaped, since an archive chose them.
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
    /// The same error, with the entry it was met in.
    func inEntry(_ name: String) -> ZipError {
        ZipError(code, entry: entry ?? name, path: path, errno: errno, detail: detail)
    }

    /// The same error, with the archive it was met in, unless another file is to blame.
    func inArchive(_ archive: FileDescriptor) -> ZipError {
        ZipError(code, entry: entry, path: path ?? archive.path, errno: errno, detail: detail)
    }
}
