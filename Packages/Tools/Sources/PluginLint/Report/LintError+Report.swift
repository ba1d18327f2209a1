package import Console
import PluginCore

extension LintError: ReportableError {
    package var report: FailureReport {
        switch self {
        case .fileInvalid(let path, let problems):
            FailureReport(
                code: "lintFileInvalid", subject: path.string, message: "\"\(path)\" is not valid",
                remedy: "write an object such as {\"allow\": {\"icon-missing\": \"the reason\"}}", details: problems)
        case .noCatalog(let folder):
            FailureReport(
                code: "catalogUnknown", subject: folder.string,
                message: "\"\(folder)\" is neither a published catalog nor a folder of packages",
                remedy: "specify the folder of \"bundletool publish --to\", or one with packages")
        }
    }

    package var exitStatus: ExitStatus {
        switch self {
        case .fileInvalid: .badInput
        case .noCatalog: .notFound
        }
    }
}
