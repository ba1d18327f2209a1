public import BundleFormat
import HostSystem
public import PluginCore
import Signing

extension SealedFolder {
    /// Verifies the bundle like a package: its files, their sizes, contents and modes, the signature and its signer.
    ///
    /// Links are never followed.
    ///
    /// - Parameters:
    ///   - verification: the authority that decides whether the signer is trusted.
    ///   - digest: the SHA-256 of the seal at installation, which also reveals that the whole bundle was replaced by another.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when a file can't be read: that says nothing
    ///   about the bundle, because the file may be the sealed one.
    public func verdict(
        by verification: SignatureVerification, expecting digest: String? = nil
    ) throws(AtriumError) -> SealVerdict {
        var verdict = SealVerdict()
        let found: [SealedFiles.Found]
        do throws(AtriumError) {
            found = try contents()
        } catch {
            if error.isEnvironmental { throw error }
            verdict.findings.append(SealFinding(error))
            return verdict
        }
        // Read once, so that the manifest that is validated is the one that is compared with the seal.
        let manifestSource = try manifestSource()
        let manifest = manifest(in: manifestSource)
        verdict.manifest = (try? manifest.get()).map { ($0, (try? manifestSource.get()) ?? []) }
        verdict.identity = verdict.manifest?.manifest.identity
        do throws(AtriumError) {
            let source = try bytes(of: Seal.name, limit: Seal.sizeLimit)
            verdict.digest = try ContentDigest.of(source)
            if let digest, digest != verdict.digest {
                verdict.findings.append(SealFinding(.sealBroken, Seal.name, ErrorReason("otherSeal")))
            }
            let signatureSource = try bytes(of: Seal.signatureName, limit: SealedPackage.signatureLimit)
            let subject = verdict.identity?.description ?? folder.lastComponent
            let seal = try Seal(reading: source, of: subject)
            verdict.seal = seal
            do throws(AtriumError) {
                let signature = try MinisignSignature(reading: signatureSource, of: subject)
                verdict.keyID = signature.keyID
                try verification.validate(signature, of: source, seal, of: manifest.get(), in: subject)
            } catch {
                verdict.findings.append(SealFinding(error))
            }
            verdict.findings += BundleShape.findings(in: seal)
            let differences = SealedFiles(seal: seal).findings(in: found)
            let files = (differences + (try changes(from: seal, but: differences, manifestSource))).sorted()
            // A manifest that differs from the sealed one has been tampered with: don't report its errors as the author's.
            if files.contains(where: { $0.path == Self.manifestName }) {
                verdict.findings.removeAll { $0.code == .manifestInvalid }
            }
            verdict.findings += files
        } catch {
            if error.isEnvironmental { throw error }
            verdict.findings += SealFinding.all(in: error)
        }
        return verdict
    }
}
