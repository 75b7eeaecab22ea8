/** A client of Fives for browsers and Node: gRPC-Web to one port. */

import { type MessageInitShape } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { CastService } from "../gen/fives/v1/cast_service_pb.js";
import type { Batch } from "../gen/fives/v1/event_pb.js";
import { CreateMatchRequestSchema, MatchScope, MatchService } from "../gen/fives/v1/match_service_pb.js";
import { type GetServiceInfoResponse, PlayerService } from "../gen/fives/v1/player_service_pb.js";
import type { Rematch } from "../gen/fives/v1/rematch_pb.js";
import { type LiveMatch, SpectateService } from "../gen/fives/v1/spectate_service_pb.js";
import { type Cursor, PlaySchema } from "../gen/fives/v1/types_pb.js";
import type { MatchSummary, MatchView } from "../gen/fives/v1/view_pb.js";
import { Refused, meaningOf } from "./refusal.js";
import { PATIENCE, type Patience, retried } from "./retry.js";
import { type Keep, type Me, Session, memory, randomHex } from "./session.js";
import { type Network, type Open, type Persistence, type Told, lasting } from "./stream.js";

export interface ClientOptions {
  /** Where the service is: `https://fives.example`. */
  readonly baseUrl: string;
  /** Keeps the device key and the token; in memory by default. */
  readonly keep?: Keep;
  readonly patience?: Patience;
  /** How long an answer may take. */
  readonly timeoutMs?: number;
  readonly network?: Network;
  readonly fetch?: typeof globalThis.fetch;
}

/** A match to make: `CreateMatchRequest` without the request id, which is made here. */
export type Wish = Omit<MessageInitShape<typeof CreateMatchRequestSchema>, "$typeName" | "requestId">;

/** How a match is named by who wants to sit down: its id, or the code of a private one. */
export type Target = { readonly matchId: string } | { readonly inviteCode: string };

export interface StreamOptions {
  readonly signal?: AbortSignal;
  /** The last cursor that was seen: what comes is what happened after it. */
  readonly after?: Cursor;
  /** Opens a private match to who watches. */
  readonly inviteCode?: string;
}

/**
 * The calls of the service. Each write makes its request id once and sends it with every retry. Errors are `Refused` (with the
 * service's reason), `Unreachable`, or a mistake of the caller.
 */
export class FivesClient {
  readonly session: Session;
  private readonly players: Client<typeof PlayerService>;
  private readonly matches: Client<typeof MatchService>;
  private readonly spectators: Client<typeof SpectateService>;
  private readonly casts: Client<typeof CastService>;
  private readonly patience: Patience;
  private info: Promise<GetServiceInfoResponse> | undefined;

  constructor(private readonly options: ClientOptions) {
    this.session = new Session(options.keep ?? memory());
    this.patience = options.patience ?? PATIENCE;
    const transport = createGrpcWebTransport({
      baseUrl: options.baseUrl,
      interceptors: [this.session.signed],
      defaultTimeoutMs: options.timeoutMs ?? 10_000,
      ...(options.fetch && { fetch: options.fetch }),
    });
    this.players = createClient(PlayerService, transport);
    this.matches = createClient(MatchService, transport);
    this.spectators = createClient(SpectateService, transport);
    this.casts = createClient(CastService, transport);
  }

  /** Version and limits of the service; asked for once. */
  serviceInfo(): Promise<GetServiceInfoResponse> {
    this.info ??= this.sent(() => this.players.getServiceInfo({})).catch((error: unknown) => {
      this.info = undefined;
      throw error;
    });
    return this.info;
  }

  /** Signs the player of this device in. A player who was here before keeps the name, unless another is given. */
  async signIn(displayName: string): Promise<Me> {
    const deviceKey = this.session.deviceKey();
    const answer = await this.sent(() => this.players.signInGuest({ displayName, deviceKey }));
    if (!answer.player) throw new Error("the service signed nobody in");
    const me = this.session.signedIn(answer.player, answer.accessToken);
    return me.displayName === displayName ? me : this.rename(displayName);
  }

  async rename(displayName: string): Promise<Me> {
    const { player } = await this.owned(() => this.players.updatePlayer({ displayName }));
    if (!player) throw new Error("the service renamed nobody");
    return this.session.named(player);
  }

  async create(wish: Wish): Promise<MatchView> {
    const request = { ...wish, requestId: freshId() };
    return shown((await this.owned(() => this.matches.createMatch(request))).view);
  }

  /** Sits down, and adds chance of one's own to the deals. */
  async join(target: Target, seat?: number): Promise<MatchView> {
    const entropy = crypto.getRandomValues(new Uint8Array(32));
    const request = {
      requestId: freshId(),
      target:
        "matchId" in target
          ? ({ case: "matchId", value: target.matchId } as const)
          : ({ case: "inviteCode", value: target.inviteCode } as const),
      entropy,
      ...(seat !== undefined && { seat }),
    };
    return shown((await this.owned(() => this.matches.joinMatch(request))).view);
  }

  async leave(matchId: string): Promise<void> {
    const request = { requestId: freshId(), matchId };
    await this.owned(() => this.matches.leaveMatch(request));
  }

