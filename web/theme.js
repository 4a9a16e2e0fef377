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

    // Boards are nearly everywhere; the start draws its own when everything else stands.
    var places = [
        [/^\/$/, "play", "home setup lobby offer words"],
        [/^\/game\//, "play", "game model players movelist controls typed boardprefs speak setup offer words gamewords"],
        [/^\/./, "board", "board input marks run pieces brush words"],
        [/^\/./, "rules", "index position"],
    ];
    places.forEach(function (place) {
        if (!place[0].test(location.pathname)) return;
        if (place[1] !== "rules") hint({ rel: "preload", as: "style", href: "/" + place[1] + "/" + place[1] + ".css" });
        place[2].split(" ").forEach(function (name) {
            hint({ rel: "modulepreload", href: "/" + place[1] + "/" + name + ".js" });
        });
    });
    // The games' rows are needed everywhere, their rules and boards where boards are.
    var ofGame = location.pathname === "/" ? ["index"] : ["index", "rules", "board"];
    document.currentScript.dataset.games.split(" ").forEach(function (game) {
        ofGame.forEach(function (name) {
            hint({ rel: "modulepreload", href: "/games/" + game + "/" + name + ".js" });
        });
    });
    function hint(attributes) {
        document.head.append(Object.assign(document.createElement("link"), attributes));
    }
})();
