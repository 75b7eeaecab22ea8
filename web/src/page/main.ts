/** Which page an address means. */

import { element } from "./element.js";
import { frame, title } from "./frame.js";
import { homePage } from "./home.js";
import { text } from "./language.js";
import { playPage } from "./play.js";
import { replayPage } from "./replay.js";
import { watchPage } from "./watch.js";

function route(main: HTMLElement): Promise<void> {
  const [, page, match] = location.pathname.split("/");
  const query = new URLSearchParams(location.search);
  const code = query.get("code") ?? "";
  if (page === "watch" && match) return watchPage(main, match, code);
  if (page === "replay" && match) return replayPage(main, match, code);
  if (page === "play") return playPage(main);
  if (page === "") return homePage(main);
  title();
  main.replaceChildren(element("p", { class: "notice" }, text("pageNotFound")));
  return Promise.resolve();
}

// A page that goes on to another table says so in the address; on the way back it is made anew.
addEventListener("popstate", () => location.reload());
void route(frame());
