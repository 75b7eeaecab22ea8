/** What is around every page: the way home, the language, the colours. */

import { element } from "./element.js";
import { dressPage, embedLook } from "./embed.js";
import { LANGUAGES } from "../words/language.js";
import { choose, language, text } from "./language.js";
import { storage } from "./storage.js";

const THEME = "fives.theme";
const THEMES = [
  ["auto", "themeAuto"],
  ["light", "themeLight"],
  ["dark", "themeDark"],
] as const;

function applyTheme(theme: string): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Puts the frame up and gives the place for the page. */
export function frame(): HTMLElement {
  document.documentElement.lang = language.tag;
  const wanted = new URLSearchParams(location.search).get("theme");
  // A video looks as its address says, whatever somebody has chosen in this browser.
  const theme = [wanted, embedLook ? "auto" : storage.getItem(THEME)].find((name) => THEMES.some(([known]) => known === name)) ?? "auto";
  applyTheme(theme);
  const main = element("main", { id: "main", tabindex: "-1" });
  if (embedLook) {
    dressPage(embedLook);
    document.body.replaceChildren(main);
    return main;
  }
  const themes = element("select", {
    "aria-label": text("theme"),
    on: {
      change: () => {
        storage.setItem(THEME, themes.value);
        applyTheme(themes.value);
      },
    },
  });
  themes.append(...THEMES.map(([value, key]) => element("option", { value, selected: value === theme }, text(key))));
  const languages = element("select", { "aria-label": text("language"), on: { change: () => choose(languages.value) } });
  languages.append(
    ...LANGUAGES.map(({ tag, name }) => element("option", { value: tag, lang: tag, selected: tag === language.tag }, name)),
  );
  const header = element(
    "header",
    { class: "top" },
    element("a", { class: "brand", href: "/" }, text("appName")),
    element("nav", { "aria-label": text("appName") }, element("a", { href: "/" }, text("navTables")), element("a", { href: "/play" }, text("navPlay"))),
    element("div", { class: "settings" }, languages, themes),
  );
  // Without the address: what stands behind its # may be a caster's token.
  const skip = (event: MouseEvent): void => {
    event.preventDefault();
    main.focus();
  };
  document.body.replaceChildren(element("a", { class: "skip", href: "#main", on: { click: skip } }, text("skipToBoard")), header, main);
  return main;
}

export function title(...parts: string[]): void {
  document.title = [...parts, text("appName")].join(" · ");
}
