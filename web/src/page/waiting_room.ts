/** Before the start: who sits at the table already, and how others come to it. */

import { type MatchView } from "../client/index.js";
import { BotKind, MatchState } from "../gen/fives/v1/types_pb.js";
import { playAddress, whole } from "./addresses.js";
import { copyField } from "./copy_field.js";
import { element, write } from "./element.js";
import { text } from "./language.js";
import { seatNames } from "./names.js";

export class WaitingRoom {
  private readonly heading = element("h2", {});
  private readonly seats = element("ul", {});
  private readonly ways = element("div", {});
  readonly root = element(
    "section",
    { class: "card waiting-room", hidden: true },
    element("div", { role: "status" }, this.heading, this.seats),
    this.ways,
  );

  show(view: MatchView): void {
    this.root.hidden = view.state !== MatchState.OPEN;
    if (this.root.hidden) return;
    const count = view.seats.filter(({ playerId, botKind }) => playerId === "" && botKind === BotKind.UNSPECIFIED).length;
    write(this.heading, text("waitingForPlayers", { count }));
    const names = seatNames(view.seats);
    this.seats.replaceChildren(...names.map((name, seat) => element("li", { class: view.seats[seat]?.playerId ? undefined : "quiet" }, name)));
    if (this.ways.childElementCount === 0) this.showWays(view);
  }

  private showWays({ inviteCode, matchId }: MatchView): void {
    // The code opens the table, the id says which one it is before anybody sits down.
    const link = whole(playAddress(matchId, inviteCode));
    const { shown, button, copied } = copyField(text("inviteLink"), link);
    button.classList.add("first");
    const share = () => void navigator.share({ title: document.title, url: link }).catch(() => undefined);
    this.ways.replaceChildren(
      element("p", {}, text("inviteLink")),
      shown,
      element("div", { class: "actions" }, button, copied, "share" in navigator && element("button", { type: "button", on: { click: share } }, text("sendLink"))),
    );
    if (inviteCode) this.ways.append(element("p", {}, text("inviteCode"), " ", element("code", { class: "code" }, inviteCode)));
  }
}
