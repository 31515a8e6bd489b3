/**
 * An engine for the tests of the launcher: a shell script, because a shell has no signal handling of its own
 * that could hide what the launcher left behind. The first argument says what it does.
 */
export const fakeEngine = `#!/bin/sh
mode=$1
[ $# -gt 0 ] && shift
case $mode in
  args) for arg in "$@"; do printf '%s\\0' "$arg"; done ;;
  env) env | grep '^CODEX_MANAGED' | sort ;;
  cat) exec cat ;;
  exit) exit "$1" ;;
  kill) kill -"$1" $$ ;;
  pid) echo $$ ;;
  tty) for fd in 0 1 2; do if [ -t $fd ]; then echo "$fd tty"; else echo "$fd none"; fi; done ;;
  signals) exec grep -E '^Sig(Blk|Ign)' /proc/self/status ;;
  early) trap "exit 42" TERM; kill -TERM $PPID; : > "$1"; sleep 5 & wait $! ;;
  wait)
    for name in INT TERM HUP QUIT; do trap "echo got $name; exit 42" $name; done
    echo ready
    # A trap interrupts wait, and would not interrupt a sleep in the foreground. Not for ever: a signal that
    # is lost must not leave this behind.
    for second in 1 2 3 4 5 6 7 8 9 10; do sleep 1 & wait $!; done ;;
esac
`;
