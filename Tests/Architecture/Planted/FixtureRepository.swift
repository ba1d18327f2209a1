import Foundation

/// A small repository with the structure of this one, on which the rules are tested.
struct FixtureRepository {
    /// The contents of the files by their paths from the root.
    private(set) var files: [String: String]

    /// The repository without violations.
    static let faultless = FixtureRepository(files: packages.merging(sources) { $1 })

    mutating func apply(_ edit: Edit) throws {
        switch edit {
        case .write(let path, let text): files[path] = text
        case .append(let path, let text): files[path] = try self.text(of: path) + text
        case .remove(let path):
            _ = try self.text(of: path)
            files[path] = nil
        case .replace(let path, let old, let new):
            let text = try self.text(of: path)
            guard let range = text.firstRange(of: old) else {
                throw Repository.Unreadable(description: "\(path) of the fixture repository does not say \(old)")
            }
            files[path] = text.replacingCharacters(in: range, with: new)
        }
    }

    private func text(of path: String) throws -> String {
        guard let text = files[path] else {
            throw Repository.Unreadable(description: "the fixture repository has no \(path)")
        }
        return text
    }

    /// Writes the files to a folder.
    func write(into folder: TestFolder) throws { for (path, text) in files { try folder.write(text, to: path) } }

    /// Writes the files to a temporary folder and reads them in the same way as the real repository.
    func read() async throws -> Repository {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        try write(into: folder)
        return try await Repository(at: folder.path)
    }
}

/// A change to the small repository.
enum Edit: Sendable {
    case write(String, String)
    case append(String, String)
    case remove(String)
    case replace(String, String, with: String)

    /// Adds an entry to a list of a package's manifest, as the first one.
    static func add(_ entry: String, to list: String, of package: String) -> Edit {
        let head = "    \(list): [\n"
        return .replace("\(package)/Package.swift", head, with: "\(head)        \(entry),\n")
    }

    /// Where it plants a violation: the first line that it appends, or writes; a manifest and a file that it changes have no line.
    var place: String {
        switch self {
        case .append(let path, let text):
            let file = FixtureRepository.faultless.files[path] ?? ""
            return "\(path):\(file.count { $0 == "\n" } + text.prefix { $0 == "\n" }.count + 1)"
        case .replace(let path, _, _): return path
        case .write(let path, _), .remove(let path): return path.hasSuffix("Package.swift") ? path : "\(path):1"
        }
    }
}
