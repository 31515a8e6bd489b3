/** CSI, OSC (ended by BEL or ST), charset choices, and two-character escapes. */
const sequences = /\x1b\[[0-9;?>=<$ !"']*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][0-9A-B]|\x1b./g;

/**
 * What a program has written to its terminal, without control sequences and with runs of blanks as one. It
 * is no picture of the screen: text stays that was overwritten. That is enough to see that a text has been shown.
 */
export function readVisibleText(output: string): string {
  return output.replaceAll(sequences, " ").replaceAll(/\s+/g, " ");
}
