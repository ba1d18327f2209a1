public import HostSystem
public import TUFMetadata

// The targets of a role, and the choice of the role.
extension RepositoryEditor {
    /// Returns the next content of a targets role.
    ///
    /// - Throws: ``TUFError`` with code `roleUnknown`.
    public func targets(of role: String) throws(TUFError) -> Targets {
        if let content = edited[role] ?? imported[role]?.content { return content }
        guard let content = try published?.targets(of: role)?.content else {
            throw TUFError(.roleUnknown, role)
        }
        return content
    }

    mutating func edit(_ role: String, _ body: (inout Targets) -> Void) throws(TUFError) {
        var content = try targets(of: role)
        // With one reference to it, the content is changed in place.
        (edited[role], imported[role]) = (nil, nil)
        body(&content)
        edited[role] = content
    }

    /// Adds a target, or replaces it.
    ///
    /// - Parameters:
    ///   - path: The path in metadata.
    ///   - bytes: The content.
    ///   - custom: The data of the application.
    ///   - role: The role that describes the target, or nil for the first one to which the path is delegated.
    @discardableResult
    public mutating func addTarget(
        _ path: String, bytes: [UInt8], custom: JSONObject? = nil, role: String? = nil
    ) throws(TUFError) -> TargetFile {
        try add(path, .bytes(bytes), custom, role)
    }

    /// Adds the content of a local file as a target, or replaces it. The file is copied when the repository is published.
    @discardableResult
    public mutating func addTarget(
        _ path: String, file: String, custom: JSONObject? = nil, role: String? = nil
    ) throws(TUFError) -> TargetFile {
        try add(path, .file(file), custom, role)
    }

    private mutating func add(
        _ path: String, _ content: TargetContent, _ custom: JSONObject?, _ role: String?
    ) throws(TUFError) -> TargetFile {
        _ = try RepositoryLayout.target(path, hash: nil)
        let file = try content.description(hashAlgorithms, custom: custom)
        try edit(chosen(role, for: path)) { $0[path] = file }
        newTargets.append((path, file, content))
        return file
    }

    /// Describes a target whose content is in the repository already, such as one that another role described.
    public mutating func addTarget(_ path: String, published file: TargetFile, role: String) throws(TUFError) {
        _ = try RepositoryLayout.target(path, hash: nil)
        try edit(role) { $0[path] = file }
    }

    /// Adds the content of a target that metadata describes that was signed elsewhere.
    ///
    /// - Throws: ``TUFError`` with code `targetUnknown`. A file with other content is refused when the repository is published.
    public mutating func addContent(ofTarget path: String, file: String, role: String) throws(TUFError) {
        guard let target = try targets(of: role)[path] else { throw TUFError(.targetUnknown, path) }
        _ = try RepositoryLayout.target(path, hash: nil)
        newTargets.append((path, target, .file(file)))
    }

    /// Returns the path at which the content of a target should be: the file that was added, or the published one.
    ///
    /// A copy of the repository may have metadata alone.
    ///
    /// - Throws: ``TUFError`` with code `targetUnknown`.
    public func file(ofTarget path: String, role: String) throws(TUFError) -> String {
        guard let target = try targets(of: role)[path] else { throw TUFError(.targetUnknown, path) }
        if let new = newTargets.last(where: { $0.path == path && $0.file == target }),
            case .file(let file) = new.content
        {
            return file
        }
        return "\(folder.path)/targets/"
            + (try RepositoryLayout.target(path, hash: target.hashes.forFileName, isEncoded: false))
    }

    /// Removes a target. Its file stays for clients that still use an older state.
    public mutating func removeTarget(_ path: String, role: String? = nil) throws(TUFError) {
        let role = try chosen(role, for: path)
        guard try targets(of: role)[path] != nil else { throw TUFError(.targetUnknown, path) }
        try edit(role) { $0[path] = nil }
    }

    /// Returns the role that describes a new target: the first one to which the path is delegated, and so on.
    public func role(for path: String) throws(TUFError) -> String {
        var role = "targets"
        var visited: Set<String> = []
        while visited.insert(role).inserted {
            guard let next = try targets(of: role).delegations?.roles(covering: path).first else { break }
            role = next.name
        }
        return role
    }

    private func chosen(_ role: String?, for path: String) throws(TUFError) -> String {
        if let role { return role }
        return try self.role(for: path)
    }
}
