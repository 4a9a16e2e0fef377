// The games being played, as text; the page proper draws them.
async function show() {
    const [live, health] = await Promise.all(["games/live", "health"].map(async (path) => (await fetch("/api/v1/" + path)).json()));
    const list = document.getElementById("live");
    list.replaceChildren(...live.games.map((game) => {
        const item = document.createElement("li");
        item.textContent = `${game.game}: ${game.first_name} – ${game.second_name}, ${game.plies} plies, ${game.tc}`;
        return item;
    }));
    if (!live.games.length) list.innerHTML = "<li>Nothing yet.</li>";
    document.getElementById("health").textContent =
        `${health.live_games} games, ${health.sessions} connections, up for ${health.uptime} s.`;
}
show();
setInterval(show, 5000);
