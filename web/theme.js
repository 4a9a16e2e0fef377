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

    // Boards are nearly everywhere, so index.html asks for them itself.
    var places = [
        [/^\/$/, "home setup lobby offer words"],
        [/^\/game\//, "game model players movelist controls typed boardprefs speak setup offer words gamewords"],
    ];
    places.forEach(function (place) {
        if (!place[0].test(location.pathname)) return;
        hint({ rel: "preload", as: "style", href: "/play/play.css" });
        place[1].split(" ").forEach(function (name) {
            hint({ rel: "modulepreload", href: "/play/" + name + ".js" });
        });
    });
    function hint(attributes) {
        document.head.append(Object.assign(document.createElement("link"), attributes));
    }
})();
