import BundleFormat
internal import PluginCore
internal import PluginRuntime
internal import Signing

extension PackageEditor {
    /// A Boolean value that indicates whether the package contains a seal.
    public var isSealed: Bool { fileNames.contains(Seal.name) }

    /// Stops updating seal and signature, so later changes of files make the seal invalid.
    ///
    /// ```swift
    /// package.keepSeal()
    /// try package.edit("Resources/Pages/help.json") { $0.append(UInt8(ascii: " ")) }
    /// ```
    public mutating func keepSeal() {
        keepsSeal = true
    }

    /// Seals and signs the current files. Later changes do not update the seal.
    ///
    /// - Parameters:
    ///   - identity: The signer.
    ///   - time: The signing time in seconds since 1970.
    /// - Throws: The reason why the files cannot be sealed.
    public mutating func sign(by identity: SigningIdentity, at time: Int64 = SigningIdentity.time) throws {
        let sealed = try files.filter { !$0.name.hasPrefix(Seal.folder + "/") }.map { file in
            Seal.File(
                path: file.name, size: UInt64(file.bytes.count),
                sha256: try SHA256Hasher.digest(of: file.bytes).hexadecimal, isExecutable: file.isExecutable)
        }
        let bundle =
            PackageFile.identity(named: name)
            ?? BundleIdentity(
                identifier: "com.example.unnamed", version: SemanticVersion(major: 0, minor: 0, patch: 0))
        let signed = try identity.sealer(at: time).sign(sealed, of: bundle)
        set(Seal.name, to: signed.seal)
        set(Seal.signatureName, to: signed.signature)
        keepsSeal = true
    }

    /// Removes seal and signature.
    public mutating func removeSeal() {
        files.removeAll { $0.name.hasPrefix(Seal.folder + "/") }
        keepsSeal = true
    }

    /// Updates the seal after changes, with its original signing time, unless updating was stopped.
    mutating func restoreSeal(by identity: SigningIdentity) throws {
        guard isSealed, !keepsSeal else { return }
        let seal = try Seal(reading: try bytes(of: Seal.name), of: name)
        try sign(by: identity, at: seal.signedAt)
    }
}
