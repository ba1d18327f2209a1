extension Rule {
    /// The folders of test targets that no source folder has.
    private static let helpers: Set = ["Fixtures", "Support", "Toolbox"]

    /// Checks that each test folder has the name of a source folder, or of a tested module, and that the tests of a file are in the
    /// folder of the same name.
    static let mirroredTests = Rule("test folders mirror source folders") { repository in
        repository.packages.filter { $0.isProduct && $0.plugin == nil }.flatMap { package in
            package.targets.filter { $0.kind == .test }.flatMap { tests in
                let imported = Set(tests.sources.flatMap(\.imports).map(\.module))
                // The tests of the runtime use the layers beside it.
                let tested = repository.packages.flatMap(\.targets).filter {
                    $0.kind != .test && imported.contains($0.module)
                }
                return tests.sources.compactMap { test -> Finding? in
                    let folder = test.folder(in: tests)
                    let first = folder.prefix { $0 != "/" }
                    if helpers.contains(String(first)) { return nil }
                    let isMirror = tested.contains { target in
                        let folder = first == target.name ? String(folder.dropFirst(first.count + 1)) : folder
                        return folder.isEmpty || repository.paths.contains(target.folder + "/" + folder)
                    }
                    guard isMirror else {
                        return test.finding("is in \(folder), a folder that no tested target has")
                    }
                    // Tests of several modules may test a file together with others.
                    guard tested.count == 1, let target = tested.first else { return nil }
                    let subjects = target.sources.filter { $0.name + "Tests" == test.name }
                        .map { $0.folder(in: target) }
                    guard let subject = subjects.first, !subjects.contains(folder) else { return nil }
                    return test.finding("tests a file in \"\(subject)\"; allowed: in \(tests.folder)/\(subject)")
                }
            }
        }
    }
}

extension SourceFile {
    /// The name without folder and extension.
    fileprivate var name: String {
        let last = path.split(separator: "/").last ?? ""
        return String(last.prefix { $0 != "." })
    }

    /// The file's folder as a path from its target's folder, which itself is empty.
    fileprivate func folder(in target: Target) -> String {
        path.dropFirst(target.folder.count).split(separator: "/").dropLast().joined(separator: "/")
    }
}
