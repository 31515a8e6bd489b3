/** How a program runs its turns. */
export interface TurnsSide {
  name: string;
  /** What the driver does. */
  way: "official" | "exec" | "app-server" | "bare";
  /** One process serves all turns; such a side is quick, and measured several times in a block. */
  isPersistent: boolean;
}

export const officialSide = "official SDK, process per turn";
export const execSide = "ours, process per turn";
export const oursSide = "ours";
/** The least that gets the turns run: what no SDK can beat. */
export const bareSide = "bare JSON-RPC";

export const turnsSides: readonly TurnsSide[] = [
  { name: officialSide, way: "official", isPersistent: false },
  { name: execSide, way: "exec", isPersistent: false },
  { name: oursSide, way: "app-server", isPersistent: true },
  { name: bareSide, way: "bare", isPersistent: true },
];

/** One block: every process-per-turn side once, the others alternating `repeats` times. */
export function planBlock(sides: readonly TurnsSide[], repeats: number): TurnsSide[] {
  const persistent = sides.filter(({ isPersistent }) => isPersistent);
  const rounds = Array.from({ length: repeats }, (_, round) =>
    round % 2 === 0 ? persistent : [...persistent].reverse(),
  );
  return [...sides.filter(({ isPersistent }) => !isPersistent), ...rounds.flat()];
}
