#!/bin/sh
# Shows kraton-xiangqi working inside XBoard: plays against Debian's maxqi on a screen that nobody
# sees and writes docs/images/xboard.png (or the file named). Wants xboard, fairymax, xvfb, xdotool,
# x11-apps and netpbm.
#   tools/xboard-screenshot.sh [FILE [SECONDS]]
cd "$(dirname "$0")/.." || exit 1
file=${1:-docs/images/xboard.png}
seconds=${2:-25}
bin=$PWD/build/release
PATH=$PATH:/usr/games
for program in xboard maxqi Xvfb xdotool xwd xwdtopnm pnmtopng; do
    command -v $program >/dev/null || {
        echo "$program is missing: apt-get install xboard fairymax xvfb xdotool x11-apps netpbm" >&2
        exit 1
    }
done
home=$(mktemp -d) || exit 1
xvfb= xboard=
clean_up() {
    [ -z "$xboard" ] || kill "$xboard" 2>/dev/null
    [ -z "$xvfb" ] || kill "$xvfb" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$home"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

# A free display, which Xvfb finds and tells.
Xvfb -displayfd 3 -screen 0 928x530x24 -nolisten tcp 3>"$home/display" 2>"$home/xvfb.log" &
xvfb=$!
tries=0
while [ ! -s "$home/display" ] && [ $((tries += 1)) -lt 100 ]; do
    sleep 0.1
done
[ -s "$home/display" ] || {
    cat "$home/xvfb.log" >&2
    exit 1
}
DISPLAY=:$(cat "$home/display")
HOME=$home
export DISPLAY HOME

xboard -variant xiangqi -fcp "$bin/kraton-xiangqi" -firstOptions 'OwnBook=1' -scp maxqi \
    -noChessProgram false -matchGames 1 -timeControl 2 -timeIncrement 1 -xponder -showThinking true \
    -size 49 -pieceImageDirectory '~~/themes/xiangqi' -trueColors true \
    -useBoardTexture true -overrideLineGap 0 -highlightMoveWithArrow true \
    -liteBackTextureFile '~~/themes/textures/xqboard-9x10.png' \
    -darkBackTextureFile '~~/themes/textures/xqboard-9x10.png' \
    -engineOutputUp true -engineOutputW 500 -engineOutputH 526 \
    >"$home/xboard.log" 2>&1 &
xboard=$!
sleep "$seconds"
# No window manager has placed the second window beside the first.
window=$(xdotool search --name 'Engine Output' | tail -n 1)
[ -z "$window" ] || xdotool windowmove "$window" 424 0
sleep 1
kill -0 "$xboard" 2>/dev/null || {
    echo 'XBoard did not stay:' >&2
    cat "$home/xboard.log" >&2
    exit 1
}
xwd -root -silent >"$home/screen.xwd" && xwdtopnm "$home/screen.xwd" 2>/dev/null >"$home/screen.pnm" &&
    pnmtopng -quiet "$home/screen.pnm" >"$home/screen.png" && [ -s "$home/screen.png" ] &&
    mv "$home/screen.png" "$file" && echo "$file"
