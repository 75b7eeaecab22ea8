/** The client package against a real server, over a network that loses things. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { BotKind, FivesClient, MatchState, MatchVisibility, type MatchView, Refused, type Told, memory } from "../../src/client/index.js";
import { TestServer } from "../server.js";

let server: TestServer;

before(async () => {
  server = await TestServer.start();
});
after(() => server.end());

type Fetch = typeof globalThis.fetch;

function client(name: string, network: Fetch = fetch, keep = memory()): Promise<FivesClient> {
  const made = new FivesClient({ baseUrl: server.address, fetch: network, keep });
  return made.signIn(name).then(() => made);
}

function path(input: RequestInfo | URL): string {
  return String(input instanceof Request ? input.url : input);
}

/** A match against a greedy bot. */
function againstBot(made: FivesClient, targetPoints = 50): Promise<MatchView> {
  return made.create({
    seats: [{ occupant: { case: "me", value: {} } }, { occupant: { case: "bot", value: BotKind.GREEDY } }],
    visibility: MatchVisibility.PUBLIC,
    spectatorsAllowed: true,
    options: { targetPoints },
  });
}

/** Follows a match and plays the first legal play whenever it can, to the end; all that the stream told. */
async function playedOut(made: FivesClient, matchId: string): Promise<Told[]> {
  const all: Told[] = [];
  for await (const told of made.follow(matchId)) {
    all.push(told);
    const round = told.kind === "view" ? told.view.round : undefined;
    const play = round?.legalPlays[0]?.play;
    if (round && play) {
      await made.play(matchId, round.round, play).catch((error: unknown) => {
        // The picture was old; a newer one is on its way.
        assert.ok(error instanceof Refused && ["NOT_YOUR_TURN", "OLD_ROUND", "MATCH_OVER", "ILLEGAL_PLAY"].includes(error.reason), String(error));
      });
    }
  }
  return all;
}

/** The revisions that batches and first pictures bring, in order. */
function revisions(all: readonly Told[]): number[] {
  return all.flatMap((told) => {
    if (told.kind !== "view") return [];
    return told.fresh ? [Number(told.view.cursor?.revision)] : told.batches.map(({ cursor }) => Number(cursor?.revision));
  });
}

test("the device key finds the same player again, under the name that was given last", async () => {
  const keep = memory();
  const first = (await client("anna", fetch, keep)).session.me;
  const again = (await client("Anna B.", fetch, keep)).session.me;
  assert.equal(again?.playerId, first?.playerId);
  assert.equal(again?.displayName, "Anna B.");
});

test("an answer that is lost is asked for again, and nothing is done twice", async () => {
  const lost: string[] = [];
  // Each write gets through once, and its answer does not.
  const lossy: Fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const call = path(input).split("/").at(-1) ?? "";
    if (["CreateMatch", "PlayTile", "Resign"].includes(call) && !lost.includes(call)) {
      await answer.arrayBuffer();
      lost.push(call);
      throw new TypeError("network error");
    }
    return answer;
  };
  const made = await client("bela", lossy);
  const view = await againstBot(made, 1000);
  assert.equal((await made.myMatches()).length, 1, "one match, although it was asked for twice");

  const turn = await made.match(view.matchId);
  let own = turn;
  for await (const told of made.follow(view.matchId)) {
    if (told.kind !== "view") continue;
    own = told.view;
    if (own.round?.legalPlays.length) break;
  }
  const play = own.round?.legalPlays[0]?.play;
  assert.ok(own.round && play?.tile);
  const batch = await made.play(view.matchId, own.round.round, play);
  assert.ok(batch?.events.some(({ kind }) => kind.case === "tilePlayed" && kind.value.play?.tile?.high === play.tile?.high));
  await made.resign(view.matchId);
  assert.equal((await made.match(view.matchId)).state, MatchState.FINISHED);
  assert.deepEqual(lost, ["CreateMatch", "PlayTile", "Resign"]);
});

test("a stream that is cut again and again brings every revision once", async () => {
  let cuts = 0;
  const cutting: Fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!path(input).endsWith("/FollowMatch") || !answer.body) return answer;
    let chunks = 0;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (++chunks > 3) {
          cuts++;
          controller.error(new TypeError("network error"));
        } else controller.enqueue(chunk);
      },
    });
    return new Response(answer.body.pipeThrough(cut), answer);
  };
  const made = await client("carla", cutting);
  const { matchId } = await againstBot(made);
  const all = await playedOut(made, matchId);
  const seen = revisions(all);
  assert.ok(cuts > 1, `cut ${cuts} times`);
  assert.equal(all.filter((told) => told.kind === "view" && told.fresh).length, 1, "one picture to begin with, then only what follows");
  assert.deepEqual(seen, Array.from(seen, (_, at) => (seen[0] ?? 0) + at), "no hole and nothing twice");
  const last = all.at(-1);
  assert.ok(last?.kind === "view" && last.view.state === MatchState.FINISHED);
});

