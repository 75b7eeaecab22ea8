/** A real server for a test: its own port and folder, stopped and started again at will. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** For how long a test waits for anything. */
export const DEADLINE_MS = 60_000;

/** The program; `make web-test` and `make test` build it first. */
const PROGRAM = process.env.FIVES_PROGRAM ?? resolve(process.env.FIVES_WEB ?? ".", "../target/debug/fives");

/** Waits until `condition` gives something that is neither `undefined` nor `false`. */
export async function until<T>(what: string, condition: () => Promise<T | undefined | false> | T | undefined | false, withinMs = DEADLINE_MS): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await condition();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`waited too long: ${what}`);
    await new Promise((again) => setTimeout(again, 20));
  }
}

/** A port that nobody uses, and not one that the system gives to connections: a server that is killed finds its port free again. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_240 + Math.floor(Math.random() * 20_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((told) => {
      server.once("error", () => told(false));
      server.listen(port, "127.0.0.1", () => told(true));
    });
    await new Promise((closed) => server.close(closed));
    if (isFree) return port;
  }
}

export class TestServer {
  private process: ChildProcess | undefined;
  private log = "";

  private constructor(
    private readonly port: number,
    private readonly data: string,
    /** For how long bots think; another time is theirs from the next `begin` on. */
    public botDelayMs: number,
    private readonly more: readonly string[],
  ) {}

  /** With bots that think for `botDelayMs`, and more settings. */
  static async start(botDelayMs = 0, more: readonly string[] = []): Promise<TestServer> {
    const data = mkdtempSync(join(tmpdir(), "fives-web-"));
    const server = new TestServer(await freePort(), data, botDelayMs, more);
    await server.begin();
    return server;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async begin(): Promise<void> {
    const settings = ["--listen", `127.0.0.1:${this.port}`, "--admin-listen", "off", "--data", this.data];
    const quick = ["--bot-delay-ms", String(this.botDelayMs), "--heartbeat-interval-ms", "1000", "--reconnect-spread-ms", "0", "--drain-grace-s", "1", "--no-shares"];
    const started = spawn(PROGRAM, ["serve", ...settings, ...quick, ...this.more], { stdio: ["ignore", "ignore", "pipe"] });
    started.stderr?.on("data", (lines: Buffer) => (this.log += lines.toString()));
    this.process = started;
    await until("the server is ready", async () => {
      if (started.exitCode !== null) throw new Error(`the server did not start:\n${this.log}`);
      return fetch(`${this.address}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
  }

  /** Without a word to anybody, as in a crash. */
  async kill(): Promise<void> {
    const { process } = this;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    const ended = new Promise((exit) => process.once("exit", exit));
    process.kill("SIGKILL");
    await ended;
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}
