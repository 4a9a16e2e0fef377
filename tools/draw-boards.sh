#!/bin/sh
# Writes the README's picture, docs/images/boards.svg: both boards from their FENs, and on the
# Surakarta board a capture with its way round a loop.
cd "$(dirname "$0")/.." || exit 1
exec awk -v surakarta='b1bbbb/b1bbbb/2b1b1/1w4/w1wwww/wwwwww' \
    -v xiangqi='rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR' '
function line(x1, y1, x2, y2, style) {
    printf "<line x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\"%s/>\n", x1, y1, x2, y2, style
}
function circle(x, y, r, style) {
    printf "<circle cx=\"%g\" cy=\"%g\" r=\"%g\" %s/>\n", x, y, r, style
}
function label(x, y, s, style) {
    printf "<text x=\"%g\" y=\"%g\" dy=\"0.36em\" %s>%s</text>\n", x, y, style, s
}
# A FEN board into cell[row, column].
function read_fen(fen, rows, n, i, j, c, column) {
    delete cell
    n = split(fen, rows, "/")
    for (i = 1; i <= n; i++) {
        column = 0
        for (j = 1; j <= length(rows[i]); j++) {
            c = substr(rows[i], j, 1)
            if (c ~ /[0-9]/)
                column += c
            else
                cell[i - 1, column++] = c
        }
    }
}
# Three quarters of a circle round a corner of the Surakarta grid, outside the board.
function loop(x, y, sx, sy, r) {
    printf "<path d=\"M %g %g A %g %g 0 1 %d %g %g\"/>\n", x, y - sy * r, r, r, (sx * sy > 0),
        x - sx * r, y
}
function draw_surakarta(u, i, r, c, x, y) {
    print "<g transform=\"translate(150 147)\">"
    print "<g stroke=\"#6b5344\" stroke-width=\"2\" stroke-linecap=\"square\">"
    for (i = 0; i <= 5; i += 5) {
        line(0, i * u, 5 * u, i * u, "")
        line(i * u, 0, i * u, 5 * u, "")
    }
    print "</g>"
    for (r = 1; r <= 2; r++) {
        printf "<g stroke=\"%s\" stroke-width=\"3\" fill=\"none\">\n", r == 1 ? inner : outer
        for (i = r; i <= 5 - r; i += 5 - 2 * r) {
            line(0, i * u, 5 * u, i * u, "")
            line(i * u, 0, i * u, 5 * u, "")
        }
        loop(0, 0, -1, -1, r * u)
        loop(5 * u, 0, 1, -1, r * u)
        loop(0, 5 * u, -1, 1, r * u)
        loop(5 * u, 5 * u, 1, 1, r * u)
        print "</g>"
    }
    # The capture b3xa5: up the b file, round the loop, onto a5 from outside.
    printf "<path d=\"M %g %g V 0 A %g %g 0 1 0 0 %g H 0\" fill=\"none\" stroke=\"#f4a300\" " \
        "stroke-width=\"7\" stroke-opacity=\"0.75\" stroke-linecap=\"round\"/>\n", u, 3 * u, u, u, u
    read_fen(surakarta)
    for (i in cell) {
        split(i, rc, SUBSEP)
        order[rc[1] * 6 + rc[2]] = cell[i]
    }
    for (i = 0; i < 36; i++)
        if (i in order)
            circle(i % 6 * u, int(i / 6) * u, 17, "fill=\"url(#" order[i] ")\" stroke=\"#3a2f28\"")
    circle(0, u, 22, "fill=\"none\" stroke=\"#f4a300\" stroke-width=\"4\"")
    print "</g>"
}
function draw_xiangqi(u, i, r, c, x, y, p, red) {
    print "<g transform=\"translate(614 52)\">"
    printf "<rect x=\"-27\" y=\"-27\" width=\"%g\" height=\"%g\" rx=\"8\" fill=\"#fbf4e6\" stroke=\"#6b5344\" " \
        "stroke-width=\"3\"/>\n", 8 * u + 54, 9 * u + 54
    print "<g stroke=\"#6b5344\" stroke-width=\"2\">"
    for (i = 0; i < 10; i++)
        line(0, i * u, 8 * u, i * u, "")
    for (i = 0; i < 9; i++) {
        line(i * u, 0, i * u, (i % 8 ? 4 : 9) * u, "")
        if (i % 8)
            line(i * u, 5 * u, i * u, 9 * u, "")
    }
    for (i = 0; i <= 7; i += 7) {
        line(3 * u, i * u, 5 * u, (i + 2) * u, "")
        line(5 * u, i * u, 3 * u, (i + 2) * u, "")
    }
    print "</g>"
    label(2 * u, 4.5 * u, "楚 河", "class=\"river\"")
    label(6 * u, 4.5 * u, "漢 界", "class=\"river\"")
    circle(7 * u, 7 * u, 7, "fill=\"#f4a300\" fill-opacity=\"0.8\"")
    circle(7 * u, 0, 7, "fill=\"#f4a300\" fill-opacity=\"0.8\"")
    read_fen(xiangqi)
    for (r = 0; r < 10; r++)
        for (c = 0; c < 9; c++) {
            if (!((r, c) in cell))
                continue
            p = cell[r, c]
            red = p ~ /[A-Z]/
            circle(c * u, r * u, 20, "fill=\"url(#wood)\" stroke=\"#7a5a35\" stroke-width=\"1.5\"")
            circle(c * u, r * u, 16, "fill=\"none\" stroke-width=\"1.2\" stroke=\"" \
                (red ? "#b3261e" : "#222") "\"")
            label(c * u, r * u, name[p], "class=\"" (red ? "red" : "black") "\"")
        }
    circle(4 * u, 7 * u, 23, "fill=\"none\" stroke=\"#f4a300\" stroke-width=\"4\"")
    circle(6 * u, 2 * u, 23, "fill=\"none\" stroke=\"#f4a300\" stroke-width=\"4\"")
    print "</g>"
}
function gradient(id, light, dark) {
    printf "<radialGradient id=\"%s\" cx=\"0.35\" cy=\"0.3\" r=\"0.8\"><stop offset=\"0\" " \
        "stop-color=\"%s\"/><stop offset=\"1\" stop-color=\"%s\"/></radialGradient>\n", id, light, dark
}
BEGIN {
    inner = "#1f8a70"; outer = "#c8553d"
    split("K 帥 A 仕 B 相 N 馬 R 車 C 炮 P 兵 k 將 a 士 b 象 n 馬 r 車 c 砲 p 卒", words, " ")
    for (i = 1; i < 28; i += 2)
        name[words[i]] = words[i + 1]
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1040 560\" role=\"img\" " \
        "aria-label=\"A Surakarta board with a capture round a loop, and a Xiangqi board\">"
    print "<style>text { font-family: \"Noto Serif CJK SC\", \"Songti SC\", SimSun, serif; " \
        "text-anchor: middle }" \
        " .red { fill: #b3261e; font-size: 22px; font-weight: bold }" \
        " .black { fill: #222; font-size: 22px; font-weight: bold }" \
        " .river { fill: #6b5344; font-size: 26px; letter-spacing: 6px }" \
        " .caption { fill: #4a3a2e; font-size: 19px; font-family: Georgia, serif }</style>"
    print "<defs>"
    gradient("b", "#666", "#111")
    gradient("w", "#fff", "#cfc8bd")
    gradient("wood", "#fbe8c3", "#e2bd84")
    print "</defs>"
    print "<rect width=\"1040\" height=\"560\" rx=\"18\" fill=\"#f6ecd9\"/>"
    draw_surakarta(50)
    draw_xiangqi(46)
    label(275, 532, "Surakarta: White takes a5 round the loop, b3xa5", "class=\"caption\"")
    label(798, 532, "Xiangqi: cannon to the centre, horse out", "class=\"caption\"")
    print "</svg>"
}' >docs/images/boards.svg
