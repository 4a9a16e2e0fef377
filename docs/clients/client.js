// A client for Kraton's battle server that plays random moves: node client.js HOST PORT TOKEN GAME
const net = require("net");
const readline = require("readline");

const [host, port, token, game] = process.argv.slice(2);
const server = net.connect(Number(port), host);
const say = (line) => server.write(line + "\n");

say("login token=" + token);
readline.createInterface({ input: server }).on("line", (line) => {
    const [verb, ...words] = line.split(" ");
    const field = Object.fromEntries(words.map((word) => {
        const at = word.indexOf("=");
        return [word.slice(0, at), decodeURIComponent(word.slice(at + 1))];
    }));
    switch (verb) {
    case "welcome":
        say("seek tc=60+1 game=" + game);
        break;
    case "turn": // a real program has a board and thinks here
        say("legal game=" + field.game);
        break;
    case "legal": {
        const moves = field.moves.split(",");
        const move = moves[Math.floor(Math.random() * moves.length)];
        say(`move game=${field.game} ply=${field.ply} move=${move}`);
        break;
    }
    case "ping":
        say("pong");
        break;
    case "result":
        console.log(field.outcome);
        say("quit");
        break;
    case "error":
    case "bye":
        console.error(line);
    }
});
