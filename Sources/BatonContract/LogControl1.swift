public import DBus

/// `org.freedesktop.LogControl1`, by which systemctl and busctl change a service's log level; see its manual page.
public enum LogControl1 {
    public static let path: ObjectPath = "/org/freedesktop/LogControl1"
    public static let interface: InterfaceName = "org.freedesktop.LogControl1"

    /// As syslog calls them, `emerg` to `debug`.
    public static let logLevel = Property(
        interface, "LogLevel", String.self, announcement: .never, access: .readWrite)
    public static let logTarget = Property(interface, "LogTarget", String.self, announcement: .never)
    public static let syslogIdentifier = Property(interface, "SyslogIdentifier", String.self, announcement: .never)
}
