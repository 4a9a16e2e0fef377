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
    var files = root.dataset.files; // the folder of their version
    var theme = kept("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    var language = kept("language") || (/^zh/i.test(navigator.language) ? "zh" : "en");
    root.lang = language === "zh" ? "zh-Hans" : "en";

    // Boards are nearly everywhere.
    var places = [
        { at: /^\/$/, folder: "play", files: "home setup lobby offer words peoplewords" },
        { at: /^\/game\//, folder: "play",
            files: "game model players movelist controls typed boardprefs speak setup offer words gamewords chat people peoplewords away" },
        { at: /^\/study/, folder: "study", files: "study bench desk draft editor explorer faults judge lines list" },
        { at: /^\/study/, folder: "study", files: "preview record score tabs transfer tree words" },
        { at: /^\/study/, folder: "engine", files: "analyst answers thinker" },
        { at: /^\/learn/, folder: "learn", files: "learn example words" },
        { at: /^\/puzzles\//, folder: "puzzles", files: "puzzle words" },
        { at: /^\//, folder: "board", files: "board input marks run pieces brush words why" },
        { at: /^\//, folder: "rules", files: "index position" },
    ];
    places.forEach(function (place) {
        if (!place.at.test(location.pathname)) return;
        if (!/rules|engine/.test(place.folder)) hint({ rel: "preload", as: "style", href: files + "/" + place.folder + "/" + place.folder + ".css" });
        place.files.split(" ").forEach(function (name) {
            hint({ rel: "modulepreload", href: files + "/" + place.folder + "/" + name + ".js" });
        });
    });
    var ofGame = ["index", "rules", "board"];
    document.currentScript.dataset.games.split(" ").forEach(function (game) {
        ofGame.forEach(function (name) {
            hint({ rel: "modulepreload", href: files + "/games/" + game + "/" + name + ".js" });
        });
    });
    function hint(attributes) {
        document.head.append(Object.assign(document.createElement("link"), attributes));
    }
})();
