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
    ///   - platform: the platform whose libraries must be there; `nil` if those of any one are enough.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when a file can't be read: that says nothing
    ///   about the bundle, because the file may be the sealed one.
    public func report(
        by verification: SignatureVerification, expecting digest: String? = nil, for platform: String? = nil
    ) throws(AtriumError) -> SealReport {
        var report = SealReport()
        let found: [SealedFiles.Found]
        do throws(AtriumError) {
            found = try contents()
        } catch {
            if error.isEnvironmental { throw error }
            report.findings.append(SealFinding(error))
            return report
        }
        // Read once, so that the manifest that is validated is the one that is compared with the seal.
        let manifestSource = try manifestSource()
        let manifest = manifest(in: manifestSource)
        report.manifest = (try? manifest.get()).map { ($0, (try? manifestSource.get()) ?? []) }
        report.identity = report.manifest?.manifest.identity
        do throws(AtriumError) {
            let source = try bytes(of: Seal.name, limit: Seal.sizeLimit)
            report.digest = try ContentDigest.of(source)
            if let digest, digest != report.digest {
                report.findings.append(SealFinding(.sealBroken, Seal.name, ErrorReason("otherSeal")))
            }
            let signatureSource = try bytes(of: Seal.signatureName, limit: SealedPackage.signatureLimit)
            let subject = report.identity?.description ?? folder.lastComponent
            let seal = try Seal(reading: source, of: subject)
            report.seal = seal
            do throws(AtriumError) {
                let signature = try MinisignSignature(reading: signatureSource, of: subject)
                report.keyID = signature.keyID
                try verification.validate(signature, source, seal, manifest.get(), subject)
            } catch {
                report.findings.append(SealFinding(error))
            }
            report.findings += BundleShape.findings(in: seal)
            let present = seal.present(in: found.lazy.compactMap(\.file), requiring: platform)
            let differences = SealedFiles(seal: present).findings(in: found)
            let files = (differences + (try changes(from: present, but: differences, manifestSource))).sorted()
            // A manifest that differs from the sealed one has been tampered with: don't report its errors as the author's.
            if files.contains(where: { $0.path == Self.manifestName }) {
                report.findings.removeAll { $0.code == .manifestInvalid }
            }
            report.findings += files
        } catch {
            if error.isEnvironmental { throw error }
            report.findings += SealFinding.all(in: error)
        }
        return report
    }
}
