// Before the first paint: the chosen theme and language, so that nothing flashes; and the files of the place visited, so
// that they come side by side instead of one asking for the next. The one classic script.
(function () {
    function kept(name) {
        try {
            return JSON.parse(localStorage.getItem("kraton." + name));
        } catch (_) {
            return null;
        }
    }
    var root = document.documentElement;
    var theme = kept("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    var language = kept("language") || (/^zh/i.test(navigator.language) ? "zh" : "en");
    root.lang = language === "zh" ? "zh-Hans" : "en";

    var board = "board/board board/input board/marks board/run board/pieces board/glyphs board/brush board/pictures board/surakarta board/xiangqi board/words rules/index rules/position rules/surakarta rules/xiangqi rules/notation";
    var places = [
        [/^\/$/, "play/home play/setup play/lobby play/offer play/words " + board, "play/play board/board"],
        [/^\/game\//, "play/game play/model play/players play/movelist play/controls play/typed play/boardprefs play/speak play/setup play/offer play/words play/gamewords lib/clock lib/sound " + board, "play/play board/board"],
        [/^\/(watch|study|learn|tournament)/, board, "board/board"],
    ];
    places.forEach(function (place) {
        if (!place[0].test(location.pathname)) return;
        place[1].split(" ").forEach(function (name) {
            hint({ rel: "modulepreload", href: "/" + name + ".js" });
        });
        place[2].split(" ").forEach(function (name) {
            hint({ rel: "preload", as: "style", href: "/" + name + ".css" });
        });
    });
    function hint(attributes) {
        document.head.append(Object.assign(document.createElement("link"), attributes));
    }
})();
