/// A network of its own for one program of a turn: what listens there is reached by nothing outside, and this machine's loopback is not
/// reached from there.
///
/// It is made in the program's unit, since no process of ours may enter what is another user's: bubblewrap makes it, slirp4netns connects
/// it to the outside, and only then the program begins. With the unit all of them end.
public enum TurnNetwork {
    /// slirp4netns's own name server.
    public static let nameServer = "10.0.2.3"

    /// Three pipes with names carry what one waits for of the other: the pid of what bubblewrap has started, that its network is made,
    /// and that slirp4netns has joined it. A pipe that is opened for both ways waits for no other side.
    private static let script = #"""
        bubblewrap="$1" server="$2"
        shift 2
        folder="$HOME/.baton-network"
        mkdir -m 700 "$folder" && mkfifo "$folder/pid" "$folder/made" "$folder/joined" || exit 1
        echo "nameserver $server" >"$folder/resolv.conf"
        # Where it is a link, what it names must lie there.
        names="$(realpath -- /etc/resolv.conf)" || names=/etc/resolv.conf
        { "$bubblewrap" --dev-bind / / --ro-bind "$folder/resolv.conf" "$names" --proc /proc --unshare-net --unshare-pid \
            --die-with-parent --new-session --cap-drop ALL --chdir "$HOME" --info-fd 8 -- /bin/sh -c '
                echo made >"$1/made" && read -r joined <"$1/joined"
                [ "$joined" = 1 ] || { cat "$1/words" >&2; exit 1; }
                shift
                exec "$@"' sh "$folder" "$@" 8>"$folder/pid"
            status=$?
            echo ended 1<>"$folder/made"
            exit "$status"; } &
        program=$!
        inside="$(sed -n -e 's/.*"child-pid": *\([0-9][0-9]*\).*/\1/p' -e '/}/q' "$folder/pid")"
        read -r word <"$folder/made"
        [ "$word" = made ] && [ -n "$inside" ] || exit 1
        slirp4netns --configure --mtu=65520 --disable-host-loopback --ready-fd=8 --userns-path="/proc/$inside/ns/user" \
            --netns-type=path "/proc/$inside/ns/net" tap0 8>"$folder/joined" >"$folder/words" 2>&1 &
        wait "$program"
        """#

    /// That command, in a network of its own.
    ///
    /// - Parameter bubblewrap: The path of bwrap.
    static func command(_ command: [String], bubblewrap: String) -> [String] {
        ["/bin/sh", "-c", script, "sh", bubblewrap, nameServer] + command
    }
}
