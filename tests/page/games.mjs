// Finished games for the tests of the page: two programs that play given moves, or so many quiet ones, and one resigns.
import { connect } from "node:net";

class Program {
    constructor(port) {
        this.lines = [];
        this.waiting = [];
        let rest = "";
        this.socket = connect({ port, host: "127.0.0.1", noDelay: true });
        this.socket.on("data", (bytes) => {
            const parts = (rest + bytes).split("\n");
            rest = parts.pop();
            this.lines.push(...parts);
            this.waiting.splice(0).forEach((go) => go());
        });
    }

    say(line) {
        this.socket.write(line + "\n");
    }

    async hear(...verbs) {
        for (;;) {
            while (!this.lines.length) await new Promise((go) => this.waiting.push(go));
            const [verb, ...fields] = this.lines.shift().split(" ");
            if (verb === "error") throw new Error(`the server says ${fields.join(" ")}`);
            if (verbs.includes(verb)) return Object.fromEntries(fields.map((field) => [field.slice(0, field.indexOf("=")), decodeURIComponent(field.slice(field.indexOf("=") + 1))]));
        }
    }
}

// What is legal and captures nothing, spread over the board.
async function quietMove(program, game, ply) {
    program.say(`legal game=${game}`);
    const { moves } = await program.hear("legal");
    const quiet = moves.split(",").filter((move) => !move.includes("x"));
    return quiet[(ply * 7919) % quiet.length];
}

// Returns the game's number. moves: a list, or how many; scores: what the programs say of their moves, by ply; slow: the
// ply that takes its time, more than any credit for lag.
export async function playGame(server, game, moves, { rules, scores = [], slow = -1, loser = "first" } = {}) {
    const players = [new Program(server.botPort), new Program(server.botPort)];
    for (const player of players) {
        player.say("login guest=yes");
        await player.hear("welcome");
    }
    const terms = `game=${game} tc=7200+1${rules ? ` rules=${rules}` : ""}`;
    players[0].say(`seek ${terms} side=first`);
    await players[0].hear("seeking");
    players[1].say(`seek ${terms} side=second`);
    const { id } = await players[0].hear("game");
    const count = typeof moves === "number" ? moves : moves.length;
    for (let ply = 0; ply < count; ply++) {
        const player = players[ply % 2];
        await player.hear("turn");
        const move = typeof moves === "number" ? await quietMove(player, id, ply) : moves[ply];
        if (ply === slow) await new Promise((go) => setTimeout(go, 300));
        player.say(`move game=${id} ply=${ply} move=${move}${scores[ply] === undefined ? "" : ` score=${scores[ply]} depth=9 nodes=1000`}`);
    }
    const resigning = players[loser === "first" ? 0 : 1];
    resigning.say(`resign game=${id}`);
    await resigning.hear("result");
    players.forEach((player) => player.socket.end());
    return Number(id);
}
