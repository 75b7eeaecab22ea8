/** Names in little room. */

/** How wide a sign is, in font sizes: an estimate on the safe side, since a text is only measured once it is drawn. */
function width(sign: string): number {
  // A sign may be several joined ones (a family, a flag), which a font that does not know it shows side by side.
  return [...sign].reduce((sum, part) => {
    const code = part.codePointAt(0) ?? 0;
    if (code >= 0x1f000) return sum + 1.3;
    if (code >= 0x1100) return sum + (/\p{Default_Ignorable_Code_Point}/u.test(part) ? 0.3 : 1.05);
    return sum + (/[mwMW@%]/.test(part) ? 0.95 : /[iljtfrI.,' ]/.test(part) ? 0.34 : 0.6);
  }, 0);
}

/** As much of a name as fits in `room` pixels, with an ellipsis if that is not all. Signs are never cut in two. */
export function fitted(name: string, room: number, fontSize: number): string {
  const signs = [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(name)].map(({ segment }) => segment);
  let left = room / fontSize;
  for (const [at, sign] of signs.entries()) {
    left -= width(sign);
    if (left < 0 || (left < 1 && at < signs.length - 1)) return `${signs.slice(0, Math.max(at, 1)).join("").trimEnd()}…`;
  }
  return name;
}