  /**
   * Places a tile in a round; what comes back is what followed from it. With `expected` only if the match still is where that view was
   * (otherwise STALE_CURSOR): nobody plays on a table that has moved on unseen.
   */
  async play(matchId: string, round: number, play: MessageInitShape<typeof PlaySchema>, expected?: Cursor): Promise<Batch | undefined> {
    const request = { requestId: freshId(), matchId, round, play, ...(expected && { expectedCursor: expected }) };
    return (await this.owned(() => this.matches.playTile(request))).batch;
  }

  async resign(matchId: string): Promise<void> {
    const request = { requestId: freshId(), matchId };
    await this.owned(() => this.matches.resign(request));
  }

  /** Takes the seat back from the bot that keeps it. */
  async reclaim(matchId: string): Promise<void> {
    const request = { requestId: freshId(), matchId };
    await this.owned(() => this.matches.reclaimSeat(request));
  }

  /** Says yes to another match with the same people; what has become of it. */
  async answerRematch(matchId: string): Promise<Rematch | undefined> {
    const request = { requestId: freshId(), matchId };
    return (await this.owned(() => this.matches.answerRematch(request))).rematch;
  }

  /** What has become of another match with the same people. */
  async rematch(matchId: string): Promise<Rematch | undefined> {
    return (await this.owned(() => this.matches.getRematch({ matchId }))).rematch;
  }

  async match(matchId: string, inviteCode = ""): Promise<MatchView> {
    return shown((await this.owned(() => this.matches.getMatch({ matchId, inviteCode }))).view);
  }

  /** Matches that wait for players. */
  async openMatches(pageSize = 50): Promise<MatchSummary[]> {
    return (await this.owned(() => this.matches.listMatches({ scope: MatchScope.OPEN, pageSize }))).matches;
  }

  /** Matches of the player of this device. */
  async myMatches(pageSize = 50): Promise<MatchSummary[]> {
    return (await this.owned(() => this.matches.listMatches({ scope: MatchScope.MINE, pageSize }))).matches;
  }

  /** Matches that can be watched now. */
  async liveMatches(pageSize = 50): Promise<LiveMatch[]> {
    return (await this.owned(() => this.spectators.listLiveMatches({ pageSize }))).matches;
  }

  /** The record of a finished match, JSON text in the format `fives-record/1`. */
  async replay(matchId: string, inviteCode = ""): Promise<string> {
    return (await this.owned(() => this.matches.getReplay({ matchId, inviteCode }))).recordJson;
  }

  /** Follows a match from one's own seat, to its end, whatever happens to the connection. */
  follow(matchId: string, options: StreamOptions = {}): AsyncGenerator<Told> {
    return this.stream((after, signal) => this.matches.followMatch({ matchId, ...(after && { after }) }, { signal, timeoutMs: 0 }), options);
  }

  /** Watches a match as anybody may, to its end, whatever happens to the connection. */
  watch(matchId: string, options: StreamOptions = {}): AsyncGenerator<Told> {
    const inviteCode = options.inviteCode ?? "";
    return this.stream(
      (after, signal) => this.spectators.watchMatch({ matchId, inviteCode, ...(after && { after }) }, { signal, timeoutMs: 0 }),
      options,
    );
  }

  /** Watches a match as one who shows it to others: with open hands, as far as `token`, a caster's token of an issuer, opens it. */
  async *cast(matchId: string, token: string, options: Omit<StreamOptions, "inviteCode"> = {}): AsyncGenerator<Told> {
    const headers = { authorization: `Bearer ${token}` };
    yield* lasting(
      (after, signal) => this.casts.castMatch({ matchId, ...(after && { after }) }, { headers, signal, timeoutMs: 0 }),
      await this.persistence(options),
    );
  }

  private async *stream(open: Open, options: StreamOptions): AsyncGenerator<Told> {
    const persistence = await this.persistence(options);
    for (;;) {
      try {
        return yield* lasting(open, persistence);
      } catch (error) {
        await this.signInAnew(error);
      }
    }
  }

  private async persistence({ signal, after }: StreamOptions): Promise<Persistence> {
    const intervalMs = await this.serviceInfo().then(
      ({ limits }) => limits?.heartbeatIntervalMs || 15_000,
      () => 15_000,
    );
    return {
      silenceMaxMs: 2 * intervalMs,
      firstWaitMs: 200,
      longestWaitMs: 5_000,
      ...(this.options.network && { network: this.options.network }),
      ...(signal && { signal }),
      ...(after && { after }),
    };
  }

  private sent<T>(call: () => Promise<T>): Promise<T> {
    return retried(call, this.patience);
  }

  /** A call with the token, which is made anew, once, if the service does not take it any more. */
  private async owned<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await this.sent(call);
    } catch (error) {
      await this.signInAnew(error);
      return this.sent(call);
    }
  }

  /** If it was the token that was refused; any other error goes on. A token of nobody known is forgotten: much needs none. */
  private async signInAnew(error: unknown): Promise<void> {
    const meaning = meaningOf(error);
    const isOld = meaning instanceof Refused && (meaning.reason === "TOKEN_EXPIRED" || meaning.reason === "TOKEN_INVALID");
    if (!isOld) throw meaning;
    const { me } = this.session;
    this.session.tokenRefused();
    if (me) await this.signIn(me.displayName);
  }
}

function shown(view: MatchView | undefined): MatchView {
  if (!view) throw new Error("the service answered without a view");
  return view;
}

/** A request id. */
function freshId(): string {
  return randomHex(16);
}
