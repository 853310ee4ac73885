import Subprocess
import SystemPackage

/// The folder with the desktop files of apps' schemes.
struct SchemeFolder: Sendable {
    var path: FilePath
    /// Whether the desktop's own settings of this user name the handlers too.
    var isUsers: Bool
    /// Says what would be done, and does nothing.
    var isRehearsal: Bool

    /// Makes the folder say exactly this of the apps: with `only`, of that one.
    ///
    /// - Returns: A line for each thing that was done, or would be.
    func set(_ handlers: [SchemeHandler], only app: String?) async throws -> [String] {
        var lines: [String] = []
        let hasChanged = try change(handlers, only: app, &lines)
        if hasChanged, !isRehearsal { lines += await refresh(handlers) }
        return lines
    }

    private func change(_ handlers: [SchemeHandler], only app: String?, _ lines: inout [String]) throws -> Bool {
        var hasChanged = false
        let wanted = Set(handlers.map(\.name))
        for name in try TextFile.names(in: path).sorted()
        where name.hasPrefix(SchemeHandler.prefix) && name.hasSuffix(".desktop") && !wanted.contains(name) {
            if let app, name != "\(SchemeHandler.prefix)\(app).desktop" { continue }
            let file = path.appending(name)
            guard let text = try TextFile.read(file), SchemeHandler.isOurs(text) else { continue }
            if !isRehearsal { try TextFile.remove(file) }
            lines.append(Text.Schemes.removed(file.string, isRehearsal))
            hasChanged = true
        }
        if !handlers.isEmpty, !isRehearsal { try TextFile.makeFolders(path) }
        for handler in handlers {
            let file = path.appending(handler.name)
            let before = try TextFile.read(file)
            if before == handler.text {
                lines.append(Text.Schemes.unchanged(file.string, handler.scheme))
                continue
            }
            if let before, !SchemeHandler.isOurs(before) {
                lines.append(Text.Schemes.notOurs(file.string))
                continue
            }
            if !isRehearsal { try TextFile.write(handler.text, to: file) }
            lines.append(Text.Schemes.written(file.string, handler.scheme, isRehearsal))
            hasChanged = true
        }
        return hasChanged
    }

    /// Lets the desktop know, as far as its tools are there.
    private func refresh(_ handlers: [SchemeHandler]) async -> [String] {
        var lines = [await run("update-desktop-database", [path.string])]
        // Of a system's folder no user's own settings need to know: no other program has the scheme.
        if isUsers {
            for handler in handlers {
                lines.append(await run("xdg-mime", ["default", handler.name, handler.mimeType]))
            }
        }
        return lines
    }

    private func run(_ program: String, _ arguments: [String]) async -> String {
        do {
            let result = try await Subprocess.run(
                .name(program), arguments: Arguments(arguments), environment: .inherit, input: .none,
                output: .discarded, error: .discarded)
            return result.terminationStatus.isSuccess
                ? Text.Schemes.ran(program, arguments) : Text.Schemes.failed(program, arguments)
        } catch let error as SubprocessError where error.code == .executableNotFound {
            return Text.Schemes.notThere(program)
        } catch {
            return Text.Schemes.failed(program, arguments)
        }
    }
}
