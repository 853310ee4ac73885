/// A worker's page that wants to keep its worker signed in and the screen for itself.
///
/// When it is touched it fills the screen, takes the pointer and keeps the screen on; and it says what a countdown would say.
public enum HostilePage {
    /// Most of its pixels, as red, green and blue.
    public static let ground: UInt32 = 0xff00fe
    /// Of what it holds, in this order; each is asked of its site, too, as a path.
    public static let held = "[hold.screen, hold.pointer, hold.lock].join()"

    public static let text = """
        <!doctype html><title>Baton</title>
        <body style="margin: 0; background: #ff00fe"><h1 style="font-size: 60px">Ana will be signed out in 9999 s</h1>
        <script>
        window.hold = {};
        const has = name => {
          if (!hold[name]) fetch('/' + name).catch(() => {});
          hold[name] = true;
        };
        onclick = () => {
          // Each uses up what a touch allows.
          if (!document.fullscreenElement) {
            document.documentElement.requestFullscreen().then(() => has('screen'));
          } else if (!document.pointerLockElement) {
            document.body.requestPointerLock();
          } else {
            navigator.wakeLock.request('screen').then(() => has('lock'));
          }
        };
        setInterval(() => { if (hold.screen) document.documentElement.requestFullscreen().catch(() => {}); }, 100);
        document.onpointerlockchange = () => { if (document.pointerLockElement) has('pointer'); };
        onbeforeunload = event => event.preventDefault();
        </script>
        """
}
