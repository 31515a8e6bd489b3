export async function writeReport(_inputs: readonly string[], _output: string): Promise<number> {
  throw new Error("not yet");
}
