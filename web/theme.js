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
        { at: /^\/$/, folder: "play", files: "home setup lobby offer words peoplewords" },
        { at: /^\/game\//, folder: "play",
            files: "game model players movelist controls typed boardprefs speak setup offer words gamewords chat people peoplewords away" },
        { at: /^\/./, folder: "board", files: "board input marks run pieces brush words" },
        { at: /^\/./, folder: "rules", files: "index position" },
    ];
    places.forEach(function (place) {
        if (!place.at.test(location.pathname)) return;
        if (place.folder !== "rules") hint({ rel: "preload", as: "style", href: "/" + place.folder + "/" + place.folder + ".css" });
        place.files.split(" ").forEach(function (name) {
            hint({ rel: "modulepreload", href: "/" + place.folder + "/" + name + ".js" });
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
