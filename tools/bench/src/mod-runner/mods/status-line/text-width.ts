/** Cells of a terminal: two for what East Asian fonts and emoji draw wide, none for marks that combine. */
export function measureText(text: string): number {
  let cells = 0;
  for (const character of text) cells += measureCharacter(character);
  return cells;
}

function measureCharacter(character: string): number {
  if (/^\p{Mark}$/u.test(character)) return 0;
  return /^(?:\p{Script=Han}|\p{Script=Hangul}|\p{Emoji_Presentation})$/u.test(character) ? 2 : 1;
}
