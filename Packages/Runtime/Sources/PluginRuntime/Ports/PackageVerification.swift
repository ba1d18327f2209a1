public import BundleFormat
public import PluginCore
public import Registry

/// The verification of packages and installed versions: which signatures are valid, and which signers are trusted.
public protocol PackageVerification: Sendable {
    /// The codes of errors that say that a signer is not trusted, which another signature of the same content may repair.
    var distrustCodes: Set<AtriumError.Code> { get }

    /// Returns whether any signer is trusted.
    func trustsAnyone() throws(AtriumError) -> Bool

    /// Returns the check of the signatures that are read for a purpose.
    func signatures(for purpose: VerificationPurpose) throws(AtriumError) -> SignatureVerification

    /// Checks, before each use of an installed version, that its seal is the installed one, and that a trusted signer has signed it.
    ///
    /// - Parameter records: the results of earlier checks, so that unchanged files need not be read again.
    func requireSigned(_ bundle: PluginBundle, in sandbox: Sandbox, _ records: LoadRecords) throws(AtriumError)

    /// Stores the results of checks of versions that were used.
    func saveRecords(in records: LoadRecords)
}

/// A verification that trusts every signer, for development only: whoever can write to a catalog decides which code runs.
///
/// Seals are still compared with all files.
public struct DevelopmentOnlyVerification: PackageVerification {
    /// No codes.
    public var distrustCodes: Set<AtriumError.Code> { [] }

    /// Creates the verification.
    public init() {}

    /// Returns `true`.
    public func trustsAnyone() -> Bool { true }

    /// Returns a check that accepts every signature.
    public func signatures(for purpose: VerificationPurpose) -> SignatureVerification {
        SignatureVerification { _, _, _, _, _ in }
    }

    /// Checks that the seal is the installed one.
    public func requireSigned(
        _ bundle: PluginBundle, in sandbox: Sandbox, _ records: LoadRecords
    ) throws(AtriumError) {
        _ = try InstalledSeal(of: bundle, in: sandbox).read().bytes
    }

    /// Does nothing.
    public func saveRecords(in records: LoadRecords) {}
}
