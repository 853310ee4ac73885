import Glibc
import LinuxSystem
package import SystemPackage

/// The files beside a settings file that change single keys of it, as systemd's drop-ins do.
///
/// `baton.yaml.d/*.yaml` beside `baton.yaml`, and on a terminal the vendor's below `/usr/lib`. They are read after the file, in
/// the order of their names wherever they lie; one of the administrator's takes the place of the vendor's of the same name, and
/// a link to /dev/null takes that away. (systemd.unit(5), "Drop-in files"; UAPI Configuration Files Specification)
package enum DropIns {
    package static let vendor: FilePath = "/usr/lib/baton/baton.yaml.d"

    /// Where those beside a settings file lie.
    package static func folder(of settings: FilePath) -> FilePath { FilePath(settings.string + ".d") }

    /// A folder that is there and cannot be read.
    package struct Unreadable: Error {
        package let folder: FilePath
        package let number: CInt
    }

    /// In the order in which they are read.
    ///
    /// - Parameter vendor: The folder of the vendor's, if the settings have one.
    package static func files(of settings: FilePath, vendor: FilePath?) throws(Unreadable) -> [FilePath] {
        var files: [String: FilePath] = [:]
        for folder in [vendor, folder(of: settings)].compactMap(\.self) {
            for name in try names(in: folder) where name.hasSuffix(".yaml") && !name.hasPrefix(".") {
                files[name] = folder.appending(name)
            }
        }
        return files.sorted { $0.key < $1.key }.map(\.value).filter { !isMask($0) }
    }

    /// Files of these folders that look meant and are not read.
    package static func ignored(of settings: FilePath, vendor: FilePath?) -> [FilePath] {
        [vendor, folder(of: settings)].compactMap(\.self).flatMap { folder in
            ((try? names(in: folder)) ?? []).filter { $0.hasSuffix(".yml") || $0.hasSuffix(".conf") }.sorted()
                .map { folder.appending($0) }
        }
    }

    private static func names(in folder: FilePath) throws(Unreadable) -> [String] {
        do throws(FolderNames.Unreadable) {
            return try FolderNames.all(in: folder.string)
        } catch {
            throw Unreadable(folder: folder, number: error.number)
        }
    }

    private static func isMask(_ path: FilePath) -> Bool {
        var buffer = [CChar](repeating: 0, count: 16)
        let count = path.withPlatformString { readlink($0, &buffer, buffer.count) }
        return count > 0 && buffer.prefix(count).map { UInt8(bitPattern: $0) } == Array("/dev/null".utf8)
    }
}
