import BatonContract
package import DBus
package import Log
import Logging

/// Answers `org.freedesktop.LogControl1`: any caller may read the level, an administrator may change it.
package struct LogControlAdapter {
    let context: CallContext
    let control: LogControl

    package init(context: CallContext, control: LogControl) {
        self.context = context
        self.control = control
    }

    package func serve(on object: inout ServedObject) {
        let (context, control) = (context, control)
        @Sendable func tell(_ name: String, by caller: Principal, _ ground: Ground) async {
            let who = await context.audit.who(caller)
            context.log.tell(
                .logLevelChanged, .notice, "the level of this log is changed",
                who.merging(["level": "\(name)", "ground": "\(ground.rawValue)"]) { $1 })
        }
        object.property(LogControl1.logLevel) { _ in
            control.level.syslogName
        } set: { caller, name in
            guard let level = Logger.Level(syslogName: name) else {
                throw BatonError(
                    .invalidArgument, "A level is emerg, alert, crit, err, warning, notice, info or debug.")
            }
            let (administrator, ground) = try await context.administrator(caller, for: .setLogLevel)
            // Who reads the log must know what is missing from it, so it is told under whichever level shows it.
            let isShown = control.level <= .notice
            if isShown { await tell(name, by: administrator, ground) }
            control.level = level
            if !isShown { await tell(name, by: administrator, ground) }
        }
        object.property(LogControl1.logTarget) { _ in control.target.rawValue }
        object.property(LogControl1.syslogIdentifier) { _ in control.identifier }
    }
}