test("silence is taken for a loss", async () => {
  let opened = 0;
  // The first stream is never heard of again after its first message.
  const silent: Fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!path(input).endsWith("/FollowMatch") || !answer.body || ++opened > 1) return answer;
    const reader = answer.body.getReader();
    const stuck = new ReadableStream<Uint8Array>({
      async start(controller) {
        const { value } = await reader.read();
        if (value) controller.enqueue(value);
        init?.signal?.addEventListener("abort", () => controller.error(new DOMException("aborted", "AbortError")));
      },
    });
    return new Response(stuck, answer);
  };
  const made = await client("dora", silent);
  const { matchId } = await againstBot(made);
  const all = await playedOut(made, matchId);
  assert.ok(opened > 1);
  assert.ok(all.some(({ kind }) => kind === "lost"));
  const last = all.at(-1);
  assert.ok(last?.kind === "view" && last.view.state === MatchState.FINISHED);
});

test("refusals have a reason, and an illegal play has what is legal", async () => {
  const made = await client("emil");
  const { matchId } = await againstBot(made, 1000);
  let view: MatchView | undefined;
  for await (const told of made.follow(matchId)) {
    if (told.kind === "view" && told.view.round?.legalPlays.length) {
      ({ view } = told);
      break;
    }
  }
  const held = new Set(view?.round?.hand.map(({ high, low }) => `${high}-${low}`));
  const foreign = [6, 5, 4, 3].map((pip) => ({ high: pip, low: pip })).find(({ high, low }) => !held.has(`${high}-${low}`));
  const wrong = made.play(matchId, view?.round?.round ?? 0, { tile: foreign ?? { high: 9, low: 9 }, end: 0 });
  await assert.rejects(wrong, (error: unknown) => {
    assert.ok(error instanceof Refused);
    assert.equal(error.reason, "ILLEGAL_PLAY");
    assert.ok((error.illegalPlay?.legalPlays.length ?? 0) > 0);
    return true;
  });
  await assert.rejects(made.match("m-aaaaaaaaaaaaaaaaaaaaaaaaaa"), (error: unknown) => error instanceof Refused && error.reason === "MATCH_NOT_FOUND");
  for (const [field, call] of [
    ["match_id", () => made.match("nonsense")],
    ["invite_code", () => made.join({ inviteCode: "ABCDEFGH" })],
    ["display_name", () => made.rename("\u202e")],
  ] as const) {
    await assert.rejects(call(), (error: unknown) => error instanceof Refused && error.reason === "INVALID_FIELD" && error.fields[0] === field, field);
  }
});

test("a token that is not taken any more is made anew", async () => {
  const keep = memory();
  const made = await client("fritz", fetch, keep);
  const { matchId } = await againstBot(made);
  keep.setItem("fives.token", "nonsense");
  assert.equal((await made.match(matchId)).viewerSeat, 0, "the same player");
  keep.setItem("fives.token", "nonsense");
  const first = await made.follow(matchId).next();
  assert.ok(first.value?.kind === "view" && first.value.view.viewerSeat === 0);
});

test("what is kept of a player may be broken: whoever may watch without a token watches", async () => {
  const { matchId } = await againstBot(await client("gerda"));
  for (const kept of ["{", "null", '{"playerId":7}']) {
    const keep = memory();
    keep.setItem("fives.token", "nonsense");
    keep.setItem("fives.me", kept);
    const made = new FivesClient({ baseUrl: server.address, keep });
    assert.equal(made.session.me, undefined, kept);
    assert.equal((await made.match(matchId)).viewerSeat, undefined, kept);
    const first = await made.watch(matchId).next();
    assert.equal(first.value?.kind, "view", kept);
  }
});

test("nobody plays on a table that has moved on unseen", async () => {
  const made = await client("hanna");
  const { matchId } = await againstBot(made, 1_000);
  for await (const told of made.follow(matchId)) {
    if (told.kind !== "view") continue;
    const { round, cursor } = told.view;
    const play = round?.legalPlays[0]?.play;
    if (!round || !play || !cursor) continue;
    const before = { ...cursor, revision: cursor.revision - 1n };
    await assert.rejects(made.play(matchId, round.round, play, before), (error) => error instanceof Refused && error.reason === "STALE_CURSOR");
    const batch = await made.play(matchId, round.round, play, cursor);
    assert.equal(batch?.cursor?.revision, cursor.revision + 1n);
    break;
  }
});

test("a server that is killed and comes back costs a match nothing", async () => {
  const [one, other] = await Promise.all([client("gerd"), client("hanna")]);
  const { matchId } = await one.create({
    seats: [{ occupant: { case: "me", value: {} } }, { occupant: { case: "open", value: {} } }],
    visibility: MatchVisibility.PRIVATE,
    spectatorsAllowed: false,
    options: { targetPoints: 100 },
  });
  await other.join({ inviteCode: (await one.match(matchId)).inviteCode });
  const playing = [playedOut(one, matchId), playedOut(other, matchId)];
  for (let kills = 0; kills < 2; kills++) {
    await server.kill();
    await server.begin();
  }
  for (const all of await Promise.all(playing)) {
    const seen = revisions(all);
    assert.deepEqual(seen, Array.from(seen, (_, at) => (seen[0] ?? 0) + at), "no hole and nothing twice");
    const last = all.at(-1);
    assert.ok(last?.kind === "view" && last.view.state === MatchState.FINISHED);
  }
});
