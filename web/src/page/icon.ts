/** Signs of a player of plays, as shapes: fonts show them as boxes or as pictures. */

const SVG = "http://www.w3.org/2000/svg";

/** Paths in a square of 24. */
const PATHS = {
  first: "M5 5h3v14H5zM20 5v14L9 12z",
  last: "M16 5h3v14h-3zM4 5v14l11-7z",
  roundBack: "M12 5v14L2 12zM22 5v14l-10-7z",
  roundOn: "M2 5v14l10-7zM12 5v14l10-7z",
  back: "M16 5l2 2-5 5 5 5-2 2-7-7z",
  on: "M8 5L6 7l5 5-5 5 2 2 7-7z",
  play: "M6 3v18l16-9z",
  pause: "M5 3h5v18H5zM14 3h5v18h-5z",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  const made = document.createElementNS(SVG, "svg");
  made.setAttribute("viewBox", "0 0 24 24");
  made.setAttribute("class", "icon");
  made.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  made.append(path);
  return made;
}
