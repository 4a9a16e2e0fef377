// Before the first paint: the chosen theme and language, so that nothing flashes; and the files of the place visited, so
// that they come side by side instead of one asking for the next; and the connection, which lib/socket.js takes over. The
// one classic script.
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

    var at = document.currentScript.dataset;
    if (at.line) {
        var line = { socket: new WebSocket(location.origin.replace(/^http/, "ws") + at.line), heard: [] };
        line.socket.onmessage = function (event) { line.heard.push(event); };
        window["earlyLine"] = line;
    }

    // [beginning of a path, files that it needs at once]; the longest beginning counts. tools/make-page.py writes them.
    var best = "";
    var needed = [];
    JSON.parse(at.places).forEach(function (place) {
        if (!location.pathname.startsWith(place[0]) || place[0].length <= best.length) return;
        best = place[0];
        needed = place[1];
    });
    needed.forEach(function (file) {
        var isStyle = /\.css$/.test(file);
        var link = document.createElement("link");
        document.head.append(Object.assign(link, isStyle ? { rel: "preload", as: "style" } : { rel: "modulepreload" }, { href: files + file }));
    });
})();
