#!/bin/sh
# A participating app as a shell script: keeps the worker's searches in a file, and clears them when they leave.
#
# Usage: price-check.sh FOLDER
#
# A registration lives as long as the connection that made it, and busctl, gdbus and dbus-send open a new one for each
# call. So `batonctl participate` holds the connection and runs this script for each event; everything else here is
# plain busctl.
set -eu
folder=$1
searches=$folder/searches.txt
# On a terminal only the system bus: of a session bus any program may have batond's name.
if [ "${BATON_BUS:-}" = session ]; then bus=--user; else bus=--system; fi

case ${2:-start} in
    start)
        exec batonctl participate org.example.PriceCheck --quiet \
            --signed-in "$0 '$folder' signed-in" --clear "$0 '$folder' clear"
        ;;
    signed-in)
        mkdir -p "$folder"
        epoch=$(busctl "$bus" get-property org.baton.Device1 /org/baton/Device1 org.baton.Device1 Epoch)
        echo "searches of turn ${epoch#t }" >>"$searches"
        echo "price-check: turn ${epoch#t } begins"
        ;;
    clear)
        # Exit code 0 says `cleared`, anything else `failed`: then the device contains this app.
        rm -f "$searches"
        echo "price-check: cleared"
        ;;
esac
