/** What a program asks its terminal, and what a common one (xterm with a dark background) answers. */
const replies: readonly [query: string, answer: string][] = [
  // Cursor position report.
  ["\x1b[6n", "\x1b[1;1R"],
  // Primary and secondary device attributes.
  ["\x1b[c", "\x1b[?62;22c"],
  ["\x1b[0c", "\x1b[?62;22c"],
  ["\x1b[>c", "\x1b[>0;276;0c"],
  // Operating status.
  ["\x1b[5n", "\x1b[0n"],
  // Kitty's keyboard protocol: known, nothing switched on.
  ["\x1b[?u", "\x1b[?0u"],
  // Foreground and background colour, ended by ST or BEL.
  ["\x1b]10;?\x1b\\", "\x1b]10;rgb:dddd/dddd/dddd\x1b\\"],
  ["\x1b]10;?\x07", "\x1b]10;rgb:dddd/dddd/dddd\x07"],
  ["\x1b]11;?\x1b\\", "\x1b]11;rgb:1111/1111/1111\x1b\\"],
  ["\x1b]11;?\x07", "\x1b]11;rgb:1111/1111/1111\x07"],
];

/** `CSI ? MODE $ p` asks for the state of a mode; 0 says that this terminal does not know it. */
const modeQuery = /\x1b\[\?(\d+)\$p/g;
const longestQuery = 16;

/** Answers queries as they come, also when one is cut by the end of a chunk. */
export function createTerminalReplies(write: (answer: string) => void): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    const text = rest + chunk;
    let last = 0;
    for (const { index, length, answer } of findQueries(text)) {
      write(answer);
      last = index + length;
    }
    rest = text.slice(Math.max(last, text.length - longestQuery));
  };
}

function findQueries(text: string): { index: number; length: number; answer: string }[] {
  const found = [...text.matchAll(modeQuery)].map((match) => {
    return { index: match.index, length: match[0].length, answer: `\x1b[?${match[1]};0$y` };
  });
  for (const [query, answer] of replies) {
    for (let index = text.indexOf(query); index !== -1; index = text.indexOf(query, index + 1)) {
      found.push({ index, length: query.length, answer });
    }
  }
  return found.sort((a, b) => a.index - b.index);
}
