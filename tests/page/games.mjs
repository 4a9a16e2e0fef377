// Games for the tests of the page: finished ones of two guests that play given moves, or so many quiet ones, until one
// resigns; and programs that move when told to.
import { connect } from "node:net";
import { comes } from "./kit.mjs";

class Guest {
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
    const players = [new Guest(server.botPort), new Guest(server.botPort)];
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

// A program of an account's that moves when the test says so. It answers pings, and connects again if the line is lost.
export class Program {
    static async join(server, cookie, name) {
        const program = new Program();
        const { body } = await server.rest("POST", "/tokens", { program: name }, { cookie });
        Object.assign(program, { name, token: body.token, port: server.botPort });
        program.login();
        await program.hears("welcome");
        return program;
    }

    login() {
        this.heard = "";
        this.socket = connect(this.port, "127.0.0.1");
        this.socket.on("error", () => {}).on("data", (bytes) => {
            this.heard += bytes;
            if (/^ping/m.test(bytes)) this.say("pong");
        }).on("close", () => {
            this.heard = "";
            if (!this.isClosed) setTimeout(() => this.login(), 100);
        });
        this.say(`login token=${this.token}`);
    }

    say(line) { this.socket.write(`${line}\n`); }

    async hears(words) {
        if (!(await comes(() => this.heard.includes(words)))) throw new Error(`${this.name} never heard ${words}`);
    }

    async play(game, move) {
        await this.hears(`turn game=${game} `);
        this.heard = "";
        this.say(`move game=${game} move=${move}`);
    }

    close() {
        this.isClosed = true;
        this.socket.destroy();
    }
}
